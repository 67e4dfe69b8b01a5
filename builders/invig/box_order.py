"""Boxes that a source writes as x, y, width, height, as the corners that layouts read."""

from collections.abc import Mapping
from typing import Any

from builders.invig.draft import Unfit
from builders.invig.fields import decoded

_HOLDERS = frozenset({"raw_anns", "objects", "ref_list", "ann"})
_DEEPEST = 3  # [[[x, y, w, h]], …]: one box of each of several dialogues, in a list of its own
_BOXES = frozenset({"bbox", "bboxes", "ref_bboxes", "box", "target", "region", "answer", "label"})


def as_corners(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with its boxes x, y, width, height as x0, y0, x1, y1.

    Those are meant that stand in the row itself or in its ``raw_anns``, ``objects``, ``ref_list``
    and ``ann``, as lists or as JSON. Fields whose name says what they hold (``bbox_xyxy_px``,
    bins) and what is no box stay as they are.
    """
    held = {name: _held(row[name], name) for name in _HOLDERS & row.keys()}
    return {**_of_object(row), **held}


def _of_object(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: _boxes(value, _DEEPEST) if name in _BOXES else value for name, value in fields.items()
    }


def _held(value: Any, name: str) -> Any:
    try:
        value = decoded(value, name)
    except Unfit:
        return value  # the layout says what is wrong with it
    if isinstance(value, Mapping):
        return _of_object(value)
    if isinstance(value, list):
        return [_of_object(one) if isinstance(one, Mapping) else one for one in value]
    return value


def _boxes(value: Any, depth: int) -> Any:
    """Return a box, or lists of boxes, with corners; anything else as it stands."""
    if not isinstance(value, list) or not depth:
        return value
    if len(value) == 4 and all(_is_number(one) for one in value):
        x, y, width, height = value
        try:
            return [x, y, x + width, y + height]
        except OverflowError:  # whole numbers without end; the layout refuses them
            return value
    return [_boxes(one, depth - 1) for one in value]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
