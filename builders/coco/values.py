"""What a value of a COCO file says, whatever its type: ids, numbers, texts, links.

JSON writes one id as 790, 790.0 or "790"; here it has one spelling. A value of a wrong type says
nothing (None); it is never an error.
"""

import json
import math
import re
from pathlib import Path
from typing import Any

from benchwright.errors import SourceError

_SURROGATE = re.compile("[\ud800-\udfff]")
_MOST_DIGITS = 18  # longer whole numbers are kept as text: as ids they are good, as numbers never
_ARCHIVES = {b"\x1f\x8b": "a gzip archive", b"PK\x03\x04": "a ZIP archive"}


def load_json(path: Path) -> Any:
    """Return what a JSON file holds; raises SourceError when it cannot be read as one."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror}; a COCO file (JSON) was wanted") from error
    for magic, what in _ARCHIVES.items():
        if data.startswith(magic):
            raise SourceError(f"{path}: this is {what}; unpack it and give the JSON file")
    if not data.strip():
        raise SourceError(f"{path}: the file is empty; a COCO file (JSON) was wanted")
    try:
        return json.loads(data, parse_int=_whole_or_text)
    except RecursionError as error:
        raise SourceError(f"{path}: nested too deeply; a COCO file (JSON) was wanted") from error
    except ValueError as error:
        raise SourceError(f"{path}: no JSON ({error}); a COCO file was wanted") from error


def _whole_or_text(digits: str) -> int | str:
    return int(digits) if len(digits) <= _MOST_DIGITS else digits


def clean(text: str) -> str:
    """Return text without blanks around it and without halves of surrogate pairs."""
    return _SURROGATE.sub("\ufffd", text).strip()


def id_of(value: Any) -> str | None:
    """Return an id in its one spelling: 790, 790.0 and "790" are the same; "0790" is another."""
    if isinstance(value, str):
        return clean(value) or None
    whole = whole_of(value)
    return None if whole is None else str(whole)


def id_order(key: str) -> tuple[int, int, str]:
    """Return what ids are sorted by: numbers by size, then texts."""
    if key.isascii() and key.isdigit() and len(key) <= _MOST_DIGITS:
        return 0, int(key), key
    return 1, 0, key


def number_of(value: Any) -> float | None:
    """Return a finite number; true and false are none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None


def whole_of(value: Any) -> int | None:
    """Return a whole number, also one that is spelled 640.0."""
    number = number_of(value)
    return int(value) if number is not None and number.is_integer() else None


def numbers_of(value: Any) -> tuple[float, ...] | None:
    """Return a list of finite numbers, None where one of them is none."""
    if not isinstance(value, list):
        return None
    numbers = tuple(number_of(one) for one in value)
    return None if None in numbers else numbers  # type: ignore[return-value]


def text_of(value: Any) -> str | None:
    """Return a clean text, None for a blank one; a number is its digits, true is ``true``."""
    if isinstance(value, str):
        return clean(value) or None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float) and math.isfinite(value):
        return str(value)
    return None


def flag_of(value: Any) -> bool | None:
    """Return what 0, 1, true and false say, also as text; None for anything else."""
    if isinstance(value, str):
        return {"0": False, "1": True, "false": False, "true": True}.get(value.strip().lower())
    number = float(value) if isinstance(value, bool) else number_of(value)
    return None if number is None else number != 0


def link_of(value: Any) -> str | None:
    """Return a link of the web."""
    text = clean(value) if isinstance(value, str) else ""
    return text if text.lower().startswith(("http://", "https://")) else None


def records_of(value: Any) -> list[Any]:
    """Return a list, an empty one for anything else."""
    return value if isinstance(value, list) else []


def shown(ids: list[str], most: int = 10) -> str:
    """Return a list of ids for a message: the first ones, and how many more there are."""
    ordered = sorted(set(ids), key=id_order)
    more = f" and {len(ordered) - most} more" if len(ordered) > most else ""
    return (
        ", ".join(f"{one[:40]!r}" if not one.isalnum() else one[:40] for one in ordered[:most])
        + more
    )
