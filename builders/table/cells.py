"""What a cell says: clean text, no value, or several values."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.records import Attribute
from builders.table.row import Cell


def attribute_type(column: str) -> str:
    """Return the attribute type of a column: ``Pattern_Type`` is ``pattern type``."""
    return " ".join(unicodedata.normalize("NFKC", column).lower().replace("_", " ").split())


@dataclass(frozen=True, slots=True, kw_only=True)
class CellReader:
    """Reads cells; ``missing`` are the words for no value, in lower case (casefold)."""

    missing: frozenset[str]
    separator: str | None

    def values(self, cell: Cell) -> list[tuple[str, str]]:
        """Return the values of a cell, each as it came and cleaned: stripped, NFC, case kept."""
        raw = cell if isinstance(cell, list) else [] if cell is None else [cell]
        if self.separator is not None:
            raw = [part for text in raw for part in text.split(self.separator)]
        cleaned = ((text, unicodedata.normalize("NFC", text.strip())) for text in raw)
        return [pair for pair in cleaned if pair[1].casefold() not in self.missing]

    def text(self, cell: Cell) -> str | None:
        """Return a cell as one clean text, or None for no value; a list is joined by commas."""
        whole = CellReader(missing=self.missing, separator=None).values(cell)
        return ", ".join(value for _, value in whole) or None

    def reference(self, cell: Cell) -> str | None:
        """Return the first entry of a cell just as it came, but for blanks around it."""
        whole = CellReader(missing=self.missing, separator=None).values(cell)
        return whole[0][0].strip() if whole else None

    def attributes(self, column: str, kind: str, cell: Cell) -> Sequence[Attribute]:
        """Return the attributes that a cell states, each value once."""
        found: dict[str, Attribute] = {}
        for raw, value in self.values(cell):
            found.setdefault(value, Attribute(type=kind, value=value, raw=raw, origin=column))
        return list(found.values())
