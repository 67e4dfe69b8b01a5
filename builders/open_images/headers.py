"""What a CSV file of Open Images is, told by its header and never by its name.

Names of files and columns changed with each version (V3 has 8 columns of boxes, V6 has 21), so a
kind is the columns that it cannot do without; all others are optional.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "images", "boxes", "labels", "relations", "masks", "classes", "relation names", "unused"
]

_CODE = re.compile(r"/[a-z]+/[^\s/]+")
_ALIASES = {"relationlabel": "relationshiplabel"}
_NEEDED: Mapping[Kind, tuple[str, ...]] = {
    "relations": (
        *("imageid", "labelname1", "labelname2", "relationshiplabel"),
        *("xmin1", "xmax1", "ymin1", "ymax1", "xmin2", "xmax2", "ymin2", "ymax2"),
    ),
    "masks": (
        *("maskpath", "imageid", "labelname"),
        *("boxxmin", "boxxmax", "boxymin", "boxymax"),
    ),
    "boxes": ("imageid", "labelname", "xmin", "xmax", "ymin", "ymax"),
    "labels": ("imageid", "labelname", "confidence"),
}
_OF_IMAGE_LISTS = ("subset", "originalurl", "originalmd5", "rotation")
_CLASS_HEADERS = (("labelname", "displayname"), ("id", "name"), ("label", "name"))
_UNUSED = {
    ("image_id", "image_w", "image_h"): "sizes of pictures, which are read off the pictures",
    ("labelname1", "labelname2", "relationshiplabel"): "which relationships there can be",
    ("imageid", "x", "y", "label"): "point labels, which a catalog has no place for",
}
_RELATIONS = frozenset(
    re.split(
        r"\s+",
        "at catch contain cut dance drink eat handshake hang highfive hits holding_hands holds hug "
        "inside_of interacts_with is kick kiss on plays read ride skateboard ski snowboard surf "
        "talk_on_phone throw under wears",
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How a file is laid out: its kind, and the place of each column by its lower-case name.

    ``why`` says of a file that is recognised and not used what it holds.
    """

    kind: Kind
    columns: Mapping[str, int]
    width: int
    has_header: bool = True
    why: str | None = None


def is_code(text: str) -> bool:
    """Tell whether a text is the code of a class, such as ``/m/01g317``."""
    return _CODE.fullmatch(text) is not None


def recognise(records: Sequence[Sequence[str]]) -> Layout | None:
    """Return the layout of a file with these first records, None where no kind has it.

    A class list may lack its header: then its first column holds nothing but codes. So may the
    list of relationships, whose first column holds nothing but their known names.
    """
    if not records:
        return None
    header = [_canonical(name) for name in records[0]]
    columns: dict[str, int] = {}
    for place, name in enumerate(header):
        columns.setdefault(name, place)
    width = len(header)
    for needed, why in _UNUSED.items():
        if columns.keys() >= set(needed) and ("imageid" in needed or "imageid" not in columns):
            return Layout(kind="unused", columns=columns, width=width, why=why)
    for kind, needed in _NEEDED.items():
        if columns.keys() >= set(needed):
            return Layout(kind=kind, columns=columns, width=width)
    if "imageid" in columns and any(name in columns for name in _OF_IMAGE_LISTS):
        return Layout(kind="images", columns=columns, width=width)
    return _names(records, tuple(header)) if width == 2 else None


def _names(records: Sequence[Sequence[str]], header: tuple[str, ...]) -> Layout | None:
    """Return the layout of a list of two columns: codes, or relationships, and their names."""
    columns = {"code": 0, "name": 1}
    firsts = [record[0].strip() for record in records if record]
    if header == _CLASS_HEADERS[0]:
        return Layout(kind="classes", columns=columns, width=2)
    if header in _CLASS_HEADERS and _mostly(firsts[1:], is_code):
        return Layout(kind="classes", columns=columns, width=2)
    if _mostly(firsts, is_code):
        return Layout(kind="classes", columns=columns, width=2, has_header=False)
    if _mostly(firsts, _RELATIONS.__contains__):
        return Layout(kind="relation names", columns=columns, width=2, has_header=False)
    return None


def _mostly(texts: Sequence[str], fits: Callable[[str], bool]) -> bool:
    """Tell whether nine of ten texts fit: one broken line must not hide a whole list."""
    return bool(texts) and sum(map(fits, texts)) >= 0.9 * len(texts)


def _canonical(name: str) -> str:
    plain = name.strip().lower()
    return _ALIASES.get(plain, plain)
