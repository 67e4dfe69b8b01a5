"""Why a row changed: the decision, the votes, the picture, the settings or the fault behind it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.decisions.fields import label_of
from exports.differing.changes import Changed
from exports.differing.comparing import Id, Row
from exports.locking.lock import LockedStage
from exports.verifying.released import Released

_LABELS, _IMAGES = "labels", "images"
_UNKNOWN = "its source changed"
Decisions = Mapping[tuple[str, ...], Sequence[Row]]
Errata = Mapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """What the newer of two releases says that the older does not.

    ``decisions`` are the new ones, by what they are about: the picture, type and value of a label,
    the picture and type of one, the id of another record. ``gone`` and ``come`` are pictures that
    only one of the two has, ``relabelled`` those with another label. By config, ``whole`` says
    that only one of the two has it, ``settings`` what was set otherwise, ``left_out`` why more is
    left out than before. ``errata`` are reasons, by config and id.
    """

    decisions: Decisions
    gone: Collection[str]
    come: Collection[str]
    relabelled: Collection[str]
    whole: Mapping[str, str]
    settings: Mapping[str, str]
    left_out: Mapping[str, str]
    errata: Errata

    def of_change(self, config: str, changed: Changed) -> str:
        """Return why a row changed, in a few words."""
        said = self._of_people(config, changed.id)
        if said is not None:
            return said
        if config == _LABELS and "score" in changed.fields:
            before, after = changed.fields["score"]
            return f"votes: score {_number(before)} to {_number(after)}"
        return self._otherwise(config, changed.row)

    def of_row(self, config: str, key: Id, row: Row) -> str:
        """Return why a row came or is gone, in a few words."""
        pictures = _pictures(row)
        said = self._of_people(config, key)
        if said is not None:
            return said
        if config == _IMAGES:
            return "samples show it" if key[0] in self.come else "no sample shows it any more"
        if config in self.whole:
            return self.whole[config]
        if any(name in self.gone for name in pictures):
            return "a picture of it is no longer released"
        if config == _LABELS and any(name in self.come for name in pictures):
            return "its picture is new"
        return self._otherwise(config, row)

    def _of_people(self, config: str, key: Id) -> str | None:
        fault = self.errata.get((config, str(key[0])))
        if fault is not None:
            return f"erratum: {fault}"
        for thing in _things(config, key):
            decided = self.decisions.get(thing)
            if decided:
                said = sorted({f"{one['auditor']} {one['verdict']}" for one in decided})
                of = " another value" if thing == key[:2] and config == _LABELS else ""
                return f"audit: {', '.join(said)}{of}"
        return None

    def _otherwise(self, config: str, row: Row) -> str:
        if config in self.settings:
            return self.settings[config]
        if config.startswith("hidden-target-") and self.relabelled:
            is_its = any(name in self.relabelled for name in _pictures(row))
            return f"labels of {'its' if is_its else 'other'} pictures changed"
        return self.left_out.get(config, _UNKNOWN)


def grounds_of(
    old: Released, new: Released, relabelled: Collection[str], errata: Errata
) -> Grounds:
    """Return the grounds of the changes between two releases."""
    before = {_key(row) for row in _decisions(old)}
    found: dict[tuple[str, ...], list[Row]] = {}
    for row in _decisions(new):
        if _key(row) not in before:
            for thing in _about(row):
                found.setdefault(thing, []).append(row)
    was, now = (set(release.column(_IMAGES, "image_id")) for release in (old, new))
    return Grounds(
        decisions=found,
        gone=was - now,
        come=now - was,
        relabelled=relabelled,
        whole=dict(_whole(old, new)),
        settings=dict(_settings(old, new)),
        left_out=dict(_left_out(old, new)),
        errata=errata,
    )


def _about(row: Row) -> Iterator[tuple[str, ...]]:
    """Yield what a decision is about."""
    label = label_of(row["field"]) if row["record_id"] is None else None
    if label is not None:
        yield row["image_id"], *label
        yield row["image_id"], label[0]
    elif row["record_id"] is not None:
        yield (row["record_id"],)


def _things(config: str, key: Id) -> list[tuple[str, ...]]:
    """Return by what decisions about a row are found, the nearest first."""
    parts = tuple(str(part) for part in key)
    if config == _LABELS:
        return [parts[:3], parts[:2]]
    if config == "candidate-set":
        return [(f"{parts[0]}/{parts[1]}",)]
    return [parts[:1]]


def _pictures(row: Row) -> Sequence[str]:
    shown = row.get("image_ids") or [row.get("image_id")]
    return [name for name in shown if name is not None]


def _whole(old: Released, new: Released) -> Iterator[tuple[str, str]]:
    for config in old.lock.configs.keys() ^ new.lock.configs.keys():
        yield config, "the config is new" if new.has(config) else "the config is gone"


def _left_out(old: Released, new: Released) -> Iterator[tuple[str, str]]:
    for config, reasons in new.lock.left_out.items():
        before = old.lock.left_out.get(config, {})
        more = [name for name, count in sorted(reasons.items()) if count > before.get(name, 0)]
        if more:
            yield config, f"left out: {', '.join(more)}"


def _settings(old: Released, new: Released) -> Iterator[tuple[str, str]]:
    """Yield what was set otherwise for the samples of a config."""
    for stage, made in new.lock.stages.items():
        before = old.lock.stages.get(stage)
        config = stage.removesuffix("/drafts").removeprefix("dialogues/")
        config = config.replace("galleries/", "hidden-target-")
        if before is None:
            continue
        changed = sorted(_set_otherwise(before, made))
        if changed:
            yield config, f"made with other settings: {', '.join(changed)}"


def _set_otherwise(before: LockedStage, made: LockedStage) -> Iterator[str]:
    was, now = ({**stage.settings, "seed": stage.seed} for stage in (before, made))
    for name in was.keys() | now.keys():
        if was.get(name) != now.get(name):
            yield f"{name} {was.get(name)} to {now.get(name)}"


def _number(score: float | None) -> str:
    return "none" if score is None else f"{score:.3f}"


def _key(row: Row) -> tuple[Any, ...]:
    names = ("image_id", "object_id", "record_id", "field", "auditor", "before", "after", "verdict")
    return tuple(row[name] for name in names)


def _decisions(release: Released) -> list[Row]:
    if not release.has("decisions"):
        return []
    return list(release.table("decisions", release.schema("decisions").names).to_pylist())
