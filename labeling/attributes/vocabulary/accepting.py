"""--accept: all that is suggested, or what is named."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from benchwright.errors import UsageError

T = TypeVar("T")


def chosen(offered: Sequence[T], accepted: str, names: Callable[[T], Sequence[str]]) -> Sequence[T]:
    """Return the suggestions that ``accepted`` names: ``all``, or names with commas between them.

    ``names`` gives what a suggestion answers to, the full name last. Names, not numbers: the
    same command run twice must not accept what nobody has seen.

    Raises UsageError for a name that none or several have.
    """
    if accepted.strip() == "all":
        return offered
    found: list[T] = []
    for name in filter(None, map(str.strip, accepted.split(","))):
        meant = [one for one in offered if name in names(one)]
        if not meant:
            some = ", ".join(names(one)[0] for one in offered[:5]) or "none is left"
            raise UsageError(f"--accept: {name!r} is no suggestion; there are: {some}")
        if len(meant) > 1:
            full = ", ".join(names(one)[-1] for one in meant)
            raise UsageError(f"--accept: {name!r} is suggested more than once; say which: {full}")
        found += meant
    return found
