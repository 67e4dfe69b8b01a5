"""Four numbers as the corners of a box, as they were written: unit and order are not settled."""

import math
from typing import Any

Corners = tuple[float, float, float, float]  # x1, y1, x2, y2

_LARGEST = 1e7  # no picture has such a side
_LONGEST = 40  # characters of a number


def number_of(value: Any) -> float | None:
    """Return a number, also one that is written as a text; null for what can be no coordinate."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str) and len(value) > _LONGEST:
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):  # no number, or a whole one of hundreds of digits
        return None
    return number if math.isfinite(number) and abs(number) <= _LARGEST else None


def corners_of(values: Any) -> Corners | None:
    """Return a list of four numbers, or of two points, as corners; null for anything else."""
    if not isinstance(values, list):
        return None
    if len(values) == 2 and all(isinstance(point, list) and len(point) == 2 for point in values):
        values = [*values[0], *values[1]]
    if len(values) != 4:
        return None
    x1, y1, x2, y2 = map(number_of, values)
    if x1 is None or y1 is None or x2 is None or y2 is None:
        return None
    return x1, y1, x2, y2


def from_size(corners: Corners) -> Corners:
    """Return the corners of x, y, width and height."""
    x, y, width, height = corners
    return x, y, x + width, y + height
