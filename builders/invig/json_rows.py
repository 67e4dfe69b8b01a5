"""Rows of JSON files: one object on each line, or one list of objects."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchwright.errors import SourceError
from builders.dialect import BINARY_KINDS, find_encoding, read_head
from builders.invig.rows import Unreadable

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonRows:
    """The rows of one JSON or JSON Lines file; ``name`` is what rejects call it."""

    path: Path
    name: str
    split: str | None
    folder: Path | None
    encoding: str
    is_list: bool
    format: str
    noun: str

    def rows(self) -> Iterator[tuple[int, dict[str, Any] | Unreadable]]:
        """Yield each row with its line (JSON Lines) or its place in the list, from 1."""
        if self.is_list:
            whole = _whole(self.path, self.encoding)
            for number, row in enumerate(whole if isinstance(whole, list) else [whole], 1):
                yield number, _checked(row)
            return
        with self.path.open(encoding=self.encoding) as stream:
            for number, line in enumerate(stream, 1):
                if line.strip():
                    yield number, _parsed(line)

    def pictures(self, _rows: frozenset[int]) -> Iterator[tuple[int, bytes]]:
        """Yield nothing: JSON holds no bytes."""
        return iter(())


def open_json(path: Path, name: str, split: str | None) -> JsonRows:
    """Look into a file and tell how it is to be read.

    Raises SourceError for a file that is missing, empty, binary, or in another encoding than
    UTF-8 or UTF-16.
    """
    head = read_head(path)
    for magic, what in BINARY_KINDS.items():
        if head.startswith(magic):
            raise SourceError(f"{path}: this is {what}; Parquet, JSON or JSON Lines was wanted")
    encoding = find_encoding(path, head)
    if encoding == "cp1252":
        raise SourceError(f"{path}: this is not UTF-8, which JSON has to be; save it as UTF-8")
    is_list = _is_whole(path, encoding)
    return JsonRows(
        path=path,
        name=name,
        split=split,
        folder=path.parent,
        encoding=encoding,
        is_list=is_list,
        format="JSON" if is_list else "JSON Lines",
        noun="entry" if is_list else "line",
    )


def _is_whole(path: Path, encoding: str) -> bool:
    """Tell one JSON value over the whole file from one object on each line."""
    with path.open(encoding=encoding) as stream:
        first = next((line for line in stream if line.strip()), "").strip()
    if not first:
        raise SourceError(f"{path}: the file is blank; JSON or JSON Lines was wanted")
    if first.startswith("["):
        return True
    if not first.startswith("{"):
        raise SourceError(
            f"{path}: this is no JSON: it begins with {first[:20]!r} where [ or {{ was wanted"
        )
    if first == "{" or isinstance(_parsed(first), Unreadable):
        try:
            return isinstance(_whole(path, encoding), dict)
        except SourceError:
            return False  # a first line that is broken; the others may not be
    return False


def _whole(path: Path, encoding: str) -> Any:
    try:
        return json.loads(path.read_text(encoding))
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{path}: this is no JSON ({error})") from error


def _parsed(line: str) -> dict[str, Any] | Unreadable:
    try:
        return _checked(json.loads(line))
    except (ValueError, RecursionError) as error:
        return Unreadable(reason="bad_json", message=str(error))


def _checked(row: Any) -> dict[str, Any] | Unreadable:
    if not isinstance(row, dict):
        return Unreadable(reason="bad_json", message="not a JSON object")
    if _SURROGATE.search(json.dumps(row, ensure_ascii=False)):
        message = "half of a surrogate pair, which no text can hold"
        return Unreadable(reason="bad_json", message=message)
    if isinstance(image := row.get("image"), dict):
        row["image"] = image.get("path")
    return row
