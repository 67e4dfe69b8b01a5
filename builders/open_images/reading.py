"""The files of a folder, sorted out by their headers, and their records one at a time.

A file is never held in memory: the boxes of the training pictures alone are fourteen million.
Text stays text. A record that cannot be read is yielded as such and never shifts the next one.
"""

import csv
import gzip
import io
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO

from benchwright import files
from benchwright.errors import SourceError, UsageError
from builders.dialect import find_delimiter, find_encoding, parse, read_head
from builders.open_images.headers import Layout, recognise

_TRIED = 50  # records that a layout is told from
_LONGEST_LINE = 16 * 2**20  # characters
_UNPACKED = 200  # times its size that a .gz file may unpack to, and at least 64 MiB
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A CSV file whose layout is known; ``name`` is its path from the folder."""

    path: Path
    name: str
    sha256: str
    layout: Layout
    encoding: str
    delimiter: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A record that cannot be read: the line it starts on, why, and its id where it shows one."""

    line: int
    reason: str
    message: str
    image_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """What a folder holds: known CSV files, JSON files, and what was left aside and why."""

    sheets: tuple[Sheet, ...]
    json_files: tuple[Path, ...]
    ignored: tuple[tuple[str, str], ...]


def survey(folder: Path, skip: Path | None = None) -> Survey:
    """Look through a folder and the folders in it, but not through ``skip``.

    Links to folders are not followed, and files that a link leads out to are left aside.
    Raises UsageError when it is no folder and SourceError when a file with a known header cannot
    be read to its end.
    """
    if not folder.is_dir():
        what = "this is a file" if folder.exists() else "no such folder"
        raise UsageError(f"{folder}: {what}; give the folder with the CSV files")
    sheets: list[Sheet] = []
    json_files: list[Path] = []
    ignored: list[tuple[str, str]] = []
    seen: dict[str, str] = {}
    for path in _walk(folder, (".csv", ".csv.gz", ".json"), skip):
        name = shown_name(path, folder)
        if not path.resolve().is_relative_to(folder.resolve()):
            ignored.append((name, "a link that leads out of the folder"))
            continue
        if path.name.lower().endswith(".json"):
            json_files.append(path)
            continue
        sha256 = files.sha256_of(path)
        twin = seen.setdefault(sha256, name)
        if twin != name:
            ignored.append((name, f"the same bytes as {twin}"))
            continue
        found = _sheet(path, name, sha256)
        if isinstance(found, Sheet):
            sheets.append(found)
        else:
            ignored.append((name, found))
    return Survey(sheets=tuple(sheets), json_files=tuple(json_files), ignored=tuple(ignored))


def shown_name(path: Path, folder: Path) -> str:
    """Return the path of a file from the folder, as text that every output can hold."""
    return os.fsencode(path.relative_to(folder).as_posix()).decode("utf-8", "replace")


def _walk(folder: Path, endings: tuple[str, ...], skip: Path | None) -> Iterator[Path]:
    skipped = None if skip is None else skip.resolve()
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and Path(here, name).resolve() != skipped
        )
        for name in sorted(names):
            if name.lower().endswith(endings) and not name.startswith("."):
                path = Path(here, name)
                if path.is_file():
                    yield path


def _sheet(path: Path, name: str, sha256: str) -> Sheet | str:
    """Return a sheet, or why the file is left aside."""
    try:
        head = read_head(path)
    except SourceError as error:
        return str(error).removeprefix(f"{path}: ")
    try:
        encoding = "utf-8-sig" if head.startswith(_GZIP) else find_encoding(path, head)
    except SourceError as error:
        first = head.decode("latin-1").splitlines()[0].removeprefix("ï»¿")
        if recognise(list(csv.reader([first]))) is not None:
            raise
        return str(error).removeprefix(f"{path}: ").removeprefix(f"{path}, ")
    delimiter = "," if head.startswith(_GZIP) else find_delimiter(path, encoding)
    records: list[list[str]] = []
    try:
        for _, cells in islice(_records(path, encoding, delimiter), _TRIED):
            records += [cells] if isinstance(cells, list) else []
    except SourceError as error:
        if recognise(records) is not None:
            raise
        return str(error).removeprefix(f"{path}: ")
    layout = recognise(records)
    if layout is None:
        shown = delimiter.join(records[0]) if records else ""
        shown = shown if len(shown) <= 80 else f"{shown[:77]}..."
        return f"no file of Open Images has this header: {shown}"
    if layout.why is not None:
        return f"not used: {layout.why}"
    return Sheet(
        path=path,
        name=name,
        sha256=sha256,
        layout=layout,
        encoding=encoding,
        delimiter=delimiter,
    )


def read_lines(sheet: Sheet) -> Iterator[tuple[int, list[str]] | Unreadable]:
    """Yield the line that each record starts on, and its cells, as many as the header has.

    Raises SourceError for a quote that is never closed, a line of more than 16 Mi characters and
    an archive that unpacks without end.
    """
    layout = sheet.layout
    id_place = layout.columns.get("imageid")
    records = _records(sheet.path, sheet.encoding, sheet.delimiter)
    if layout.has_header:
        next(records, None)
    for line, cells in records:
        if isinstance(cells, str):
            yield Unreadable(line, "bad_quotes", cells)
        elif len(cells) != layout.width:
            image_id = None
            if id_place is not None and id_place < len(cells):
                image_id = cells[id_place].strip() or None
            message = f"{len(cells)} cells where the header has {layout.width}"
            yield Unreadable(line, "ragged", message, image_id)
        else:
            yield line, cells


def _records(path: Path, encoding: str, delimiter: str) -> Iterator[tuple[int, list[str] | str]]:
    with _opened(path, encoding) as stream:
        reader = parse(_bounded(path, stream), delimiter)
        while True:
            start = reader.line_num + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                if reader.line_num > start or "unexpected end" in str(error):
                    raise SourceError(
                        f"{path}: the record that starts on line {start} opens a quote that is "
                        "not closed on it; close it, or double a quote that is part of the text"
                    ) from error
                yield start, "text after a closing quote; double a quote that is part of the text"
                continue
            except (UnicodeError, EOFError, OSError, zlib.error) as error:
                what = f"cannot be read after line {start} ({error})"
                raise SourceError(f"{path}: {what}; get the file again") from error
            if cells:
                yield start, cells


def _opened(path: Path, encoding: str) -> IO[str]:
    with path.open("rb") as stream:
        packed = stream.read(2) == _GZIP
    if not packed:
        return path.open(encoding=encoding, newline="")
    return io.TextIOWrapper(gzip.open(path), encoding=encoding, newline="")


def _bounded(path: Path, stream: IO[str]) -> Iterator[str]:
    """Yield lines; stop at one without end, and at an archive that is a bomb."""
    left = max(64 * 2**20, _UNPACKED * path.stat().st_size)
    number = 0
    while line := stream.readline(_LONGEST_LINE):
        number += 1
        left -= len(line)
        if left < 0:
            raise SourceError(f"{path}: unpacks to more than {_UNPACKED} times its size; unpack it")
        if len(line) == _LONGEST_LINE:
            raise SourceError(f"{path}: line {number} is longer than {_LONGEST_LINE} characters")
        yield line
