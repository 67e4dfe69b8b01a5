"""A release on the disk, as it is verified: read by pyarrow, without its card."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.errors import UsageError
from benchwright.records import SCHEMAS
from benchwright.rows import from_table
from exports.contents.private_answers import COLUMN, ids_of
from exports.locking.lock import Lock, read_lock
from exports.names import LOCK
from exports.verifying.answers_file import Answers

R = TypeVar("R")


@dataclass(frozen=True, kw_only=True)
class Released:
    """A release; ``answers`` are those that it holds back and its maker shows."""

    folder: Path
    lock: Lock
    answers: Answers = field(default_factory=dict)

    def has(self, config: str) -> bool:
        """Tell whether the release has a config."""
        return config in self.lock.configs

    @property
    def galleries(self) -> list[str]:
        """The configs that hold episodes."""
        return [name for name in self.lock.configs if name.startswith("hidden-target-")]

    def schema(self, config: str) -> pa.Schema:
        """Return the Arrow schema of the shards of a config."""
        return pq.read_schema(self.folder / self.lock.configs[config].paths[0])

    def table(self, config: str, columns: Iterable[str]) -> pa.Table:
        """Return some columns of a config that the release has."""
        return pa.concat_tables(self._shards(config, list(columns)))

    def column(self, config: str, name: str) -> list[Any]:
        """Return one column, empty where the release has not the config."""
        tables = self._shards(config, [name]) if self.has(config) else ()
        return [value for table in tables for value in table.column(0).to_pylist()]

    def holds_back(self, config: str) -> bool:
        """Tell whether commitments stand in a config in the place of its answers."""
        return COLUMN in self.schema(config).names

    def shows(self, config: str) -> bool:
        """Tell whether the answers of a config can be looked at: they are there, or are shown."""
        return not self.holds_back(config) or config in self._shown

    def records(self, config: str, kind: type[R]) -> Iterator[R]:
        """Yield the rows of a config as records, with the answers that are shown."""
        columns = SCHEMAS[kind].names
        for table in self._shards(config, columns):
            yield from from_table(self._with_answers(config, table, SCHEMAS[kind]), kind)

    @cached_property
    def _shown(self) -> frozenset[str]:
        return frozenset(config for config, _ in self.answers)

    def _with_answers(self, config: str, table: pa.Table, schema: pa.Schema) -> pa.Table:
        if config not in self._shown:
            return table
        rows = [
            {**row, **self.answers[config, name].said}
            for name, row in zip(ids_of(config, table), table.to_pylist(), strict=True)
        ]
        return pa.Table.from_pylist(rows, schema=schema)

    def _shards(self, config: str, columns: list[str]) -> Iterator[pa.Table]:
        for path in self.lock.configs[config].paths:
            yield pq.read_table(self.folder / path, columns=columns)


def open_release(folder: Path) -> Released:
    """Return the release in a folder.

    Raises UsageError where there is none, WorkspaceError for a lock that cannot be read.
    """
    lock = read_lock(folder)
    if lock is None:
        raise UsageError(f"{folder}: has no {LOCK}, so it is no release; name the folder of one")
    return Released(folder=folder, lock=lock)
