"""The rows that differ between two releases, config by config."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from exports.canary import COLUMN as CANARY
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
        "decisions": ("image_id", "object_id", "record_id", "field", "auditor"),
    }
)
_OF_EPISODES = ("episode_id",)
_BLOCK = 20_000  # rows that are looked at in detail at once
Id = tuple[Any, ...]
Row = Mapping[str, Any]


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
            yield Changed(id=key, row=after, fields=_differing(before, after))


def changes_between(old: Released, new: Released) -> list[Changes]:
    """Return what changed in each config that either has, in the order of the names.

    Rows are told by their ids, whatever their order; pictures by their hashes.
    """
    configs = sorted(old.lock.configs.keys() | new.lock.configs.keys())
    return [_changes(config, old, new) for config in configs]


def _changes(config: str, old: Released, new: Released) -> Changes:
    columns = [_columns(config, release) for release in (old, new)]
    digests = [one.lock.configs[config].digest for one in (old, new) if one.has(config)]
    if len(digests) == 2 and digests[0] == digests[1]:
        nothing = pa.table({})
        return Changes(
            config=config,
            added=nothing,
            removed=nothing,
            before=nothing,
            after=nothing,
            same=old.lock.configs[config].rows,
        )
    sides = [
        _Side.of(config, release.table(config, names)) if names else None
        for release, names in zip((old, new), columns, strict=True)
    ]
    found = _Found(both=[name for name in columns[0] if name in columns[1]])
    if sides[0] is not None and sides[1] is not None:
        for before, after in _blocks(sides[0], sides[1]):
            found.compare(config, before, after)
    return _as_changes(config, sides, columns, found)


def _as_changes(
    config: str,
    sides: "Sequence[_Side | None]",
    columns: Sequence[Sequence[str]],
    found: "_Found",
) -> Changes:
    old, new = (side.table if side is not None else pa.table({}) for side in sides)
    is_in_both = bool(columns[0] and columns[1])
    return Changes(
        config=config,
        added=_joined(found.added, new) if is_in_both else new,
        removed=_joined(found.removed, old) if is_in_both else old,
        before=_joined(found.before, old),
        after=_joined(found.after, new),
        added_columns=[name for name in columns[1] if is_in_both and name not in found.both],
        removed_columns=[name for name in columns[0] if is_in_both and name not in found.both],
        same=found.same,
        fields=found.fields,
    )


@dataclass(frozen=True, slots=True)
class _Side:
    """The rows of one release in the order of their ids; ``first`` is the first part of the ids."""

    table: pa.Table
    first: pa.Array

    @classmethod
    def of(cls, config: str, table: pa.Table) -> "_Side":
        keys = [pc.fill_null(table.column(name).cast(pa.string()), "") for name in ids_of(config)]
        names = [str(number) for number in range(len(keys))]
        order = pc.sort_indices(
            pa.table(keys, names=names), sort_keys=[(name, "ascending") for name in names]
        )
        first = keys[0].combine_chunks()
        if not np.array_equal(order.to_numpy(), np.arange(table.num_rows)):
            table, first = table.take(order), first.take(order)
        return cls(table, first)

    def place(self, key: str) -> int:
        """Return where rows begin whose id begins with a text, or with one after it."""
        return bisect_left(range(len(self.first)), key, key=lambda at: self.first[at].as_py())


def _blocks(old: _Side, new: _Side) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Yield the rows of both, block by block: rows of one id are in one block."""
    cuts = {
        side.first[at].as_py()
        for side in (old, new)
        for at in range(_BLOCK, len(side.first), _BLOCK)
    }
    starts = [(0, 0), *((old.place(cut), new.place(cut)) for cut in sorted(cuts))]
    ends = [*starts[1:], (len(old.first), len(new.first))]
    for (a, b), (c, d) in zip(starts, ends, strict=True):
        yield old.table.slice(a, c - a), new.table.slice(b, d - b)


@dataclass(slots=True)
class _Found:
    """What was found block by block; ``both`` are the columns that both releases have."""

    both: Sequence[str]
    added: list[pa.Table] = field(default_factory=list)
    removed: list[pa.Table] = field(default_factory=list)
    before: list[pa.Table] = field(default_factory=list)
    after: list[pa.Table] = field(default_factory=list)
    same: int = 0
    fields: Counter[str] = field(default_factory=Counter)

    def compare(self, config: str, old: pa.Table, new: pa.Table) -> None:
        shared = old.select(self.both), new.select(self.both)
        if shared[0].equals(shared[1]):  # as most blocks are
            self.same += old.num_rows
            return
        before, after = (_placed(config, table) for table in shared)
        pairs = []
        for key in before.keys() & after.keys():
            (at, was), (now_at, now) = before[key], after[key]
            fields = _differing(was, now)
            if fields:
                pairs.append((at, now_at))
                self.fields.update(fields)
            else:
                self.same += 1
        pairs.sort()
        self.before.append(shared[0].take(pa.array([at for at, _ in pairs], pa.int64())))
        self.after.append(shared[1].take(pa.array([at for _, at in pairs], pa.int64())))
        self.added.append(new.take(_only(after, before)))
        self.removed.append(old.take(_only(before, after)))


def ids_of(config: str) -> Sequence[str]:
    """Return the columns by which the rows of a config are told."""
    return _IDS.get(config, _OF_EPISODES)


def _columns(config: str, release: Released) -> list[str]:
    """Return the columns that are compared; none where the release has not the config."""
    if not release.has(config):
        return []
    schema = release.schema(config)
    return [one.name for one in schema if one.type != IMAGE and one.name != CANARY]


def _placed(config: str, table: pa.Table) -> dict[Id, tuple[int, Row]]:
    rows = _with_ids(config, table.to_pylist())
    return {key: (at, row) for at, (key, row) in enumerate(rows)}


def _only(these: Mapping[Id, tuple[int, Row]], those: Mapping[Id, Any]) -> pa.Array:
    return pa.array([at for key, (at, _) in these.items() if key not in those], pa.int64())


def _with_ids(config: str, rows: Iterable[Row]) -> Iterator[tuple[Id, Row]]:
    """Yield rows with their ids; of several with one id each has its number too."""
    ids = ids_of(config)
    seen: Counter[Id] = Counter()
    last: Any = None
    for row in rows:
        key = tuple(row[name] for name in ids)
        if key[0] != last:  # rows come by id, so that what was seen can be forgotten
            seen.clear()
            last = key[0]
        seen[key] += 1
        yield (key if seen[key] == 1 else (*key, seen[key])), row


def _differing(before: Row, after: Row) -> dict[str, tuple[Any, Any]]:
    return {name: (was, after[name]) for name, was in before.items() if was != after[name]}


def _rows(table: pa.Table) -> Iterator[Row]:
    for batch in table.to_batches(max_chunksize=_BLOCK):
        yield from batch.to_pylist()


def _joined(tables: Sequence[pa.Table], like: pa.Table) -> pa.Table:
    return pa.concat_tables(tables) if tables else like.slice(0, 0)
