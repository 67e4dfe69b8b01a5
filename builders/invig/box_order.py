"""Boxes that a source writes as x, y, width, height, as the corners that layouts read."""

from collections.abc import Mapping
from typing import Any

from builders.invig.draft import Unfit
from builders.invig.fields import decoded

_HOLDERS = frozenset({"raw_anns", "objects", "ref_list", "ann"})
_BOXES = frozenset({"bbox", "bboxes", "ref_bboxes", "box", "target", "region", "answer", "label"})


def as_corners(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with its boxes x, y, width, height as x0, y0, x1, y1.

    Those are meant that stand in the row itself or in its ``raw_anns``, ``objects``, ``ref_list``
    and ``ann``, as lists or as JSON. Fields whose name says what they hold (``bbox_xyxy_px``,
    bins) and what is no box stay as they are.
    """
    return {name: _turned(name, value) for name, value in row.items()}


def _turned(name: str, value: Any) -> Any:
    if name in _BOXES:
        return _boxes(value)
    return _held(value, name) if name in _HOLDERS else value


def _held(value: Any, name: str) -> Any:
    try:
        value = decoded(value, name)
    except Unfit:
        return value  # the layout says what is wrong with it
    if isinstance(value, Mapping):
        return as_corners(value)
    if isinstance(value, list):
        return [as_corners(one) if isinstance(one, Mapping) else one for one in value]
    return value


def _boxes(value: Any) -> Any:
    """Return a box, or a list of boxes, with corners; anything else as it stands."""
    if not isinstance(value, list):
        return value
    if len(value) == 4 and all(_is_number(one) for one in value):
        x, y, width, height = value
        return [x, y, x + width, y + height]
    return [_boxes(one) if isinstance(one, list) else one for one in value]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
