"""Numbers, flags and rotations as the CSV files spell them."""

import math
import re

_NUMBER = re.compile(r"[+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_FLAGS = {1.0: True, 0.0: False, -1.0: None}
_UNKNOWN = ("", "nan", "none", "null")
DECIMALS = 6  # of a normalised coordinate, as the official files write them
SLACK = 0.01  # how far out of the picture a coordinate may lie to be clipped

Corners = tuple[float, float, float, float]


def number(text: str) -> float | None:
    """Return a finite number, None for what is none; a decimal comma is read as a point."""
    plain = text.strip()
    if len(plain) > 64 or _NUMBER.fullmatch(plain) is None:
        return None
    value = float(plain.replace(",", "."))
    return value if math.isfinite(value) else None


def flag(text: str) -> bool | None:
    """Return true for 1, false for 0, None for -1 and the empty cell, which say "unknown".

    Raises ValueError for anything else.
    """
    plain = text.strip().lower()
    if plain in _UNKNOWN:
        return None
    value = number(plain)
    if value is None or value not in _FLAGS:
        raise ValueError(f"{text!r} is no flag: 1, 0 and -1 are")
    return _FLAGS[value]


def rotation(text: str) -> int | None:
    """Return degrees counterclockwise (0, 90, 180, 270), None for unknown: '' or nan.

    Raises ValueError for anything else.
    """
    plain = text.strip().lower()
    if plain in _UNKNOWN:
        return None
    value = number(plain)
    if value is None or value not in (0, 90, 180, 270):
        raise ValueError(f"{text!r} is no rotation: 0, 90, 180 and 270 are")
    return int(value)


def corners(x_min: str, x_max: str, y_min: str, y_max: str) -> tuple[Corners, bool]:
    """Return (x1, y1, x2, y2), normalised to 0..1, from cells in the order of the files.

    The second value tells whether the box was clipped.

    Coordinates are rounded to six decimals, so that a file that another program saved again says
    the same, and clipped where they lie less than 0.01 out of the picture.
    Raises ValueError for what is no box in a picture.
    """
    spelled = {"XMin": x_min, "XMax": x_max, "YMin": y_min, "YMax": y_max}
    found: dict[str, float] = {}
    clipped = False
    for name, text in spelled.items():
        value = number(text)
        if value is None:
            raise ValueError(f"{name} is {text[:40]!r}, which is no number")
        if not -SLACK <= value <= 1 + SLACK:
            raise ValueError(f"{name} is {text[:40]}; between 0 and 1 was wanted (parts of a side)")
        rounded = round(value, DECIMALS)
        found[name] = min(1.0, max(0.0, rounded))
        clipped = clipped or found[name] != rounded
    for low, high in (("XMin", "XMax"), ("YMin", "YMax")):
        if found[low] >= found[high]:
            raise ValueError(
                f"{low} {spelled[low][:40]} is not less than {high} {spelled[high][:40]}"
            )
    return (found["XMin"], found["YMin"], found["XMax"], found["YMax"]), clipped
