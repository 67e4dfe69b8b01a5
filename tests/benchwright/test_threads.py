"""Work over threads: the contract of the other workers."""

import threading
from itertools import count, islice

import pytest

from benchwright.errors import PictureError
from benchwright.threads import threads


def square(value: int) -> int:
    return value**2


def fail(value: int) -> int:
    if value == 3:
        raise PictureError("broken", "item 3")
    return value


@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize("batch", [1, 7])
def test_results_come_in_the_order_of_the_items(number: int, batch: int) -> None:
    with threads(number) as some:
        assert some.count == number
        found = list(some.map_ordered(square, range(20), batch=batch))
        assert found == [value**2 for value in range(20)]
        results = some.map_ordered(fail, range(9), batch=batch)
        assert list(islice(results, 3)) == [0, 1, 2]
        with pytest.raises(PictureError, match="item 3"):
            next(results)


def test_they_are_threads_of_this_process() -> None:
    barrier = threading.Barrier(2, timeout=20)  # it opens only when two wait at once
    with threads(2) as some:
        assert len(list(some.map_ordered(lambda _: barrier.wait(), range(2)))) == 2
        shared = some.share(value := object())
        assert shared() is value


def test_endless_items_are_taken_as_they_are_needed() -> None:
    with threads(2) as some:
        results = some.map_ordered(square, count())
        assert list(islice(results, 3)) == [0, 1, 4]
        results.close()
