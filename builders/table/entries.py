"""Rows of tables as entries of the catalog, whatever the order of the rows."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchwright.identity import image_id_of
from benchwright.records import Item, Reject
from builders.attribute_types import attribute_type
from builders.links import Link
from builders.local import Reference
from builders.outcomes import Entry
from builders.table.cells import CellReader
from builders.table.mapping import TableMapping
from builders.table.reading import Table
from builders.table.row import Cell, Row

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    """A row with an id, and its cells by column."""

    entry: Entry[Link | Reference]
    table: Table
    row: Row

    @property
    def cells(self) -> dict[str, Cell]:
        return dict(zip(self.table.columns, self.row.cells, strict=True))

    @property
    def worth(self) -> tuple[int, str, str, int]:
        """Least for the row to keep: the fullest, then by its content; its place comes last."""
        text = json.dumps(self.cells, sort_keys=True, ensure_ascii=False)
        return -len(self.entry.item.attributes), text, self.table.path.name, self.row.line


def entries_of(
    tables: Sequence[Table], folders: Sequence[Path], mapping: TableMapping
) -> tuple[list[Entry[Link | Reference]], list[Reject]]:
    """Return an entry for each id and a reject for each other row.

    ``folders`` are where the pictures of each table lie. Of several rows with one id the one with
    the most attributes is kept, the same whatever the order of the rows. Of a cell that lists
    several pictures the first is taken.
    """
    rejects = [reject for table in tables for reject in table.rejects]
    by_id: dict[str, list[_Candidate]] = {}
    for table, folder in zip(tables, folders, strict=True):
        reader = _RowReader(table, folder, mapping)
        for row in table.rows:
            read = reader.read(row)
            if isinstance(read, Reject):
                rejects.append(read)
            else:
                by_id.setdefault(read.entry.item.source_id, []).append(read)
    entries: list[Entry[Link | Reference]] = []
    for candidates in by_id.values():
        kept, *others = candidates
        if others:
            kept, *others = sorted(candidates, key=lambda candidate: candidate.worth)
        entries.append(kept.entry)
        rejects += [_duplicate(other, kept) for other in others]
    return entries, rejects


@dataclass(slots=True)
class _RowReader:
    """Reads the rows of one table by a mapping."""

    table: Table
    folder: Path
    mapping: TableMapping
    cells: CellReader = field(init=False)
    types: dict[str, str] = field(init=False)
    places: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        mapping = self.mapping
        self.cells = CellReader(
            missing=frozenset(mapping.missing), separator=mapping.value_separator
        )
        self.types = {column: attribute_type(column) for column in mapping.attributes}
        self.places = {column: place for place, column in enumerate(self.table.columns)}

    def read(self, row: Row) -> _Candidate | Reject:
        mapping = self.mapping
        image = self._reference(row)
        source_id = self._text(row, mapping.id or mapping.image)
        if source_id is None and mapping.id is not None:
            return self._reject(row, source_id, "no_id", f"the column {mapping.id!r} is empty")
        if source_id is None or (image is None and mapping.image is not None):
            return self._reject(
                row, source_id, "no_image", f"the column {mapping.image!r} is empty"
            )
        entry: Entry[Link | Reference] = Entry(
            item=self._item(row, source_id, image),
            picture=self._picture(image),
            row=row.line,
            path=self.table.path.name,
            where=_where(self.table, row),
        )
        return _Candidate(entry=entry, table=self.table, row=row)

    def _cell(self, row: Row, column: str | None) -> Cell:
        return None if column is None else row.cells[self.places[column]]

    def _text(self, row: Row, column: str | None) -> str | None:
        return None if column is None else self.cells.text(self._cell(row, column))

    def _reference(self, row: Row) -> str | None:
        return self.cells.reference(self._cell(row, self.mapping.image))

    def _picture(self, image: str | None) -> Link | Reference | None:
        if image is None:
            return None
        return (
            Link(url=image) if _SCHEME.match(image) else Reference(folder=self.folder, name=image)
        )

    def _item(self, row: Row, source_id: str, image: str | None) -> Item:
        mapping = self.mapping
        link = image if image is not None and _SCHEME.match(image) else None
        return Item(
            image_id=image_id_of(mapping.source, source_id),
            image=None,
            sha256=None,
            width=None,
            height=None,
            source=mapping.source,
            source_id=source_id,
            split=self._text(row, mapping.split),
            group_id=self._text(row, mapping.group),
            title=self._text(row, mapping.title),
            category=None,
            url=self._text(row, mapping.url) or link,
            licence=self._text(row, mapping.licence),
            author=self._text(row, mapping.author),
            attributes=tuple(
                attribute
                for column, kind in self.types.items()
                for attribute in self.cells.attributes(column, kind, self._cell(row, column))
            ),
            objects=(),
            captions=(),
            dialogues=(),
        )

    def _reject(self, row: Row, source_id: str | None, reason: str, message: str) -> Reject:
        return Reject(
            source=self.mapping.source,
            source_id=source_id,
            row=row.line,
            path=self.table.path.name,
            reason=reason,
            message=f"{_where(self.table, row)}: {message}",
        )


def _duplicate(other: _Candidate, kept: _Candidate) -> Reject:
    mine, theirs = other.cells, kept.cells
    differing = [name for name in {**mine, **theirs} if mine.get(name) != theirs.get(name)]
    here, there = _where(other.table, other.row), _where(kept.table, kept.row)
    name = other.entry.item.source_id
    message = f"{here}: the same as {there}"
    if differing:
        columns = ", ".join(differing)
        message = f"{here}: {name!r} is also in {there}, which is kept; they differ in {columns}"
    return Reject(
        source=other.entry.item.source,
        source_id=name,
        row=other.row.line,
        path=other.table.path.name,
        reason="duplicate_id" if differing else "duplicate_row",
        message=message,
    )


def _where(table: Table, row: Row) -> str:
    noun = "row" if table.format == "parquet" else "line"
    return f"{table.path.name}, {noun} {row.line}"
