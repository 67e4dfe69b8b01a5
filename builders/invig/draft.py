"""What a layout reads out of a row: drafts of dialogues, or why there is none."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, ParamSpec

from benchwright.records import Utterance

P = ParamSpec("P")

Language = Literal["en", "zh"]
BoxOrder = Literal["corners", "xywh"]
Corners = tuple[float, float, float, float]  # x0, y0, x1, y1


class Unfit(Exception):
    """One dialogue cannot be used; ``reason`` is the code that its reject carries.

    It never leaves this package: a refusal, not a fault.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """A picture whose bytes stand in a row: which source and row, and the hash of the bytes."""

    source: int
    row: int
    sha256: str
    name: str | None  # the path beside the bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureName:
    """How a row names its picture: the canonical id, file names to try, a link, its bytes."""

    source_id: str
    names: tuple[str, ...] = ()
    url: str | None = None
    embedded: Embedded | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A dialogue as its row has it: boxes are corners, and not yet those of a stored picture.

    ``is_relative``: the corners are shares of width and height (0 to 1), else they are pixels.
    ``categories`` are those of the candidates, in their order, null where the row has none; where
    no candidate has one they are empty. ``size`` is the width and height that the row states.
    ``changes`` are (reason, message).
    """

    dialogue_id: str | None
    picture: PictureName
    utterances: tuple[Utterance, ...]
    target: Corners
    candidates: tuple[Corners, ...] = ()
    categories: tuple[str | None, ...] = ()
    is_relative: bool = False
    size: tuple[int, int] | None = None
    changes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A dialogue of a row that cannot be used, and why."""

    dialogue_id: str | None
    reason: str
    message: str


Reading = Sequence[Draft | Refused]


def attempt(
    dialogue_id: str | None, read: Callable[P, Draft], *args: P.args, **kwargs: P.kwargs
) -> Draft | Refused:
    """Return what ``read`` returns, or the refusal that it raises."""
    try:
        return read(*args, **kwargs)
    except Unfit as error:
        return Refused(dialogue_id=dialogue_id, reason=error.reason, message=str(error))
