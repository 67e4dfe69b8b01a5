"""One expression of a grounding set and what it means in its picture, whatever file it is from."""

from dataclasses import dataclass
from typing import Literal

from benchwright.boxes import Box


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """A box of a picture, [x, y, width, height] in pixels as the file has it."""

    box_id: str
    category: str | None
    box: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """What is said of a picture, and which of its boxes are meant.

    ``picture`` is what the set calls the picture, ``files`` are the names that its file may have,
    the likeliest first; ``size`` is its width and height in pixels by the annotations. ``context``
    is the text in which ``words`` stand, the words themselves where there is no other. ``true``
    are ids of ``boxes``, none where nothing in the picture is meant.
    """

    name: str
    picture: str
    files: tuple[str, ...]
    size: tuple[int, int]
    context: str
    words: str
    boxes: tuple[Marked, ...]
    true: tuple[str, ...]
    kind: Literal["single", "set"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unused:
    """A row that cannot be used, by its name, and why."""

    name: str
    reason: str
