"""Which things hang together by way of others."""

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def components(links: Iterable[Sequence[T]]) -> dict[T, set[T]]:
    """Return for each thing that stands in a link all that it hangs together with."""
    found: dict[T, set[T]] = {}
    for link in links:
        for thing in link:
            join(found, link[0], thing)
    return found


def join(found: dict[T, set[T]], one: T, other: T) -> None:
    """Let two things, and all that hangs on either, hang together."""
    small, large = sorted((found.get(one, {one}), found.get(other, {other})), key=len)
    if small is not large:
        large |= small
    found.update((thing, large) for thing in (*small, one, other))
