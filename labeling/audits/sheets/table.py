"""The CSV of a sheet: written for every spreadsheet, read as any of them may have saved it."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright import files
from benchwright.errors import SourceError
from benchwright.plain_text import excerpt
from benchwright.spreadsheet_cells import bare
from builders.dialect import (
    BINARY_KINDS,
    declared_delimiter,
    find_delimiter,
    find_encoding,
    parse,
    read_head,
)
from labeling.audits.sheets.cells import ASKED, FILLED

_COLUMNS = (*ASKED, *FILLED)
_PAGE = re.compile(rb"(\xef\xbb\xbf)?\s*<(!doctype\s+html|html)\b", re.IGNORECASE)
_WANTED = (("key", "task_id"), ("verdict",))  # one of each


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A row of a sheet; ``number`` is what a spreadsheet calls it.

    ``cells`` are its texts under the names of the columns that are ours, empty where the sheet has
    no such column. ``problem`` says why it cannot be read; null where it can.
    """

    number: int
    cells: Mapping[str, str]
    problem: str | None = None


def write_table(path: Path, rows: Iterable[Sequence[str]]) -> None:
    """Write rows of cells, which are safe, under the columns of a sheet.

    UTF-8 with a mark, by which Excel knows it, and CRLF.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    with files.atomic(path) as stream:
        stream.write(b"\xef\xbb\xbf")
        for row in (_COLUMNS, *rows):
            writer.writerow(row)
            stream.write(text.getvalue().encode("utf-8", "replace"))
            text.seek(0)
            text.truncate()


def read_table(path: Path) -> Iterator[Line]:
    """Yield the rows of a sheet that are not blank.

    Columns may stand in any order, among others, under names in any case. Raises SourceError for
    a file that is no such table.
    """
    head = read_head(path)
    if _PAGE.match(head):
        raise SourceError(f"{path}: is the page; {_wanted_beside(path)}")
    for mark, what in BINARY_KINDS.items():
        if head.startswith(mark):
            raise SourceError(f"{path}: wanted a CSV, got {what}; save the sheet as CSV UTF-8")
    encoding = find_encoding(path, head)
    delimiter = declared_delimiter(path, encoding) or find_delimiter(path, encoding)
    records = _records(path, encoding, delimiter)
    columns = _header(path, records)
    for number, cells in records:
        if isinstance(cells, str):
            yield Line(number=number, cells=_named({}), problem=cells)
        elif any(cell.strip() for cell in cells):
            yield _line(number, cells, columns)


def _wanted_beside(page: Path) -> str:
    """Return which CSV is wanted in the place of a page."""
    table = page.with_name(re.sub(r"(-\d+)?$", ".csv", page.stem, count=1))
    beside = f", or {table} where it was filled in by hand" if table.is_file() else ""
    return f"name the CSV that it gave out by Download CSV{beside}"


def _records(path: Path, encoding: str, delimiter: str) -> Iterator[tuple[int, list[str] | str]]:
    """Yield the records with their numbers from 1, blank ones too, or why one cannot be read."""
    with path.open(encoding=encoding, newline="") as stream:
        reader = parse(stream, delimiter)
        number, start = 0, 1
        while True:
            number += 1
            try:
                yield number, next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                if reader.line_num > start or "unexpected end of data" in str(error):
                    raise SourceError(
                        f"{path}: the row that starts on line {start} has a quote that is not"
                        " closed in its cell; close it, or double a quote that is part of a text"
                    ) from error
                yield number, "text after a closing quote; double a quote that is part of a text"
            start = reader.line_num + 1


def _header(path: Path, records: Iterator[tuple[int, list[str] | str]]) -> Sequence[str]:
    """Return the names of the columns from the first row that has those of a sheet."""
    seen: list[str] = []
    for number, cells in records:
        names = [] if isinstance(cells, str) else [_folded(cell) for cell in cells]
        if all(set(wanted) & set(names) for wanted in _WANTED):
            twice = [name for name in _COLUMNS if names.count(name) > 1]
            if twice:
                raise SourceError(
                    f"{path}, row {number}: two columns are called {twice[0]!r}; keep one"
                )
            return names
        if not isinstance(cells, str):
            seen = seen or [cell for cell in cells if cell.strip()]
    raise SourceError(
        f"{path}: wanted the columns key or task_id, and verdict, as review-labels sheet writes"
        f" them; found {excerpt(', '.join(seen)) or 'none'}"
    )


def _folded(name: str) -> str:
    folded = " ".join(name.replace("\ufeff", "").replace("_", " ").split()).casefold()
    return {"task id": "task_id"}.get(folded, folded)


def _line(number: int, cells: Sequence[str], columns: Sequence[str]) -> Line:
    named = _named(dict(zip(columns, cells, strict=False)))
    if any(cell.strip() for cell in cells[len(columns) :]):
        what = f"{len(cells)} cells where the header has {len(columns)}; quote cells with a comma"
        return Line(number=number, cells=named, problem=what)
    return Line(number=number, cells=named)


def _named(cells: Mapping[str, str]) -> Mapping[str, str]:
    return {name: bare(cells.get(name, "").strip(" \r\n")) for name in _COLUMNS}
