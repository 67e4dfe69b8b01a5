"""What another machine refused is looked at once more on this one.

A node that does not see a source's files would refuse them all, and a refusal is a result like
any other: the run would end well, with rejects that no local run has.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from benchwright.errors import UsageError
from benchwright.workers import Workers

T = TypeVar("T")
R = TypeVar("R")


def agreed(
    workers: Workers,
    function: Callable[[T], R],
    items: Sequence[T],
    results: Iterable[R],
    refusal: Callable[[R], str | None],
) -> Iterator[R]:
    """Yield the results of the items; ``refusal`` says why one is a refusal, null for others.

    Raises UsageError where this machine does not refuse what another one did.
    """
    for item, result in zip(items, results, strict=True):
        why = refusal(result)
        if workers.elsewhere and why is not None and refusal(function(item)) is None:
            raise UsageError(
                f"a node of the Ray cluster refused a picture that this machine can read ({why}):"
                " all nodes must see the pictures under one path; put them on a folder that they"
                " share"
            )
        yield result
