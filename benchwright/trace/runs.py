"""The runs that played a record: the score, what the record contributes, the release played."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from benchwright import store
from benchwright.errors import CorruptShard, UsageError
from benchwright.plain_text import excerpt
from benchwright.trace.naming import Kind
from benchwright.trace.played import contribution
from benchwright.trace.releases import add_release, add_whole_release, rows_of
from benchwright.trace.shelves import Row, Shelf, Shelves
from benchwright.trace.way import Node, Way

_ABOUT, _SCORES = "run.json", "scores.parquet"
_METRICS = 4  # figures of a score that are shown
_SCORE = ("metric", "by", "of", "value", "low", "high", "n", "coverage")
# with hidden-target the answers of the oracle are part of what is played
_ALSO_PLAYED = {"hidden-target": ("vocabulary", "labels")}


def runs_of(shelves: Shelves, only: str | None) -> list[Shelf]:
    """Return the runs of the workspace, or one; raises UsageError where it is not there."""
    runs = shelves.stages("runs/*")
    if only is None:
        return runs
    chosen = [one for one in runs if one.name == f"runs/{only.removeprefix('runs/')}"]
    if not chosen:
        names = ", ".join(excerpt(one.name.removeprefix("runs/")) for one in runs) or "none"
        raise UsageError(f"--run {excerpt(only)}: no such run; there are: {names}")
    return chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is looked for in runs: rows of a table, and the record that they are about."""

    kind: Kind
    table: str
    rows: pc.Expression
    record: pc.Expression  # the same in releases

    @property
    def files(self) -> str:
        """The files of a run that may hold it."""
        return f"{self.table}-*.parquet"


Released = dict[str, tuple[Shelf, list[Row]]]  # by the key of the step


def add_runs(
    way: Way, shelves: Shelves, wanted: Wanted, runs: Sequence[Shelf], extra: Shelf | None
) -> Released:
    """Add what runs made of a record; return the releases that they played, with its rows."""
    found: Released = {}
    for run in runs:
        rows = [*shelves.rows(run, wanted.files, wanted.rows)] if run.holds(wanted.files) else []
        if not rows:
            continue
        about = read_about(run)
        released = released_by(shelves, about, extra)
        records = rows_of(shelves, released, about["config"], wanted.record) if released else []
        score = add_score(way, shelves, run, about)
        answer = way.add(_answer(shelves, wanted.kind, run, rows, records), score)
        key = _add_release(way, shelves, run, about, records, answer, released)
        if released is not None:
            found[key] = (released, records)
    return found


def add_whole_run(way: Way, shelves: Shelves, name: str, extra: Shelf | None) -> None:
    """Add a run by its name, with the release that it played and what that was made of."""
    run = shelves.stage(f"runs/{name}")
    if run is None:
        raise UsageError(f"runs/{name}: is not finished; run its command again")
    about = read_about(run)
    score = add_score(way, shelves, run, about)
    released = released_by(shelves, about, extra)
    if released is None:
        _add_release(way, shelves, run, about, [], score, None)
    else:
        add_whole_release(way, shelves, released, score, _not_played(run, about, released))


def read_about(run: Shelf) -> Mapping[str, Any]:
    """Return what a run says of itself; raises CorruptShard where it does not."""
    path = run.folder / _ABOUT
    try:
        about: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
        _ = (about["run"], about["config"], about["player"], about["release"]["name"])
    except FileNotFoundError as error:
        raise CorruptShard(path, "is missing") from error
    except (ValueError, TypeError, KeyError) as error:
        raise CorruptShard(path, "does not say what the run was of") from error
    return about


def released_by(shelves: Shelves, about: Mapping[str, Any], extra: Shelf | None) -> Shelf | None:
    """Return the release that a run played where it is on this disk."""
    if extra is not None:
        return extra
    place = about["release"].get("place")
    here = [one for one in shelves.releases if one.name == place]
    if here:
        return here[0]
    name, _, tag = str(about["release"]["name"]).rpartition("@v")
    called = f"{Path(name).name}/{tag}" if name else about["release"]["name"]
    same = [one for one in shelves.releases if one.name == f"releases/{called}"]
    return same[0] if same else None


def add_score(way: Way, shelves: Shelves, run: Shelf, about: Mapping[str, Any]) -> str:
    """Add a run with the figures of its score, where it was scored."""
    whole = (pc.field("by") == "all") & (pc.field("of") == "all")
    rows = [row.values for row in shelves.rows(run, _SCORES, whole, _SCORE)]
    name = run.name.removeprefix("runs/")
    figures = [
        f"{row['metric']} {row['value']:.3f}" for row in rows[:_METRICS] if row["value"] is not None
    ]
    counts = run.manifest.counts if run.manifest else {}
    played = f"{counts.get('played', 0):,} of {counts.get('episodes', 0):,} played"
    said = f"{', '.join(figures)}; {played}" if rows else f"not scored yet; {played}"
    return way.add(
        Node(
            key=f"run:{name}",
            step="score" if rows else "run",
            says=(f"{about['player']} in {name}", said),
            facts={"run": name, "player": about["player"], "config": about["config"], "rows": rows},
            files=shelves.check(run, *([_SCORES] if rows else []), _ABOUT),
        )
    )


def _answer(
    shelves: Shelves, kind: Kind, run: Shelf, rows: Sequence[Row], records: Sequence[Any]
) -> Node:
    values = [row.values for row in rows]
    says, facts = contribution(kind, values, [record.values for record in records])
    builds = sorted({(one["part"], one["voter"]) for row in values for one in row["builds"]})
    if builds:
        says = [*says, "answered by " + ", ".join(f"{part} {voter}" for part, voter in builds)]
    name = run.name.removeprefix("runs/")
    return Node(
        key=f"answer:{name}",
        step="answer",
        says=tuple(says),
        facts={"run": name, **facts},
        files=shelves.check(run, *(row.file for row in rows)),
    )


def _add_release(
    way: Way,
    shelves: Shelves,
    run: Shelf,
    about: Mapping[str, Any],
    records: Sequence[Row],
    after: str,
    released: Shelf | None,
) -> str:
    """Add the release that was played, or that it is not here; return its key."""
    if released is not None:
        warnings = _not_played(run, about, released)
        return add_release(way, shelves, released, about["config"], records, warnings, after)
    said = about["release"]
    place = said.get("place")
    called = str(said["name"]) if place is None else f"{said['name']} ({place})"
    node = Node(
        key=f"end:{said['name']}",
        step="end",
        says=(
            f"the way ends here: {excerpt(called)} is not in this"
            " workspace; name its folder by --release",
        ),
        facts=dict(said),
    )
    return way.add(node, after)


def _not_played(run: Shelf, about: Mapping[str, Any], released: Shelf) -> tuple[str, ...]:
    """Return the warning for a release whose rows are not those that the run played."""
    configs = released.lock["configs"] if released.lock else {}
    wanted = run.manifest.plan.inputs.get("release") if run.manifest else None
    config = about["config"]
    kind = next((one for one in _ALSO_PLAYED if config.startswith(one)), "")
    names = (config, *_ALSO_PLAYED.get(kind, ()))
    if wanted is None or not all(name in configs for name in names):
        return ("its rows are not those that the run played",)
    found = store.digest_of([configs[name]["digest"] for name in names])
    return () if found == wanted else ("its rows are not those that the run played",)
