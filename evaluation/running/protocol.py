"""What a protocol tells the frame: its items, how one is played, and what that would take."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from benchwright.asking.estimates import Planned
from benchwright.asking.questions import Asks
from benchwright.records import Build

T = TypeVar("T")
R = TypeVar("R")
Voices = Mapping[str, Asks]  # whoever can be asked, by the voter's name


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches(Generic[T, R]):
    """What is played: ``items`` (episodes, dialogues, samples), each a match by itself.

    ``play`` plays one, given whoever can be asked; it may be called again for the same item, and
    makes the same of the same answers. It lets through what ``Asks.ask`` raises. Of what it returns
    ``rows`` are records of ``kind``, which has a schema; they are written as ``table``, in the
    order of the items. ``is_failed`` tells that a server's answer is missing to an item, so that
    it is to be played again, ``builds`` what answered. ``seers`` are the voters, by name, that
    are shown pictures. ``foresee`` gives the calls that an item takes of a voter from the first
    to the last that there may be; ``middle`` says what its middle case is, null for none.
    ``unlabelled`` counts the labels of judges that an item lacks although it was played to its end.
    """

    items: Sequence[T]
    play: Callable[[T, Voices], Awaitable[R]]
    rows: Callable[[R], Iterable[Any]]
    kind: type[Any]
    table: str
    is_failed: Callable[[R], bool]
    builds: Callable[[R], Iterable[Build]]
    seers: frozenset[str]
    foresee: Callable[[T, str], Iterable[Planned]]
    middle: str | None = None
    unlabelled: Callable[[R], int] = lambda _: 0
