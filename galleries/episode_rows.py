"""Episodes as they are made, kept as rows: a record of Python's takes ten times the memory."""

from dataclasses import dataclass, field

import pyarrow as pa

from benchwright.records import Episode
from benchwright.rows import to_table

_TOGETHER = 4096


@dataclass(slots=True)
class EpisodeRows:
    """Episodes in the order in which they were added."""

    _tables: list[pa.Table] = field(default_factory=list)
    _last: list[Episode] = field(default_factory=list)

    def __len__(self) -> int:
        return sum(map(len, self._tables)) + len(self._last)

    def add(self, episode: Episode) -> None:
        """Put one more behind the others."""
        self._last.append(episode)
        if len(self._last) == _TOGETHER:
            self._tables.append(to_table(self._last, Episode))
            self._last = []

    def table(self) -> pa.Table:
        """Return all of them as one table."""
        last = to_table(self._last, Episode)
        return pa.concat_tables([*self._tables, last]) if self._tables else last
