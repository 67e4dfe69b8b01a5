"""Boxes [x, y, width, height] in pixels: areas, overlaps, clipping, turning with the picture."""

from collections.abc import Sequence

Box = tuple[float, float, float, float]


def as_box(values: Sequence[float]) -> Box:
    """Return four numbers as a box; raises ValueError for another count."""
    x, y, width, height = values
    return float(x), float(y), float(width), float(height)


def from_corners(x1: float, y1: float, x2: float, y2: float) -> Box:
    """Return the box between two corners, whatever their order."""
    return min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1)


def area(box: Box) -> float:
    """Return the area in square pixels."""
    return box[2] * box[3]


def clip(box: Box, width: float, height: float) -> Box | None:
    """Return the part of a box that lies in a picture, None where there is no area of it."""
    x1, y1 = max(box[0], 0.0), max(box[1], 0.0)
    x2, y2 = min(box[0] + box[2], float(width)), min(box[1] + box[3], float(height))
    return (x1, y1, x2 - x1, y2 - y1) if x2 > x1 and y2 > y1 else None


def intersection(one: Box, other: Box) -> float:
    """Return the area that two boxes share."""
    width = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    height = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return max(width, 0.0) * max(height, 0.0)


def iou(one: Box, other: Box) -> float:
    """Return intersection over union, 0 to 1; 0 for two boxes without any area."""
    shared = intersection(one, other)
    union = area(one) + area(other) - shared
    return shared / union if union > 0 else 0.0


def contained(one: Box, other: Box) -> float:
    """Return the share of the area of ``one`` that lies in ``other``, 0 to 1."""
    return intersection(one, other) / area(one) if area(one) > 0 else 0.0


def turn(box: Box, size: tuple[float, float], orientation: int) -> Box:
    """Return where a box lies after a picture of ``size`` (width, height) was turned upright.

    ``orientation`` is EXIF's, 1 to 8: what had to be undone. Turned by 90, 180 and 270 degrees
    counterclockwise are 8, 3 and 6.
    """
    x, y, wide, high = box
    width, height = size
    right, below = width - x - wide, height - y - high
    return {
        1: (x, y, wide, high),
        2: (right, y, wide, high),
        3: (right, below, wide, high),
        4: (x, below, wide, high),
        5: (y, x, high, wide),
        6: (below, x, high, wide),
        7: (below, right, high, wide),
        8: (y, right, high, wide),
    }[orientation]
