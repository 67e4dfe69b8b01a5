"""The tables of a release on the disk, as verifying reads them: by pyarrow, without its cards."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.records import SCHEMAS
from benchwright.rows import from_table
from exports.contents.private_answers import COLUMN
from exports.locking.lock import Lock

R = TypeVar("R")


def column(folder: Path, lock: Lock, config: str, name: str) -> list[str | None]:
    """Return one column of a config, empty where the release has not the config."""
    tables = _tables(folder, lock, config, [name])
    return [value for table in tables for value in table.column(0).to_pylist()]


def table_of(folder: Path, lock: Lock, config: str, columns: Iterable[str]) -> pa.Table:
    """Return some columns of a config."""
    return pa.concat_tables(_tables(folder, lock, config, list(columns)))


def records_of(folder: Path, lock: Lock, config: str, kind: type[R]) -> Iterator[R]:
    """Yield the rows of a config as records, what the release adds left away."""
    for table in _tables(folder, lock, config, SCHEMAS[kind].names):
        yield from from_table(table, kind)


def shows_answers(folder: Path, lock: Lock, config: str) -> bool:
    """Tell whether a config holds its answers, not commitments in their place."""
    return COLUMN not in pq.read_schema(folder / lock.configs[config].paths[0]).names


def _tables(folder: Path, lock: Lock, config: str, columns: list[str]) -> Iterator[pa.Table]:
    held = lock.configs.get(config)
    for path in held.paths if held is not None else ():
        yield pq.read_table(folder / path, columns=columns)
