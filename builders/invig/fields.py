"""Values of a row, whatever stands there, as what a dialogue needs; else Unfit."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from builders.invig.draft import Corners, Unfit

_BINS = 999  # <bin_k> is the share k / 999
_LARGEST_RELATIVE = 1.5  # no box of pixels is so small; a share a little over 1 is a rounding
_LARGEST_SIDE = 2**31 - 1
_BIN = re.compile(r"<bin_(\d{1,4})>")
_MOST_SHOWN = 60


def shown(value: Any) -> str:
    """Return a value as a message shows it: short, on one line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


def canonical_id(value: Any, what: str) -> str | None:
    """Return an id as text: 17, "17" and 17.0 are one id. None for an empty one.

    Raises Unfit for anything but text and numbers.
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if value is None or isinstance(value, str):
        return (value or "").strip() or None
    raise Unfit("bad_id", f"{what} {shown(value)} is neither text nor a whole number")


def readable_id(row: Mapping[str, Any]) -> str | None:
    """Return the id of a row, None for none and for what is no id."""
    try:
        return canonical_id(row.get("id"), "the id")
    except Unfit:
        return None


def decoded(value: Any, what: str) -> Any:
    """Return a value, or what the JSON says where it is a string of JSON."""
    if not isinstance(value, str):
        return value
    try:
        found = json.loads(value)
        json.dumps(found, ensure_ascii=False).encode()  # half a surrogate pair is no text
    except (ValueError, RecursionError) as error:
        raise Unfit("bad_json", f"{what} is a string that is no JSON ({error})") from error
    return found


def dicts(value: Any, what: str) -> list[Mapping[str, Any]]:
    """Return a list of dicts, which may also be written as a dict of lists, or as JSON of either.

    Raises Unfit: ``uneven_lists`` where the lists of a dict differ in length.
    """
    value = decoded(value, what)
    if isinstance(value, Mapping):
        lists = {name: entries for name, entries in value.items() if entries is not None}
        if not all(isinstance(entries, list) for entries in lists.values()):
            raise Unfit("bad_list", f"{what} is a dict, but not one of lists")
        lengths = sorted({len(entries) for entries in lists.values()})
        if len(lengths) > 1:
            raise Unfit("uneven_lists", f"{what} is a dict of lists of {lengths} entries")
        count = lengths[0] if lengths else 0
        return [{name: lists[name][at] for name in lists} for at in range(count)]
    if not isinstance(value, list):
        raise Unfit("bad_list", f"{what} is {shown(value)} where a list was wanted")
    if not all(isinstance(entry, Mapping) for entry in value):
        raise Unfit("bad_list", f"{what} is a list of other things than dicts")
    return value


def corners(value: Any, what: str) -> Corners:
    """Return four finite numbers x0 < x1, y0 < y1; raises Unfit (``bad_box``)."""
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]
    if not isinstance(value, list) or len(value) != 4:
        raise Unfit("bad_box", f"{what} is {shown(value)} where four numbers were wanted")
    x0, y0, x1, y1 = (_number(one, value, what) for one in value)
    if x0 >= x1 or y0 >= y1:
        raise Unfit("bad_box", f"{what} {shown(value)} is not x0, y0, x1, y1 with any area")
    return x0, y0, x1, y1


def target_in(row: Mapping[str, Any]) -> Corners:
    """Return the box of the target; raises Unfit, ``no_target`` where there is none."""
    if not row.get("bbox"):
        raise Unfit("no_target", "bbox is absent or empty")
    return corners(row["bbox"], "bbox")


def _number(value: Any, whole: Any, what: str) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isfinite(number):
            return number
    raise Unfit("bad_box", f"{what} {shown(whole)} has something else than finite numbers")


def candidates(values: Any, what: str) -> tuple[tuple[Corners, ...], list[tuple[str, str]]]:
    """Return the boxes of a list, and a change for each that is none."""
    if values is None:
        return (), []
    if not isinstance(values, list):
        raise Unfit("bad_list", f"{what} is {shown(values)} where a list was wanted")
    found: list[Corners] = []
    changes: list[tuple[str, str]] = []
    for at, value in enumerate(values):
        try:
            found.append(corners(value, f"{what}[{at}]"))
        except Unfit as error:
            changes.append(("candidate_dropped", str(error)))
    return tuple(found), changes


def described(
    entries: Sequence[Mapping[str, Any]], what: str
) -> tuple[tuple[Corners, ...], tuple[str | None, ...], list[tuple[str, str]]]:
    """Return the boxes of objects, their categories, and a change for each without a box.

    The category is the text of ``category``, else of ``label``; without any there are none.
    """
    found: list[Corners] = []
    categories: list[str | None] = []
    changes: list[tuple[str, str]] = []
    for at, entry in enumerate(entries):
        try:
            found.append(corners(entry.get("bbox"), f"{what}[{at}]"))
        except Unfit as error:
            changes.append(("candidate_dropped", str(error)))
            continue
        categories.append(category_in(entry))
    return tuple(found), tuple(categories) if any(categories) else (), changes


def category_in(entry: Mapping[str, Any]) -> str | None:
    """Return the category that an object names in words, null where it has none."""
    said = (entry.get(field) for field in ("category", "label"))
    return next(
        (" ".join(one.split()) for one in said if isinstance(one, str) and one.strip()), None
    )


def is_relative(box: Sequence[float]) -> bool:
    """Tell shares of the picture from pixels, where a layout may have either."""
    return max(map(abs, box)) <= _LARGEST_RELATIVE


def from_bins(text: str, what: str) -> Corners:
    """Return the shares (0 to 1) of four tokens <bin_k>; raises Unfit (``bad_box``)."""
    found = _BIN.findall(text)
    if len(found) != 4:
        raise Unfit("bad_box", f"{what} {shown(text)} has {len(found)} location tokens, not four")
    return relative_bins([int(token) for token in found], what)


def relative_bins(values: Any, what: str) -> Corners:
    """Return the shares (0 to 1) of four bins of 0 to 999; raises Unfit (``bad_box``)."""
    x0, y0, x1, y1 = corners(values, what)
    if min(x0, y0) < 0 or max(x1, y1) > _BINS:
        raise Unfit("bad_box", f"{what} {shown(values)} has a bin that is not 0 to {_BINS}")
    return x0 / _BINS, y0 / _BINS, x1 / _BINS, y1 / _BINS


def without_bins(text: str) -> str:
    """Return a text without its location tokens."""
    return _BIN.sub("", text)


def size_of(row: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return the width and height that a row states, None where it states no usable ones."""
    width, height = _side(row.get("width")), _side(row.get("height"))
    return None if width is None or height is None else (width, height)


def _side(value: Any) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and 0 < value <= _LARGEST_SIDE else None


def indices(value: Any, what: str) -> list[int]:
    """Return whole numbers, of which there may be none; one alone may stand without a list."""
    value = decoded(value, what)
    listed = [] if value is None else value if isinstance(value, list) else [value]
    whole = [int(one) if isinstance(one, float) and one.is_integer() else one for one in listed]
    if not all(isinstance(one, int) and not isinstance(one, bool) for one in whole):
        raise Unfit("bad_target", f"{what} {shown(value)} is no list of whole numbers")
    return whole


def pick(boxes: Sequence[Any], chosen: Sequence[int], names: tuple[str, str]) -> Any:
    """Return the entry that the first index means; raises Unfit (``target_out_of_range``).

    A negative index counts from the end in Python, and means nothing here.
    """
    of, among = names
    if not 0 <= chosen[0] < len(boxes):
        raise Unfit(
            "target_out_of_range",
            f"{of} {chosen[0]} where {among} has {len(boxes)} entries, counted from 0",
        )
    return boxes[chosen[0]]
