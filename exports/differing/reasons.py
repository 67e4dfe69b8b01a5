"""Why a row changed: the decision, the votes, the picture, the settings or the fault behind it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchwright.decisions.fields import label_of
from exports.differing.changes import Changed
from exports.differing.comparing import Id, Row
from exports.differing.takedowns import TakenDown, pictures_of
from exports.locking.lock import LockedStage
from exports.verifying.released import Released

_LABELS, _IMAGES, _DECISIONS = "labels", "images", "decisions"
_UNKNOWN = "its source changed"
_GONE = "a picture of it is no longer released"
_NO_IDS = "ids differ, so samples cannot be compared"
Decisions = Mapping[tuple[str, ...], Sequence[Row]]
Errata = Mapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """What the newer of two releases says that the older does not.

    ``decisions`` are the new ones, by what they are about: the picture, type and value of a label,
    the picture and type of one, the id of another record. ``gone`` and ``come`` are pictures that
    only one of the two has, ``relabelled`` those with another label. By config, ``whole`` says
    that only one of the two has it, ``held`` that only one of the two holds back its answers,
    ``settings`` what was set otherwise, ``left_out`` why more is left out than before. ``errata``
    are reasons, by config and id. ``two`` are the names where these are two datasets: nothing of
    one then explains the other.
    """

    decisions: Decisions
    gone: Collection[str]
    come: Collection[str]
    relabelled: Collection[str]
    whole: Mapping[str, str]
    held: Mapping[str, str]
    settings: Mapping[str, str]
    left_out: Mapping[str, str]
    errata: Errata
    takedowns: TakenDown = field(default_factory=TakenDown)
    two: tuple[str, str] | None = None

    def of_change(self, config: str, changed: Changed) -> str:
        """Return why a row changed, in a few words."""
        if self.two is not None:
            return f"{self.two[0]} and {self.two[1]} say otherwise"
        if config == _DECISIONS:
            return "decided anew"
        said = self.held.get(config) or self._of_people(config, changed.id)
        if said is not None:
            return said
        if config == _LABELS and "score" in changed.fields:
            before, after = changed.fields["score"]
            return f"votes: score {_number(before)} to {_number(after)}"
        return self._otherwise(config, changed.row)

    def of_added(self, config: str, key: Id, row: Row) -> str:
        """Return why a row came, in a few words."""
        return next(why for why in self._why_added(config, key, row) if why is not None)

    def of_removed(self, config: str, key: Id, row: Row) -> str:
        """Return why a row is gone, in a few words."""
        return next(why for why in self._why_removed(config, key, row) if why is not None)

    def _why_added(self, config: str, key: Id, row: Row) -> Iterator[str | None]:
        """Yield what explains a row that came, the nearest first."""
        is_new = any(name in self.come for name in pictures_of(row))
        if self.two is not None:
            yield f"only {self.two[1]} has it"
        if config == _IMAGES and is_new:
            yield "samples show it"
        if config == _DECISIONS:
            yield self.held.get(config)
            yield "its picture is new" if is_new else "a new decision"
        yield self.whole.get(config)
        if config in self.held:
            yield f"{self.held[config]}: {_NO_IDS}"
        yield self._decided(config, key)
        if config == _LABELS and is_new:
            yield "its picture is new"
        yield self._otherwise(config, row)

    def _why_removed(self, config: str, key: Id, row: Row) -> Iterator[str | None]:
        """Yield what explains a row that is gone, the nearest first."""
        is_gone = any(name in self.gone for name in pictures_of(row))
        if self.two is not None:
            yield f"only {self.two[0]} has it"
        if config == _DECISIONS:
            yield self.held.get(config)
            yield _GONE if is_gone else "what it is about is no longer released"
        yield self._of_people(config, key)
        if config == _IMAGES:
            yield self._why_unseen(str(key[0]))
        if self.takedowns.holds_for(config, row):
            yield "a picture of it was taken down"
        if config in self.held:
            yield f"{self.held[config]}: {_NO_IDS}"
        if config in self.whole:
            yield self.left_out.get(config, self.whole[config])
        yield _GONE if is_gone else self._otherwise(config, row)

    def _why_unseen(self, image_id: str) -> str:
        if image_id in self.takedowns.pictures:
            return "taken down"
        unseen = "no sample shows it any more"
        return f"taken down, or {unseen}" if self.takedowns.some else unseen

    def _of_people(self, config: str, key: Id) -> str | None:
        fault = self.errata.get((config, str(key[0])))
        if fault is not None:
            return f"erratum: {fault}"
        return self._decided(config, key)

    def _decided(self, config: str, key: Id) -> str | None:
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
            is_its = any(name in self.relabelled for name in pictures_of(row))
            return f"labels of {'its' if is_its else 'other'} pictures changed"
        return self.left_out.get(config, _UNKNOWN)


def grounds_of(
    old: Released,
    new: Released,
    relabelled: Collection[str],
    errata: Errata,
    takedowns: TakenDown,
) -> Grounds:
    """Return the grounds of the changes between two releases."""
    before = {_key(row) for row in _decisions(old)}
    found: dict[tuple[str, ...], list[Row]] = {}
    for row in _decisions(new):
        if _key(row) not in before:
            for thing in _about(row):
                found.setdefault(thing, []).append(row)
    names = old.lock.name, new.lock.name
    return Grounds(
        decisions=found,
        gone=takedowns.gone,
        come=gone_pictures(new, old),
        relabelled=relabelled,
        whole=dict(_whole(old, new)),
        held=dict(_held(old, new)),
        settings=dict(_settings(old, new)),
        left_out=dict(_left_out(old, new)),
        errata=errata,
        takedowns=takedowns,
        two=names if names[0] != names[1] else None,
    )


def gone_pictures(old: Released, new: Released) -> frozenset[str]:
    """Return the pictures that only the older has."""
    was, now = (release.column(_IMAGES, "image_id") for release in (old, new))
    return frozenset(was).difference(now)


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


def _whole(old: Released, new: Released) -> Iterator[tuple[str, str]]:
    for config in old.lock.configs.keys() ^ new.lock.configs.keys():
        yield config, "the config is new" if new.has(config) else "the config is gone"


def _held(old: Released, new: Released) -> Iterator[tuple[str, str]]:
    """Yield the configs whose answers only one of the two holds back, and their decisions."""
    both = old.lock.configs.keys() & new.lock.configs.keys()
    known: set[str] = set()
    for config in sorted(both):
        is_now = new.holds_back(config)
        if old.holds_back(config) != is_now:
            known.add(said := f"answers are {'' if is_now else 'no longer '}held back")
            yield config, said
    if len(known) == 1:  # what people decided of these samples would tell the answers
        yield _DECISIONS, known.pop()


def _left_out(old: Released, new: Released) -> Iterator[tuple[str, str]]:
    for config, reasons in new.lock.left_out.items():
        before = old.lock.left_out.get(config, {})
        more = [name for name, count in sorted(reasons.items()) if count > before.get(name, 0)]
        if more:
            yield config, f"left out: {', '.join(more)}"


def _settings(old: Released, new: Released) -> Iterator[tuple[str, str]]:
    """Yield what was set otherwise for the samples of a config.

    Where answers are held back the seed is too: it is no other for that.
    """
    for stage, made in new.lock.stages.items():
        before = old.lock.stages.get(stage)
        config = stage.removesuffix("/drafts").removeprefix("dialogues/")
        config = config.replace("galleries/", "hidden-target-")
        config = "trajectories" if stage.startswith("runs/") else config
        if before is None:
            continue
        changed = sorted(_set_otherwise(before, made))
        if changed:
            yield config, f"made with other settings: {', '.join(changed)}"


def _set_otherwise(before: LockedStage, made: LockedStage) -> Iterator[str]:
    was, now = (
        {**stage.settings, **({} if None in (before.seed, made.seed) else {"seed": stage.seed})}
        for stage in (before, made)
    )
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
