"""All that the files say of the chosen pictures, by picture, and an account of each file."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchwright.records import Reject
from builders.open_images.accounts import Account, BadRow, reject_unreadable
from builders.open_images.choosing import Choice
from builders.open_images.headers import Kind
from builders.open_images.listing import Listing, listing_of
from builders.open_images.reading import Sheet, Unreadable, read_lines
from builders.open_images.rows import (
    AnnotationRow,
    BoxRow,
    LabelRow,
    MaskRow,
    RelationRow,
    annotation_of,
)

_BY_PICTURE: tuple[Kind, ...] = ("images", "boxes", "labels", "relations", "masks")
_BITS = 24


@dataclass(slots=True)
class Notes:
    """What is said of one picture."""

    listings: list[Listing] = field(default_factory=list)
    boxes: list[BoxRow] = field(default_factory=list)
    labels: list[LabelRow] = field(default_factory=list)
    relations: list[RelationRow] = field(default_factory=list)
    masks: list[MaskRow] = field(default_factory=list)

    def add(self, row: Listing | AnnotationRow) -> None:
        """Put a row where it belongs."""
        match row:
            case Listing():
                self.listings.append(row)
            case BoxRow():
                self.boxes.append(row)
            case LabelRow():
                self.labels.append(row)
            case RelationRow():
                self.relations.append(row)
            case MaskRow():
                self.masks.append(row)


@dataclass(slots=True)
class Collected:
    """The notes of the chosen pictures; ``left_out`` counts the records of others, by id.

    There may be millions of others, so one number holds the counts of all kinds, each in 24 bits.
    """

    notes: dict[str, Notes] = field(default_factory=lambda: defaultdict(Notes))
    accounts: dict[str, tuple[Sheet, Account]] = field(default_factory=dict)
    rejects: list[Reject] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)


def collect(
    sheets: Sequence[Sheet],
    choice: Choice,
    source: str,
    watch: Callable[[str, Iterable[Any]], Iterable[Any]],
) -> Collected:
    """Read the image lists and the annotations of the chosen pictures.

    ``watch`` wraps the records of the file that it is given the name of, to show progress.
    """
    found = Collected()
    for sheet in sheets:
        if sheet.layout.kind in _BY_PICTURE:
            account = Account()
            found.accounts[sheet.name] = (sheet, account)
            _read(sheet, watch(sheet.name, read_lines(sheet)), choice, source, found, account)
    return found


def _read(
    sheet: Sheet,
    records: Iterable[tuple[int, list[str]] | Unreadable],
    choice: Choice,
    source: str,
    found: Collected,
    account: Account,
) -> None:
    place = sheet.layout.columns["imageid"]
    kind = sheet.layout.kind
    one = 1 << _BITS * _BY_PICTURE.index(kind)
    for record in records:
        account.read += 1
        if isinstance(record, Unreadable):
            found.rejects.append(reject_unreadable(sheet, record, source))
            account.refused += 1
            continue
        line, cells = record
        image_id = cells[place].strip()
        if image_id and image_id not in choice.ids:
            account.elsewhere += 1
            if not choice.is_narrowed:
                found.left_out[image_id] = found.left_out.get(image_id, 0) + one
            continue
        try:
            if not image_id:
                raise BadRow("no_id", "the ImageID is empty")
            row = listing_of if kind == "images" else annotation_of
            said = row(sheet, line, cells)
        except BadRow as error:
            bad = Unreadable(line, error.reason, str(error), image_id or None)
            found.rejects.append(reject_unreadable(sheet, bad, source))
            account.refused += 1
            continue
        notes = found.notes[image_id]
        if isinstance(said, Listing) and notes.listings:
            account.repeated += 1
        else:
            account.kept += 1
        notes.add(said)


def lost_pictures(found: Collected, choice: Choice, source: str, where: str) -> list[Reject]:
    """Return one reject for each picture that is left out though it was asked for.

    It is ``missing_file`` for one without a file, ``unlisted_picture`` for one that no image list
    has; the message counts the records that go with it. ``where`` says how files were looked for.
    """
    rejects: list[Reject] = []
    for image_id in sorted(choice.missing | found.left_out.keys()):
        lost = _counts(found.left_out.get(image_id, 0))
        is_missing = image_id in choice.missing
        what = f"no picture file {where}" if is_missing else "no image list has it"
        rejects.append(
            Reject(
                source=source,
                source_id=image_id,
                row=None,
                path=None,
                reason="missing_file" if is_missing else "unlisted_picture",
                message=f"{image_id}: {what}{f'; with it go {lost}' if lost else ''}",
            )
        )
    return rejects


def _counts(packed: int) -> str:
    counts = {
        kind: packed >> _BITS * place & (1 << _BITS) - 1 for place, kind in enumerate(_BY_PICTURE)
    }
    shown = {kind: count for kind, count in counts.items() if count and kind != "images"}
    return ", ".join(f"{count} {kind}" for kind, count in shown.items())
