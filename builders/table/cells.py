"""What a cell says: clean text, no value, or several values."""

import unicodedata
from dataclasses import dataclass, field

from benchwright.records import Attribute
from builders.table.row import Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class CellReader:
    """Reads cells; ``missing`` are the words for no value, in lower case (casefold)."""

    missing: frozenset[str]
    separator: str | None
    _known: dict[tuple[str, str], tuple[Attribute, ...]] = field(default_factory=dict)

    def values(self, cell: Cell) -> list[tuple[str, str]]:
        """Return the values of a cell, each as it came and cleaned: stripped, NFC, case kept."""
        raw = _entries(cell)
        if self.separator is not None:
            raw = [part for text in raw for part in text.split(self.separator)]
        return self._present(raw)

    def text(self, cell: Cell) -> str | None:
        """Return a cell as one clean text, or None for no value; a list is joined by commas."""
        return ", ".join(value for _, value in self._present(_entries(cell))) or None

    def reference(self, cell: Cell) -> str | None:
        """Return the first entry of a cell just as it came, but for blanks around it."""
        present = self._present(_entries(cell))
        return present[0][0].strip() if present else None

    def _present(self, raw: list[str]) -> list[tuple[str, str]]:
        cleaned = ((text, unicodedata.normalize("NFC", text.strip())) for text in raw)
        return [pair for pair in cleaned if pair[1].casefold() not in self.missing]

    def attributes(self, column: str, kind: str, cell: Cell) -> tuple[Attribute, ...]:
        """Return the attributes that a cell states, each value once.

        The same cell again gives the same records: attributes are few, and rows may be millions.
        """
        if not isinstance(cell, str):
            return self._attributes(column, kind, cell)
        known = self._known.get((column, cell))
        if known is None:
            known = self._known[column, cell] = self._attributes(column, kind, cell)
        return known

    def _attributes(self, column: str, kind: str, cell: Cell) -> tuple[Attribute, ...]:
        found: dict[str, Attribute] = {}
        for raw, value in self.values(cell):
            found.setdefault(value, Attribute(type=kind, value=value, raw=raw, origin=column))
        return tuple(found.values())


def _entries(cell: Cell) -> list[str]:
    return cell if isinstance(cell, list) else [] if cell is None else [cell]
