"""A mapping proposed from the names and the contents of a table's columns.

It is used where it is unambiguous; where it is not, the error lists the candidates and the option
that decides. Every choice and every column left out comes with its reason.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.errors import UsageError
from builders.table.columns import Column, describe, name_words
from builders.table.mapping import DEFAULT_MISSING, MappingOptions, TableMapping, missing_words
from builders.table.row import Cell

_FEW = 20  # under so many filled cells, shares say little
_ID_RANKS = (
    re.compile(r"id|identifier|uid|uuid"),
    re.compile(r"(image|picture|photo|item|product|article|asset)id"),
    re.compile(r".*id|sku|asin|key|.*code|articleno|.*number"),
)
_GROUP = re.compile(
    r"(product|parent|item)?group(id)?|productid|productcode|parent(id)?|parentsku|handle"
    r"|styleid|stylecode|model(id)?|cluster(id)?"
)
_ROLE_NAMES = {
    "title": re.compile(r"title|name|productname|productdisplayname|producttitle|itemname"),
    "licence": re.compile(r"licen[cs]e|rights|copyright"),
    "author": re.compile(r"author|creator|photographer|artist|credit"),
    "split": re.compile(r"split|subset|partition|fold"),
    "url": re.compile(r"url|link|pageurl|producturl|originalurl|sourceurl|landingurl"),
}
_IMAGE_NAME = re.compile(r".*(image|img|picture|photo|pic|thumbnail).*|file|filename|filepath|path")
_NOT_VISUAL = frozenset(
    re.findall(
        r"\w+",
        """
        price prices cost size sizes brand brands rating ratings review reviews stock
        quantity qty sales sold recommendation discount currency sku barcode ean gtin
        upc mpn weight date created updated published vendor seller supplier
        manufacturer country availability shipping tax score rank popularity margin
        revenue email address phone gender age status tags description
        """,
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A mapping, why each role went to its column, and why each other column was left out."""

    mapping: TableMapping
    chosen: tuple[tuple[str, str, str], ...]  # role, column, why
    left_out: tuple[tuple[str, str], ...]  # column, why


def propose(cells: Mapping[str, Sequence[Cell]], options: MappingOptions, where: str) -> Proposal:
    """Propose a mapping for what the options leave open.

    ``cells`` are those of each column, ``where`` names the file or files in messages.

    Raises UsageError when no column, or more than one, can be the id or the picture, or when
    neither a picture nor an attribute is found.
    """
    given = DEFAULT_MISSING if options.missing is None else options.missing
    missing = frozenset(missing_words(given))
    described = [describe(name, column, missing) for name, column in cells.items()]
    chosen: list[tuple[str, str, str]] = []
    roles: dict[str, Any] = {}
    taken = {getattr(options, role) for role in (*_ROLE_NAMES, "id", "image", "group")}
    taken |= set(options.attributes or ())

    def choose(role: str, found: tuple[Column, str] | None) -> None:
        if found is not None:
            roles[role] = found[0].name
            taken.add(found[0].name)
            chosen.append((role, found[0].name, found[1]))

    def free() -> list[Column]:
        return [column for column in described if column.name not in taken]

    if options.image is None:
        choose("image", _find_image(free(), where))
    has_image = bool(options.image or roles.get("image"))
    if options.id is None:
        choose("id", _find_id(free(), described, where, has_image=has_image))
    if options.group is None:
        choose("group", _find_group(free()))
    for role in _ROLE_NAMES:
        if getattr(options, role) is None:
            choose(role, _find_named(role, free()))
    attributes, left_out = _find_attributes(free(), options)
    if not attributes and not options.attributes and not has_image:
        raise UsageError(
            f"{where}: no column looks like a picture or a visual attribute; give --attributes "
            f"COL,COL or --image COL (its columns: {', '.join(cells)})"
        )
    return Proposal(
        mapping=TableMapping(**roles, attributes=attributes),
        chosen=(*chosen, *(("attribute", name, "few values, text") for name in attributes)),
        left_out=left_out,
    )


def _find_image(columns: Sequence[Column], where: str) -> tuple[Column, str] | None:
    found = [
        column
        for column in columns
        if column.picture_names >= 0.8
        or (column.links >= 0.8 and _IMAGE_NAME.fullmatch(column.key) is not None)
    ]
    if len(found) > 1:
        exact = [column for column in found if column.key in {"image", "imageurl", "imagepath"}]
        found = exact if len(exact) == 1 else found
    if len(found) > 1:
        raise UsageError(
            f"{where}: more than one column could hold the picture ({_names(found)}); "
            "give --image COL, or --image '' for none"
        )
    return (found[0], "its cells name pictures") if found else None


def _find_id(
    columns: Sequence[Column], described: Sequence[Column], where: str, *, has_image: bool
) -> tuple[Column, str] | None:
    for rank, pattern in enumerate(_ID_RANKS):
        found = [
            column
            for column in columns
            if pattern.fullmatch(column.key) and (rank == 0 or _nearly_unique(column))
        ]
        if len(found) == 1:
            column = found[0]
            return column, f"its name, and {column.distinct} different of {column.filled} cells"
        if found:
            raise UsageError(
                f"{where}: more than one column could be the id ({_names(found)}); give --id COL"
            )
    if has_image:
        return None  # the picture's reference is the id then
    candidates = [column for column in described if _nearly_unique(column) and column.words <= 1]
    hint = f"candidates: {_names(candidates)}" if candidates else "none is nearly unique"
    raise UsageError(f"{where}: no column is surely the id; give --id COL ({hint})")


def _nearly_unique(column: Column) -> bool:
    least = 0.9 if column.filled >= _FEW else 0.5
    return column.filled > 0 and column.distinct >= least * column.filled


def _find_group(columns: Sequence[Column]) -> tuple[Column, str] | None:
    found = [column for column in columns if _GROUP.fullmatch(column.key) and column.filled]
    return (found[0], "its name") if len(found) == 1 else None


def _find_named(role: str, columns: Sequence[Column]) -> tuple[Column, str] | None:
    found = [column for column in columns if _ROLE_NAMES[role].fullmatch(column.key)]
    return (found[0], "its name") if len(found) == 1 and found[0].filled else None


def _find_attributes(
    columns: Sequence[Column], options: MappingOptions
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    if options.attributes is not None:
        return (), tuple((column.name, "not among --attributes") for column in columns)
    reasons = {column.name: _why_not(column) for column in columns}
    return (
        tuple(name for name, reason in reasons.items() if reason is None),
        tuple((name, reason) for name, reason in reasons.items() if reason is not None),
    )


def _why_not(column: Column) -> str | None:
    """Return why a column is no visual attribute, or None when it is one."""
    words = [word for word in name_words(column.name) if word in _NOT_VISUAL]
    many = column.filled >= _FEW
    reasons = (
        (column.filled == 0, "every cell is empty"),
        (bool(words), f"{words[0] if words else ''} cannot be seen in a picture"),
        (column.numbers >= 0.9, "numbers"),
        (column.dates >= 0.9, "dates"),
        (max(column.links, column.picture_names) >= 0.5, "links or file names"),
        (column.words > 4 or column.length > 40, "free text"),
        (many and column.distinct > 0.5 * column.filled, "text that is nearly unique"),
        (many and column.distinct == 1, "the same in every row"),
    )
    return next((reason for holds, reason in reasons if holds), None)


def _names(columns: Sequence[Column]) -> str:
    return ", ".join(column.name for column in columns)
