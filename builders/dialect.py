"""How a text table is written: its encoding and its delimiter, found in its bytes."""

import codecs
import csv
import re
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from benchwright.errors import SourceError

if TYPE_CHECKING:
    from _csv import Reader

DELIMITERS = (",", ";", "\t", "|")
BINARY_KINDS = {
    b"PK\x03\x04": "a ZIP archive or an Excel workbook",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"\x1f\x8b": "a gzip archive",
    b"(\xb5/\xfd": "a zstd archive",
    b"%PDF": "a PDF",
    b"\xff\xd8\xff": "a JPEG picture",
    b"\x89PNG": "a PNG picture",
    b"SQLite format 3": "an SQLite database",
    b"ARROW1": "an Arrow file",
}
_HEAD = 1 << 16
_LONGEST_CELL = 2**31 - 1  # what the csv module takes on every platform
_RECORDS_TRIED = 50
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def read_head(path: Path) -> bytes:
    """Return the first bytes of a file.

    Raises SourceError when there is no such file, it is a folder, or it is empty.
    """
    if path.is_dir():
        raise SourceError(
            f"{path}: this is a folder; a table (CSV, JSON Lines, Parquet) was wanted"
        )
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError as error:
        raise SourceError(
            f"{path}: cannot be read ({error.strerror}); name a table that is there"
        ) from error
    if not head:
        raise SourceError(f"{path}: the file is empty; a table with a header line was wanted")
    return head


def find_encoding(path: Path, head: bytes) -> str:
    """Return the encoding: by its mark, else UTF-8 where all bytes are, else Windows-1252.

    Raises SourceError for a binary file and for bytes that no encoding explains.
    """
    for mark, encoding in _MARKS.items():
        if head.startswith(mark):
            _check(path, encoding)
            return encoding
    if b"\0" in head:
        encoding = _utf16_without_mark(path, head)
        _check(path, encoding)
        return encoding
    try:
        _check(path, "utf-8")
    except SourceError:
        _check_no_slip(path)
        _check(path, "cp1252")
        return "cp1252"
    return "utf-8"


def _check_no_slip(path: Path) -> None:
    """Raise SourceError for UTF-8 with a slip in it: as Windows-1252 all of it would be garbled."""
    data = path.read_bytes()
    good = sum(character > "\x7f" for character in data.decode("utf-8", "ignore"))
    bad = data.decode("utf-8", "replace").count("\ufffd")
    if good > 10 * bad:
        raise _undecodable(path, "utf-8", "UTF-8 like the rest")


def _utf16_without_mark(path: Path, head: bytes) -> str:
    """Tell UTF-16 from a binary file: in Western text every second byte is zero."""
    pairs = max(1, len(head) // 2)
    if head[1::2].count(0) > 0.4 * pairs > head[::2].count(0):
        return "utf-16-le"
    if head[::2].count(0) > 0.4 * pairs > head[1::2].count(0):
        return "utf-16-be"
    raise SourceError(
        f"{path}: this is a binary file; a table (CSV, TSV, JSON Lines or Parquet) was wanted"
    )


def _check(path: Path, encoding: str) -> None:
    """Decode the whole file once, so that no fault comes up in the middle of the work."""
    try:
        with path.open(encoding=encoding, newline="") as stream:
            for number, piece in enumerate(stream, 1):
                if "\0" in piece:
                    raise SourceError(f"{path}: line {number} holds a NUL; this is no text file")
    except UnicodeError as error:
        wanted = encoding if encoding != "cp1252" else "UTF-8 nor Windows-1252"
        raise _undecodable(path, encoding, wanted) from error


def _undecodable(path: Path, encoding: str, wanted: str) -> SourceError:
    """Return the error that names the line; the stream's own error knows only its last piece."""
    data = path.read_bytes().removeprefix(codecs.BOM_UTF8)
    try:
        data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(encoding, "ignore")
        line = before.count("\n") + 1
        what = f"line {line}: the byte {data[error.start]:#04x} is not {wanted}"
        return SourceError(f"{path}, {what}; save it as UTF-8")
    return SourceError(f"{path}: not {wanted}; save it as UTF-8")


def parse(stream: Iterable[str], delimiter: str) -> "Reader":
    """Return a reader of records that takes long cells and reports loose quotes."""
    csv.field_size_limit(_LONGEST_CELL)
    return csv.reader(stream, delimiter=delimiter, strict=True)


def declared_delimiter(path: Path, encoding: str) -> str | None:
    """Return the delimiter that a first line ``sep=;`` declares, as Excel writes and reads it."""
    with path.open(encoding=encoding, newline="") as stream:
        found = re.fullmatch(r'"?sep=(.)"?', stream.readline().rstrip("\r\n"), re.IGNORECASE)
    return found[1] if found is not None and found[1] in DELIMITERS else None


def find_delimiter(path: Path, encoding: str) -> str:
    """Return the delimiter that divides the header and most of the first rows alike.

    A header that no delimiter divides is one column: then it is a comma.
    """
    best, best_score = DELIMITERS[0], (0.0, 1)
    for delimiter in DELIMITERS:
        widths = _widths(path, encoding, delimiter)
        if not widths or widths[0] < 2:
            continue
        score = (sum(width == widths[0] for width in widths) / len(widths), widths[0])
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _widths(path: Path, encoding: str, delimiter: str) -> list[int]:
    """Return the number of cells of the first records; 0 for one that cannot be read."""
    widths: list[int] = []
    with path.open(encoding=encoding, newline="") as stream:
        reader = parse(islice(stream, 20 * _RECORDS_TRIED), delimiter)
        while len(widths) < _RECORDS_TRIED:
            try:
                cells = next(reader)
            except StopIteration:
                break
            except csv.Error:
                widths.append(0)
                continue
            if cells:
                widths.append(len(cells))
    return widths
