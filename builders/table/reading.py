"""Tables as they lie on a disk: rows of text, with the line that each one starts on.

The format is read off the bytes, not off the name. Text stays text: ``00123``, ``1e10`` and
``NA`` come out as they stand, JSON numbers as they are spelled, Parquet numbers in decimal.
A row that cannot be read is a Reject and never shifts the next one; a file that cannot be read is
a SourceError.
"""

import csv
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from benchwright.errors import SourceError
from benchwright.records import Reject
from builders.dialect import (
    BINARY_KINDS,
    declared_delimiter,
    find_delimiter,
    find_encoding,
    parse,
    read_head,
)
from builders.table.parquet import read_parquet
from builders.table.row import Cell, Row

Format = Literal["csv", "jsonl", "parquet"]

_SURROGATE = re.compile("[\ud800-\udfff]")
_JSON_NAMES = (".jsonl", ".ndjson", ".json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table that has been read: how it was read, its columns, rows and unreadable rows."""

    path: Path
    format: Format
    encoding: str | None  # null for Parquet
    delimiter: str | None  # null for what is no CSV
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    rejects: tuple[Reject, ...]


def read_table(path: Path, source: str) -> Table:
    """Read a CSV, TSV, JSON Lines or Parquet file; ``source`` names the rejects' source.

    Raises SourceError when the file is missing, empty, binary, in no known encoding, without a
    usable header, or has a quote that is never closed.
    """
    head = read_head(path)
    if head.startswith(b"PAR1"):
        columns, rows = read_parquet(path)
        return Table(
            path=path,
            format="parquet",
            encoding=None,
            delimiter=None,
            columns=columns,
            rows=tuple(rows),
            rejects=(),
        )
    for magic, what in BINARY_KINDS.items():
        if head.startswith(magic):
            raise SourceError(f"{path}: this is {what}, not a table; save it as CSV or Parquet")
    encoding = find_encoding(path, head)
    if _is_json(path, encoding):
        return _read_json_lines(path, encoding, source)
    return _read_csv(path, encoding, source)


def _is_json(path: Path, encoding: str) -> bool:
    first = ""
    with path.open(encoding=encoding) as stream:
        for line in stream:
            first = line.strip()
            if first:
                break
    if first.startswith("["):
        try:
            whole = json.loads(path.read_text(encoding))
        except (ValueError, RecursionError):
            whole = None
        if isinstance(whole, list):
            raise SourceError(
                f"{path}: this is one JSON array; write one object on each line (JSON Lines)"
            )
    if not first.startswith("{"):
        return False
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return path.suffix.lower() in _JSON_NAMES


def _sorted_out(
    path: Path, source: str, records: Iterator[Row | tuple[int, str, str]]
) -> tuple[tuple[Row, ...], tuple[Reject, ...]]:
    rows: list[Row] = []
    rejects: list[Reject] = []
    for record in records:
        if isinstance(record, Row):
            rows.append(record)
            continue
        line, reason, message = record
        rejects.append(
            Reject(
                source=source,
                source_id=None,
                row=line,
                path=path.name,
                reason=reason,
                message=f"{path.name}, line {line}: {message}",
            )
        )
    return tuple(rows), tuple(rejects)


def _read_csv(path: Path, encoding: str, source: str) -> Table:
    declared = declared_delimiter(path, encoding)
    delimiter = declared or find_delimiter(path, encoding)
    records = _csv_records(path, encoding, delimiter)
    if declared is not None:
        next(records)  # the line that declares it
    first = next(records, None)
    if first is None:
        raise SourceError(f"{path}: the file is blank; a table with a header line was wanted")
    columns = _header(path, first)
    rows, rejects = _sorted_out(path, source, _csv_rows(records, len(columns)))
    return Table(
        path=path,
        format="csv",
        encoding=encoding,
        delimiter=delimiter,
        columns=columns,
        rows=rows,
        rejects=rejects,
    )


def _csv_records(
    path: Path, encoding: str, delimiter: str
) -> Iterator[tuple[int, list[str] | str]]:
    """Yield the line that each record starts on, and its cells, or why it has none."""
    with path.open(encoding=encoding, newline="") as stream:
        reader = parse(stream, delimiter)
        while True:
            start = reader.line_num + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                yield start, _bad_quotes(path, start, reader.line_num, error)
                continue
            if cells:
                yield start, cells


def _bad_quotes(path: Path, start: int, end: int, error: csv.Error) -> str:
    """Say what is wrong with a record of one line; of more, nothing after it can be trusted."""
    if "unexpected end of data" in str(error):
        raise SourceError(
            f"{path}: the record that starts on line {start} opens a quote that is never closed; "
            "close it, or double a quote that is part of the text"
        )
    if end > start:
        raise SourceError(
            f"{path}: the record that starts on line {start} opens a quote that ends on line "
            f"{end} in the middle of a cell; close it, or double a quote that is part of the text"
        )
    return "text after a closing quote; double a quote that is part of the text"


def _header(path: Path, first: tuple[int, list[str] | str]) -> tuple[str, ...]:
    line, cells = first
    if isinstance(cells, str):
        raise SourceError(f"{path}, line {line}: the header has {cells}")
    names = tuple(name.strip() or f"column {number}" for number, name in enumerate(cells, 1))
    if not any(name.strip() for name in cells):
        raise SourceError(f"{path}, line {line}: every column name of the header is empty")
    for number, name in enumerate(names, 1):
        if name in names[: number - 1]:
            raise SourceError(
                f"{path}, line {line}: columns {names.index(name) + 1} and {number} are both "
                f"called {name!r}; rename one"
            )
    return names


def _csv_rows(
    records: Iterator[tuple[int, list[str] | str]], width: int
) -> Iterator[Row | tuple[int, str, str]]:
    known: dict[str, str] = {}
    for line, cells in records:
        if isinstance(cells, str):
            yield line, "bad_quotes", cells
        elif len(cells) != width:
            yield line, "ragged", f"{len(cells)} cells where the header has {width}"
        else:
            yield Row(line=line, cells=tuple(known.setdefault(cell, cell) for cell in cells))


def _read_json_lines(path: Path, encoding: str, source: str) -> Table:
    columns: dict[str, int] = {}
    rows, rejects = _sorted_out(path, source, _json_rows(path, encoding, columns))
    width = len(columns)
    if not columns:
        raise SourceError(f"{path}: no line of it is a JSON object with a field")
    return Table(
        path=path,
        format="jsonl",
        encoding=encoding,
        delimiter=None,
        columns=tuple(columns),
        rows=tuple(
            Row(line=row.line, cells=row.cells + (None,) * (width - len(row.cells))) for row in rows
        ),
        rejects=rejects,
    )


def _json_rows(
    path: Path, encoding: str, columns: dict[str, int]
) -> Iterator[Row | tuple[int, str, str]]:
    """Yield the rows; ``columns`` grows by the fields that are met, in their order."""
    with path.open(encoding=encoding) as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                fields = _parse(line)
            except (ValueError, RecursionError) as error:
                yield number, "bad_json", str(error)
                continue
            for name in fields:
                columns.setdefault(name, len(columns))
            cells: list[Cell] = [None] * len(columns)
            for name, value in fields.items():
                cells[columns[name]] = value
            yield Row(line=number, cells=tuple(cells))


def _parse(line: str) -> dict[str, Cell]:
    loaded = json.loads(
        line,
        parse_int=str,
        parse_float=str,
        parse_constant=str,
        object_pairs_hook=_without_duplicates,
    )
    if not isinstance(loaded, dict):
        raise ValueError("not a JSON object")
    if _SURROGATE.search(json.dumps(loaded, ensure_ascii=False)):
        raise ValueError("half of a surrogate pair, which no text can hold")
    fields: dict[str, Cell] = {}
    _flatten(loaded, "", fields.__setitem__)
    return fields


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        twice = next(name for name, _ in pairs if [n for n, _ in pairs].count(name) > 1)
        raise ValueError(f"the field {twice!r} occurs twice")
    return fields


def _flatten(value: dict[str, Any], prefix: str, put: Callable[[str, Cell], None]) -> None:
    for name, inner in value.items():
        if isinstance(inner, dict):
            _flatten(inner, f"{prefix}{name}.", put)
        elif isinstance(inner, list):
            put(prefix + name, [_text(entry) for entry in inner if entry is not None])
        else:
            put(prefix + name, None if inner is None else _text(inner))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
