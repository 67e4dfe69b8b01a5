"""The rows that differ between two releases, config by config."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import pyarrow as pa

from exports.canary import COLUMN as CANARY
from exports.differing.comparing import Id, Row, compared, differing, in_order, with_ids
from exports.features import IMAGE
from exports.verifying.released import Released

_IDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "images": ("image_id",),
        "vocabulary": ("type", "value"),
        "labels": ("image_id", "type", "value"),
        "false-premise": ("dialogue_id",),
        "candidate-set": ("dialogue_id", "turn"),
        "question-chain": ("chain_id",),
        "responses": ("run", "response_id"),
        "trajectories": ("config", "run", "episode_id"),
        "decisions": ("image_id", "object_id", "record_id", "field", "auditor"),
    }
)
_OF_EPISODES = ("episode_id",)
_AT_ONCE = 20_000  # rows that are given as Python objects at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A row that is in both and differs: its fields with the value before and after."""

    id: Id
    row: Row  # as it is now
    fields: Mapping[str, tuple[Any, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What changed in one config; ``columns`` that only one of the two has.

    Rows are kept as Arrow tables, since there may be millions: ``before`` and ``after`` are those
    that differ, one beside the other, with the columns that both have. ``fields`` counts which do.
    """

    config: str
    added: pa.Table
    removed: pa.Table
    before: pa.Table
    after: pa.Table
    added_columns: Sequence[str] = ()
    removed_columns: Sequence[str] = ()
    same: int = 0
    fields: Counter[str] = field(default_factory=Counter)

    @property
    def is_empty(self) -> bool:
        """Whether nothing changed."""
        tables = (self.added, self.removed, self.after)
        return not (
            any(table.num_rows for table in tables) or self.added_columns or self.removed_columns
        )

    def added_rows(self) -> Iterator[tuple[Id, Row]]:
        """Yield the rows that only the newer has, by id."""
        return _with_ids(self.config, _rows(self.added))

    def removed_rows(self) -> Iterator[tuple[Id, Row]]:
        """Yield the rows that only the older has, by id."""
        return _with_ids(self.config, _rows(self.removed))

    def changed_rows(self) -> Iterator[Changed]:
        """Yield the rows that differ, by id."""
        pairs = zip(_rows(self.before), _with_ids(self.config, _rows(self.after)), strict=True)
        for before, (key, after) in pairs:
            yield Changed(id=key, row=after, fields=differing(before, after))


def changes_between(old: Released, new: Released) -> list[Changes]:
    """Return what changed in each config that either has, in the order of the names.

    Rows are told by their ids, whatever their order; pictures by their hashes.
    """
    configs = sorted(old.lock.configs.keys() | new.lock.configs.keys())
    return [_changes(config, old, new) for config in configs]


def _changes(config: str, old: Released, new: Released) -> Changes:
    digests = [one.lock.configs[config].digest for one in (old, new) if one.has(config)]
    if len(digests) == 2 and digests[0] == digests[1]:
        nothing = pa.table({})
        same = old.lock.configs[config].rows
        return _whole(config, nothing, nothing, same)
    before, after = (_read(config, release) for release in (old, new))
    if len(digests) == 1:
        return _whole(config, added=after, removed=before)
    both = [name for name in before.column_names if name in after.column_names]
    found = compared(before.select(both), after.select(both), ids_of(config))
    return Changes(
        config=config,
        added=_taken(after, found.added),
        removed=_taken(before, found.removed),
        before=_taken(before.select(both), found.before),
        after=_taken(after.select(both), found.after),
        added_columns=[name for name in after.column_names if name not in both],
        removed_columns=[name for name in before.column_names if name not in both],
        same=found.same,
        fields=found.fields,
    )


def _whole(config: str, added: pa.Table, removed: pa.Table, same: int = 0) -> Changes:
    """Return what changed of a config of which no row is in both and differs."""
    nothing = pa.table({})
    return Changes(
        config=config, added=added, removed=removed, before=nothing, after=nothing, same=same
    )


def _read(config: str, release: Released) -> pa.Table:
    """Return the columns that are compared, in the order of the ids; none of a missing config."""
    if not release.has(config):
        return pa.table({})
    schema = release.schema(config)
    names = [one.name for one in schema if one.type != IMAGE and one.name != CANARY]
    return in_order(release.table(config, names), ids_of(config))


def ids_of(config: str) -> Sequence[str]:
    """Return the columns by which the rows of a config are told."""
    return _IDS.get(config, _OF_EPISODES)


def _with_ids(config: str, rows: Iterable[Row]) -> Iterator[tuple[Id, Row]]:
    return with_ids(ids_of(config), rows)


def _taken(table: pa.Table, places: Sequence[int]) -> pa.Table:
    return table.take(pa.array(places, pa.int64()))


def _rows(table: pa.Table) -> Iterator[Row]:
    for batch in table.to_batches(max_chunksize=_AT_ONCE):
        yield from batch.to_pylist()
