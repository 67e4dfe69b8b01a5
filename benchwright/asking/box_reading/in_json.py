"""Boxes in JSON: lists of four numbers, and objects that call them by one name or another."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchwright.asking.box_reading.corners import Corners, corners_of, from_size
from benchwright.asking.box_reading.in_text import bracketed, on_lines

_STRANGE = re.compile(r"[^a-z0-9]+")
_BOX = re.compile(
    r"(?:b?box|boundingbox)(?:es)?(?:2d|xyxy)?|xyxy|coordinates|coords|rect(?:angle)?|region"
    r"|location|position"
)
_SIZED = re.compile(r"(?:b?box)?xywh")
# corners under four names; x0 before x1, which then is the other corner
_CORNERS = (
    ("x0", "y0", "x1", "y1"),
    ("x1", "y1", "x2", "y2"),
    ("xmin", "ymin", "xmax", "ymax"),
    ("left", "top", "right", "bottom"),
)
_SIZES = (
    ("x", "y", "width", "height"),
    ("x", "y", "w", "h"),
    ("left", "top", "width", "height"),
)
_POINTS = ("topleft", "bottomright")
# what may be four numbers and is no box
_OTHER = re.compile(
    r"(?:image|picture)?size|points?|polygon|segmentation|mask|colou?r|scores?|confidence|numbers?"
    r"|ids?"
)


def boxes_in_json(value: Any) -> Iterator[Corners]:
    """Yield the boxes of a JSON value in order.

    What an object calls a box counts; where it calls nothing so, all that it holds is looked
    through. Width and height are taken for such where the names say so, else for a second corner.
    """
    if isinstance(value, str):
        yield from list(bracketed(value)) or on_lines(value)
    elif isinstance(value, Mapping):
        named = {_STRANGE.sub("", str(key).lower()): one for key, one in value.items()}
        yield from _in_object(named)
    elif isinstance(value, list):
        corners = corners_of(value)
        if corners is not None:
            yield corners
            return
        for one in value:
            yield from boxes_in_json(one)


def _in_object(named: Mapping[str, Any]) -> Iterator[Corners]:
    corners = _by_names(named)
    if corners is not None:
        yield corners
        return
    boxes = {key for key in named if _BOX.fullmatch(key) or _SIZED.fullmatch(key)}
    for key, value in named.items():
        if _SIZED.fullmatch(key):
            yield from map(from_size, boxes_in_json(value))
        elif key in boxes or not (boxes or _OTHER.fullmatch(key) or isinstance(value, str)):
            yield from boxes_in_json(value)


def _by_names(named: Mapping[str, Any]) -> Corners | None:
    for names in _CORNERS:
        if corners := _of(named, names):
            return corners
    for names in _SIZES:
        if corners := _of(named, names):
            return from_size(corners)
    if all(name in named for name in _POINTS):
        return corners_of([_point(named[name]) for name in _POINTS])
    return None


def _of(named: Mapping[str, Any], names: Sequence[str]) -> Corners | None:
    return corners_of([named[name] for name in names]) if named.keys() >= set(names) else None


def _point(value: Any) -> Any:
    if isinstance(value, Mapping):
        return [value.get("x"), value.get("y")]
    return value
