"""ATTRIBUTION.csv: who made each picture, under which licence, and where it is from.

Title, author, source and licence are what Creative Commons asks to be named
(https://wiki.creativecommons.org/wiki/Recommended_practices_for_attribution).
"""

import csv
import io
from collections.abc import Iterable

from benchwright import files
from benchwright.records import Item
from benchwright.spreadsheet_cells import readable
from exports.building.making import Making
from exports.provenance.licences import licence_of

FILE = "ATTRIBUTION.csv"
COLUMNS = (
    "image_id",
    "title",
    "author",
    "source",
    "source_id",
    "link",
    "licence",
    "licence_as_stated",
    "licence_link",
)


def write_attribution(making: Making) -> None:
    """Write a row for each picture of the release, by image id (RFC 4180, UTF-8).

    Cells hold text of strangers: one that a spreadsheet would run as a formula has ' in front.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)  # RFC 4180 is its default
    writer.writerow(COLUMNS)
    for item in sorted(making.gathered.items, key=lambda one: one.image_id):
        writer.writerow([readable(cell) for cell in _cells(item)])
    files.write_bytes(making.folder / FILE, text.getvalue().encode())


def nameless(items: Iterable[Item]) -> list[Item]:
    """Return the pictures whose licence wants the author named, of whom the source says nothing.

    Such are those of Creative Commons with BY; what other licences want is not known here.
    """
    return [
        item
        for item in items
        if not item.author
        and (licence := licence_of(item.licence)) is not None
        and licence.name.startswith("CC-BY")
    ]


def _cells(item: Item) -> tuple[str, ...]:
    licence = licence_of(item.licence)
    return (
        item.image_id,
        item.title or "",
        item.author or "",
        item.source,
        item.source_id,
        item.url or "",
        "" if licence is None else str(licence),
        item.licence or "",
        ("" if licence is None else licence.page) or "",
    )
