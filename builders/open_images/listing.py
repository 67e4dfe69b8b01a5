"""Image lists: where a picture comes from, whose it is, and how it is to be turned."""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace

from benchwright.records import Change
from builders.open_images.accounts import BadRow
from builders.open_images.numbers import rotation
from builders.open_images.reading import Sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What image lists say of a picture; null where they say nothing.

    ``rotation`` is in degrees counterclockwise. ``path`` and ``row`` say where it is listed.
    """

    image_id: str
    split: str | None = None
    original_url: str | None = None
    landing_url: str | None = None
    licence: str | None = None
    author: str | None = None
    author_url: str | None = None
    title: str | None = None
    md5: str | None = None
    rotation: int | None = None
    path: str | None = None
    row: int | None = None
    oddities: tuple[str, ...] = field(default=())


_COLUMNS = {
    "split": "subset",
    "original_url": "originalurl",
    "landing_url": "originallandingurl",
    "licence": "license",
    "author": "author",
    "author_url": "authorprofileurl",
    "title": "title",
    "md5": "originalmd5",
}
_PLACES = ("image_id", "path", "row", "oddities")


def listing_of(sheet: Sheet, line: int, cells: list[str]) -> Listing:
    """Return what one record of an image list says."""
    columns = sheet.layout.columns
    texts = {
        name: cells[columns[column]].strip() or None
        for name, column in _COLUMNS.items()
        if column in columns
    }
    oddities: tuple[str, ...] = ()
    degrees: int | None = None
    if "rotation" in columns:
        try:
            degrees = rotation(cells[columns["rotation"]])
        except ValueError as error:
            oddities = (f"{error}; taken as unknown",)
    image_id = cells[columns["imageid"]].strip()
    if not image_id:
        raise BadRow("no_id", "the ImageID is empty")
    return Listing(
        image_id=image_id,
        rotation=degrees,
        path=sheet.name,
        row=line,
        oddities=oddities,
        **texts,
    )


def merged(listings: Iterable[Listing], source: str) -> tuple[Listing, list[Change]]:
    """Return all that several lists say of one picture, and what they contradict each other in.

    What one list leaves open another may say (V3 knows no Rotation). Of two different values the
    last in the order of characters is kept, whatever the order of the files.
    """
    ordered = sorted(listings, key=lambda one: (one.path or "", one.row or 0))
    whole = ordered[0]
    changes: list[Change] = []
    for name in (one.name for one in fields(Listing) if one.name not in _PLACES):
        values = sorted(
            {getattr(one, name) for one in ordered if getattr(one, name) is not None}, key=str
        )
        if not values:
            continue
        whole = replace(whole, **{name: values[-1]})
        if len(values) > 1:
            shown = ", ".join(repr(value) for value in values)
            changes.append(_change(whole, source, "conflicting_lists", f"{name}: {shown}"))
    odd = sorted({text for one in ordered for text in one.oddities})
    changes += [_change(whole, source, "bad_rotation", text) for text in odd]
    return whole, changes


def _change(listing: Listing, source: str, reason: str, message: str) -> Change:
    return Change(
        source=source, kind="picture", source_id=listing.image_id, reason=reason, message=message
    )
