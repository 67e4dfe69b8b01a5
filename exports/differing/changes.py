"""The rows that differ between two releases, config by config."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from exports.canary import COLUMN as CANARY
from exports.features import IMAGE
from exports.locking.lock import Lock

_IDS: Mapping[str, tuple[str, ...]] = {
    "images": ("image_id",),
    "vocabulary": ("type", "value"),
    "labels": ("image_id", "type", "value"),
    "false-premise": ("dialogue_id",),
    "candidate-set": ("dialogue_id", "turn"),
    "question-chain": ("chain_id",),
    "responses": ("run", "response_id"),
    "decisions": ("image_id", "object_id", "record_id", "field", "auditor"),
}
_OF_EPISODES = ("episode_id",)
Id = tuple[Any, ...]
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A row that is in both and differs: its fields with the value before and after."""

    id: Id
    fields: Mapping[str, tuple[Any, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What changed in one config; ``columns`` that only one of the two has."""

    config: str
    added: Sequence[Id] = ()
    removed: Mapping[Id, Row] = field(default_factory=dict)
    changed: Sequence[Changed] = ()
    added_columns: Sequence[str] = ()
    removed_columns: Sequence[str] = ()
    same: int = 0
    fields: Counter[str] = field(default_factory=Counter)

    @property
    def is_empty(self) -> bool:
        """Whether nothing changed."""
        return not (
            self.added or self.removed or self.changed or self.added_columns or self.removed_columns
        )


def changes_between(old: tuple[Path, Lock], new: tuple[Path, Lock]) -> list[Changes]:
    """Return what changed in each config that either has, in the order of the names.

    Rows are told by their ids, whatever their order; pictures by their hashes.
    """
    configs = sorted(old[1].configs.keys() | new[1].configs.keys())
    return [_changes(config, old, new) for config in configs]


def _changes(config: str, old: tuple[Path, Lock], new: tuple[Path, Lock]) -> Changes:
    digests = [lock.configs[config].digest for _, lock in (old, new) if config in lock.configs]
    if len(digests) == 2 and digests[0] == digests[1]:
        return Changes(config=config, same=old[1].configs[config].rows)
    before, columns_before = _rows(config, *old)
    after, columns_after = _rows(config, *new)
    both = [name for name in columns_before if name in columns_after]
    changed, counted = [], Counter[str]()
    for key in sorted(before.keys() & after.keys(), key=_order):
        fields = {
            name: (before[key][name], after[key][name])
            for name in both
            if before[key][name] != after[key][name]
        }
        if fields:
            changed.append(Changed(id=key, fields=fields))
            counted.update(fields)
    return Changes(
        config=config,
        added=sorted(after.keys() - before.keys(), key=_order),
        removed={key: before[key] for key in sorted(before.keys() - after.keys(), key=_order)},
        changed=changed,
        added_columns=[name for name in columns_after if columns_before and name not in both],
        removed_columns=[name for name in columns_before if columns_after and name not in both],
        same=len(before.keys() & after.keys()) - len(changed),
        fields=counted,
    )


def _rows(config: str, folder: Path, lock: Lock) -> tuple[dict[Id, Row], list[str]]:
    """Return the rows by id, and the columns; neither where the release has not the config."""
    held = lock.configs.get(config)
    if held is None:
        return {}, []
    schema = pq.read_schema(folder / held.paths[0])
    columns = [one.name for one in schema if one.type != IMAGE and one.name != CANARY]
    ids = _IDS.get(config, _OF_EPISODES)
    rows = (
        row
        for path in held.paths
        for row in pq.read_table(folder / path, columns=columns).to_pylist()
    )
    return dict(_told_apart(rows, ids)), columns


def _told_apart(rows: Iterable[Row], ids: Sequence[str]) -> Iterator[tuple[Id, Row]]:
    """Yield rows with their ids; of several with one id each has its number too."""
    seen: Counter[Id] = Counter()
    for row in rows:
        key = tuple(row[name] for name in ids)
        seen[key] += 1
        yield (key if seen[key] == 1 else (*key, seen[key])), row


def _order(key: Id) -> tuple[str, ...]:
    return tuple("" if part is None else str(part) for part in key)
