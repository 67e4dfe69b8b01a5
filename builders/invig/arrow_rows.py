"""Rows of Parquet files and of ``datasets``, read in small batches: they may hold pictures."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.errors import SourceError
from builders.invig.rows import Unreadable

_BATCH = 64
_IMAGE = "image"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParquetRows:
    """The rows of one Parquet file; ``name`` is what rejects call it."""

    path: Path
    name: str
    split: str | None
    folder: Path | None = None
    format: str = "Parquet"
    noun: str = "row"

    def rows(self) -> Iterator[tuple[int, dict[str, Any] | Unreadable]]:
        """Yield each row with its number, from 1; raises SourceError for a broken file."""
        return _numbered(self._batches(None), str(self.path))

    def pictures(self, rows: frozenset[int]) -> Iterator[tuple[int, bytes]]:
        """Yield the bytes of the pictures that stand in these rows."""
        return _pictures(self._batches([_IMAGE]), rows, str(self.path))

    def _batches(self, columns: list[str] | None) -> Iterator[pa.RecordBatch]:
        with pq.ParquetFile(self.path) as stream:
            names = stream.schema_arrow.names
            if len(set(names)) < len(names):
                twice = next(name for name in names if names.count(name) > 1)
                raise SourceError(f"{self.path}: two columns are called {twice!r}; rename one")
            yield from stream.iter_batches(_BATCH, columns=columns, use_threads=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetRows:
    """The rows of one split of a ``datasets`` dataset, its pictures not decoded."""

    dataset: Any
    name: str
    split: str | None
    path: Path | None = None
    folder: Path | None = None
    format: str = "dataset"
    noun: str = "row"

    def rows(self) -> Iterator[tuple[int, dict[str, Any] | Unreadable]]:
        """Yield each row with its number, from 1; raises SourceError for broken files."""
        return _numbered(self._batches(self.dataset), self.name)

    def pictures(self, rows: frozenset[int]) -> Iterator[tuple[int, bytes]]:
        """Yield the bytes of the pictures that stand in these rows."""
        return _pictures(self._batches(self.dataset.select_columns([_IMAGE])), rows, self.name)

    def _batches(self, dataset: Any) -> Iterator[pa.Table]:
        yield from dataset.with_format("arrow").iter(batch_size=_BATCH)


@contextmanager
def _readable(where: str) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise SourceError(f"{where}: broken, or no Parquet at all ({error})") from error
    except UnicodeDecodeError as error:
        raise SourceError(f"{where}: a text in it is not UTF-8 ({error})") from error


def _numbered(
    batches: Iterator[pa.RecordBatch | pa.Table], where: str
) -> Iterator[tuple[int, dict[str, Any] | Unreadable]]:
    number = 0
    with _readable(where):
        for batch in batches:
            for row in batch.to_pylist():
                number += 1
                image = row.get(_IMAGE)
                if isinstance(image, dict):  # as datasets stores one: its bytes, its path or both
                    data, name = image.get("bytes"), image.get("path")
                    row[_IMAGE] = name if data is None else data
                    row["image_name"] = name
                yield number, row


def _pictures(
    batches: Iterator[pa.RecordBatch | pa.Table], rows: frozenset[int], where: str
) -> Iterator[tuple[int, bytes]]:
    for number, row in _numbered(batches, where):
        if number in rows and isinstance(row, dict):
            yield number, row[_IMAGE]
