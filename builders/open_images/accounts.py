"""The account of each file: what became of every record that was read."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchwright.records import Reject, RejectKind
from builders.open_images.headers import Kind
from builders.open_images.reading import Sheet, Unreadable

_BECOMES: Mapping[Kind, RejectKind] = {"images": "picture", "boxes": "object", "masks": "object"}


@dataclass(slots=True, kw_only=True)
class Account:
    """Records of one file: ``read`` is the sum of all others.

    ``elsewhere`` are those of pictures that are not in this catalog: not listed, without a file,
    or not asked for.
    """

    read: int = 0
    kept: int = 0
    repeated: int = 0
    refused: int = 0
    elsewhere: int = 0

    def line(self, sheet: Sheet) -> str:
        """Return one line for the user."""
        parts = {
            "kept": self.kept,
            "repeated": self.repeated,
            "of pictures left out": self.elsewhere,
            "refused": self.refused,
        }
        shown = " + ".join(f"{count} {what}" for what, count in parts.items() if count)
        how = [sheet.layout.kind, f"{sheet.layout.width} columns"]
        how += [] if sheet.layout.has_header else ["no header"]
        how += [sheet.encoding] if sheet.encoding not in ("utf-8", "utf-8-sig") else []
        how += [f"divided by {sheet.delimiter!r}"] if sheet.delimiter != "," else []
        noun = "row" if self.read == 1 else "rows"
        rows = f"{self.read} {noun} = {shown}" if shown else "no rows"
        return f"read {sheet.name}: {', '.join(how)}; {rows}"


def reject_kind(kind: Kind) -> RejectKind:
    """Return what a record of a file of this kind would have become."""
    return _BECOMES.get(kind, "attribute")


def reject_unreadable(sheet: Sheet, record: Unreadable, source: str) -> Reject:
    """Return the reject of a record that cannot be read."""
    return Reject(
        source=source,
        kind=reject_kind(sheet.layout.kind),
        source_id=record.image_id,
        row=record.line,
        path=sheet.name,
        reason=record.reason,
        message=f"{sheet.name}, line {record.line}: {record.message}",
    )


class BadRow(ValueError):
    """A record that can be read and says nothing that can be used; ``reason`` is a short code."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
