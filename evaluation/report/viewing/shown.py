"""What the viewer of a report shows, the same for all kinds: items, and the steps of each."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from benchwright.boxes import Box
from benchwright.plain_text import printable

MOST = 2_000  # characters of a text that is shown

BoxKind = Literal["true", "predicted", "target"]
Verdict = Literal["right", "wrong", "skip"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What somebody said: ``who`` is player, rules, or what the page calls them."""

    who: str
    text: str
    is_player: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A box on the picture, [x, y, width, height] in its pixels."""

    box: Box
    kind: BoxKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """Something to choose from."""

    text: str
    is_true: bool
    is_picked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One turn: what was said, and what it came to.

    ``left`` are the numbers of the pictures that are still feasible, null where that is no matter.
    ``note`` says in a few words what became of it, ``verdict`` in which colour.
    """

    title: str
    words: Sequence[Words] = ()
    left: Sequence[int] | None = None
    drawn: Sequence[Drawn] = ()
    options: Sequence[Option] = ()
    note: str = ""
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """An episode, a dialogue or a chain as it was played.

    ``image_ids`` are its pictures in the order shown, ``target`` and ``guess`` numbers of them
    from 1, null where there is none.
    """

    title: str
    facts: str
    image_ids: Sequence[str]
    steps: Sequence[Step]
    target: int | None = None
    guess: int | None = None


def said(who: str, text: str, *, is_player: bool = False) -> Words:
    """Return words as they can be shown: without what steers, and cut where there is too much."""
    shown = printable(text[:MOST]).strip("\n")
    if len(text) > MOST:
        shown += f" … (cut: {len(text):,} characters)"
    return Words(who=who, text=shown, is_player=is_player)


def as_json(item: Item) -> dict[str, Any]:
    """Return an item as the page reads it."""
    return asdict(item)
