"""Workers: the order of the results, errors, bounds, and how they end."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

import pytest

from benchwright.errors import BenchwrightError, PictureError
from benchwright.workers import map_ordered, pool


def square(value: int) -> int:
    time.sleep(0.02 if value % 3 == 0 else 0)  # the first are the last to be done
    return value * value


def process(_: int) -> int:
    return os.getpid()


def fail(value: int) -> int:
    if value == 3:
        raise PictureError("broken", f"item {value}")
    return value


def die(_: int) -> int:
    os._exit(9)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_results_come_in_the_order_of_the_items(workers: int) -> None:
    assert list(map_ordered(square, range(40), workers)) == [value**2 for value in range(40)]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("batch", [2, 7, 100])
def test_batches_change_nothing_of_the_results(workers: int, batch: int) -> None:
    with pool(workers) as some:
        found = list(some.map_ordered(square, range(20), batch=batch))
        assert found == [value**2 for value in range(20)]
        results = some.map_ordered(fail, range(9), batch=batch)
        assert list(islice(results, 3)) == [0, 1, 2]  # also those before it in its batch
        with pytest.raises(PictureError, match="item 3"):
            next(results)


def test_one_worker_is_no_process() -> None:
    assert set(map_ordered(process, range(3), 1)) == {os.getpid()}
    assert os.getpid() not in set(map_ordered(process, range(3), 2))


@pytest.mark.parametrize("workers", [1, 2])
def test_exceptions_travel_whole(workers: int) -> None:
    results = map_ordered(fail, range(9), workers)
    assert list(islice(results, 3)) == [0, 1, 2]
    with pytest.raises(PictureError, match="item 3") as caught:
        next(results)
    assert caught.value.reason == "broken"


def test_endless_items_are_taken_as_they_are_needed() -> None:
    taken: list[int] = []

    def endless() -> Iterator[int]:
        for value in count():
            taken.append(value)
            yield value

    with pool(2) as workers:
        results = workers.map_ordered(square, endless())
        assert list(islice(results, 5)) == [0, 1, 4, 9, 16]
        assert len(taken) <= 5 + 4 * 2
        assert list(workers.map_ordered(square, [7])) == [49]  # the pool can be used again


def test_nothing_is_started_for_nothing() -> None:
    with pool(2) as workers:
        assert list(workers.map_ordered(square, [])) == []
        assert workers._executor is None


def test_the_default_is_one_for_each_processor() -> None:
    with pool() as workers:
        assert workers.workers == os.cpu_count()


def test_a_worker_that_dies_is_one_line() -> None:
    with pytest.raises(BenchwrightError, match="--workers 1"):
        list(map_ordered(die, range(3), 2))


SCRIPT = """
import os, sys, time
from benchwright.workers import map_ordered

def work(value):
    if value == 0:
        print(os.getpid(), flush=True)
    else:
        time.sleep(0.05)
    return value

if __name__ == "__main__":
    try:
        for _ in map_ordered(work, range(100000), 2):
            pass
    except KeyboardInterrupt:
        sys.exit(130)
"""


@pytest.mark.parametrize(("how", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_workers_end_with_their_parent(tmp_path: Path, how: signal.Signals, code: int) -> None:
    script = tmp_path / "work.py"
    script.write_text(SCRIPT)
    parent = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        if how is signal.SIGINT:
            os.killpg(parent.pid, how)  # as a terminal does: the workers get it as well
        else:
            parent.kill()
        assert parent.wait(20) == code
        assert parent.stderr is not None
        assert "Traceback" not in parent.stderr.read()
    for _ in range(200):
        if not Path(f"/proc/{child}").exists() or "Z" in _state(child):
            return
        time.sleep(0.05)
    pytest.fail("the worker outlived its parent")


def _state(process: int) -> str:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return "Z"
