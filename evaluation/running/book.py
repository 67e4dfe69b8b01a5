"""Records on their way to the disk: they come in any order and are written in that of the items."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Generic, TypeVar

import pyarrow as pa

from benchwright import store
from benchwright.errors import WorkspaceError
from benchwright.records import Build
from benchwright.rows import to_table
from evaluation.running.about import summed
from evaluation.running.protocol import Matches

T = TypeVar("T")
R = TypeVar("R")
_RECORDS = 1_024  # of a shard, and about as many are held in memory at once


class Book(Generic[T, R]):
    """Takes the records of a run; of a shard that is whole nothing is held in memory."""

    def __init__(self, writer: store.StageWriter, matches: Matches[T, R]) -> None:
        self.failed = 0
        self.played = 0
        self.unlabelled = 0
        self._writer, self._matches = writer, matches
        self._open: dict[int, dict[int, R]] = defaultdict(dict)
        self._closed: set[int] = set()
        self._builds: Counter[Build] = Counter()

    def __len__(self) -> int:
        """Return how many records came."""
        return self.played + self.failed

    def keep(self, number: int, record: R) -> None:
        """Take the record of the item of a number."""
        if self._matches.is_failed(record):
            self.failed += 1
        else:
            self.played += 1
            self.unlabelled += self._matches.unlabelled(record)
        for build in self._matches.builds(record):
            self._builds[replace(build, answers=0)] += build.answers
        shard = number // _RECORDS
        self._open[shard][number] = record
        first = shard * _RECORDS
        if len(self._open[shard]) == min(_RECORDS, len(self._matches.items) - first):
            self._close(shard)

    def builds(self) -> list[Build]:
        """Return what answered, over all records."""
        return summed(replace(build, answers=count) for build, count in self._builds.items())

    def write(self) -> None:
        """Write all records as shards of the table."""
        for shard in sorted(self._open):
            self._close(shard)
        self._writer.shards_of(self._matches.table, self._tables())

    def _close(self, shard: int) -> None:
        records = self._open.pop(shard)
        ordered = [row for number in sorted(records) for row in self._matches.rows(records[number])]
        self._writer.keep(_name(shard), to_table(ordered, self._matches.kind))
        self._closed.add(shard)

    def _tables(self) -> Iterator[pa.Table]:
        for shard in sorted(self._closed):
            table = self._writer.kept(_name(shard))
            if table is None:  # written a moment ago: somebody else had a hand in it
                raise WorkspaceError(f"{self._writer.folder}: lost {_name(shard)}; run it again")
            yield table


def _name(shard: int) -> str:
    return f"records-{shard:05d}"
