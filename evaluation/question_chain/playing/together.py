"""Asking several things of one item at once, so that they go out in one round of a batch."""

from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

from benchwright.asking.rounds import Unasked
from benchwright.asking.several import side_by_side

T = TypeVar("T")


async def together(works: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Return what each gives, in their order; raise one Unasked for all that is missing to any."""
    found = await side_by_side(_or_unasked(work) for work in works)
    wanted = [each for one in found if isinstance(one, Unasked) for each in one.wanted]
    if wanted:
        raise Unasked(*wanted)
    return [one for one in found if not isinstance(one, Unasked)]


async def _or_unasked(work: Coroutine[Any, Any, T]) -> T | Unasked:
    try:
        return await work
    except Unasked as unasked:  # the others have theirs to ask, too
        return unasked
