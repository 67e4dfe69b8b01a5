"""Why a row changed: the decision, the votes, the picture or the fault behind it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from exports.differing.changes import Changed, Id
from exports.locking.lock import Lock

_LABELS = "labels"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """What the newer of two releases says that the older does not.

    ``decisions`` are the new ones, by the thing that they are about: (image, field) of labels, the
    id of other records. ``gone`` are pictures that only the older has, ``errata`` ids of faults.
    """

    decisions: Mapping[tuple[str, ...], Sequence[Mapping[str, Any]]]
    gone: Collection[str]
    errata: Mapping[str, str]


def grounds_of(
    old: tuple[Path, Lock], new: tuple[Path, Lock], errata: Mapping[str, str]
) -> Grounds:
    """Return the grounds of the changes between two releases."""
    before = {_key(row) for row in _decisions(*old)}
    found: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
    for row in _decisions(*new):
        if _key(row) not in before:
            thing = (row["record_id"],) if row["record_id"] else (row["image_id"], row["field"])
            found.setdefault(thing, []).append(row)
    gone = _pictures(*old) - _pictures(*new)
    return Grounds(decisions=found, gone=gone, errata=errata)


def why_changed(config: str, changed: Changed, grounds: Grounds) -> str:
    """Return why a row changed, in a few words."""
    thing = _thing(config, changed.id)
    if thing[-1] in grounds.errata:
        return f"erratum: {grounds.errata[thing[-1]]}"
    decided = grounds.decisions.get(thing)
    if decided:
        return _decided(decided)
    if config == _LABELS and "score" in changed.fields:
        before, after = changed.fields["score"]
        return f"votes: score {_number(before)} to {_number(after)}"
    if config.startswith("hidden-target") and changed.fields.keys() != {"seed"}:
        return "labels of its pictures changed"
    return "its source or its settings changed"


def why_removed(config: str, key: Id, row: Mapping[str, Any], grounds: Grounds) -> str:
    """Return why a row is gone, in a few words."""
    thing = _thing(config, key)
    if thing[-1] in grounds.errata:
        return f"erratum: {grounds.errata[thing[-1]]}"
    pictures = row.get("image_ids") or [row.get("image_id")]
    lost = [name for name in pictures if name in grounds.gone]
    if config != "images" and lost:
        return f"picture {lost[0]} is no longer released"
    decided = grounds.decisions.get(thing)
    return _decided(decided) if decided else "its source or its settings changed"


def _thing(config: str, key: Id) -> tuple[str, ...]:
    parts = [str(part) for part in key]
    if config == _LABELS:
        return parts[0], f"{parts[1]}/{parts[2]}"
    if config == "candidate-set":
        return (f"{parts[0]}/{parts[1]}",)
    return (parts[0],)


def _decided(decisions: Sequence[Mapping[str, Any]]) -> str:
    said = sorted({f"{one['auditor']} {one['verdict']}" for one in decisions})
    return f"audit: {', '.join(said)}"


def _number(score: float | None) -> str:
    return "none" if score is None else f"{score:.3f}"


def _key(row: Mapping[str, Any]) -> tuple[Any, ...]:
    names = ("image_id", "object_id", "record_id", "field", "auditor", "before", "after", "verdict")
    return tuple(row[name] for name in names)


def _decisions(folder: Path, lock: Lock) -> list[Mapping[str, Any]]:
    return _read(folder, lock, "decisions", None)


def _pictures(folder: Path, lock: Lock) -> set[str]:
    return {row["image_id"] for row in _read(folder, lock, "images", ["image_id"])}


def _read(
    folder: Path, lock: Lock, config: str, columns: list[str] | None
) -> list[Mapping[str, Any]]:
    held = lock.configs.get(config)
    rows: list[Mapping[str, Any]] = []
    for path in held.paths if held is not None else ():
        rows += pq.read_table(folder / path, columns=columns).to_pylist()
    return rows
