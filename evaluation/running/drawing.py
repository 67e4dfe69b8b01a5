"""Which items of a config are played where not all of them are."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from benchwright import seeds

T = TypeVar("T")


def drawn(
    items: Sequence[T], id_of: Callable[[T], str], count: int | None, seed: int
) -> tuple[T, ...]:
    """Return so many of the items, drawn by the seed and in their own order; null means all.

    More of them hold the fewer. Items of one id are drawn together and count once.
    """
    ids = sorted({id_of(item) for item in items})
    chosen = frozenset(seeds.shuffled(ids, seed, "items of a run")[:count])
    return tuple(item for item in items if id_of(item) in chosen)
