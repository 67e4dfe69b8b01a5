"""Makes training data of runs: a folder with steps and pairs, as tables and as JSON Lines."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Generic, TypeVar

import pyarrow as pa

from benchwright import store
from benchwright.errors import UsageError, WorkspaceError
from benchwright.records import Pair, Step
from benchwright.rows import to_table
from evaluation.hidden_target.metrics.replaying import Replayed, replayed
from evaluation.hidden_target.scoring.opened import OpenedRun
from evaluation.hidden_target.trajectories.pairs import pairs_of
from evaluation.hidden_target.trajectories.rewards import RewardSettings
from evaluation.hidden_target.trajectories.steps import Setting, steps_of
from evaluation.hidden_target.trajectories.summary import Summary
from evaluation.hidden_target.wording import question_texts
from evaluation.running.naming import name_from

R = TypeVar("R")
STAGE = "trajectories"
_CONFIGS = {"steps": "steps-*.parquet", "pairs": "pairs-*.parquet"}
_OWNS = ("steps-*.parquet", "pairs-*.parquet", "steps-*.jsonl", "pairs-*.jsonl")
_LONGEST = 160  # characters of the name of a folder
_ROWS = 4_096  # of a shard, or what an episode adds to that; they are held in memory


def folder_name(runs: Sequence[str]) -> str:
    """Return how a folder with the trajectories of these runs is called.

    By their names; where those are no names of folders, or together too long for one, by the first
    and a hash of all.
    """
    whole = ".".join(runs)
    first = name_from(runs[0], "run")
    if len(whole) <= _LONGEST and [name_from(run, "run") for run in runs] == list(runs):
        return whole
    more = f".and-{len(runs) - 1}-more" if len(runs) > 1 else ""
    return f"{first}{more}.{store.digest_of(list(runs))[:8]}"


def make_trajectories(runs: Sequence[OpenedRun], rewards: RewardSettings, folder: Path) -> Summary:
    """Write the steps of runs of the same episodes, and pairs of their questions, into a folder.

    Episodes come in the order of the config, and within one the runs in the order given. Those
    that failed are left out. The same runs and rewards give the same bytes.

    Raises UsageError where runs are not of the same episodes, two have one name, nothing was
    played to its end, or the folder holds something else.
    """
    _check(runs)
    _check_folder(folder)
    plan = store.Plan(
        stage=STAGE,
        inputs={
            "release": runs[0].on.digest,
            **{f"runs/{one.played.name}": _digest(one) for one in runs},
        },
        settings={"config": runs[0].on.config, "rewards": asdict(rewards)},
    )
    summary = Summary.of(runs)
    with store.writing(folder, plan, configs=_CONFIGS, owns=_OWNS) as writer:
        making = _Making(writer, summary)
        writer.shards_of("steps", making.steps(_episodes(runs, rewards)))
        writer.shards_of("pairs", making.pairs())
        writer.counts = summary.counts()
    return summary


Episode = Sequence[tuple[Replayed, Setting]]  # in each run that has it


@dataclass(slots=True)
class _Waiting(Generic[R]):
    """Rows of one kind that wait until they are enough for a shard.

    A shard without rows would keep ``datasets`` from loading the others: there is none but where
    there is nothing else.
    """

    name: str
    kind: type[R]
    rows: list[R] = field(default_factory=list)
    shards: int = 0

    def taken(self, *, is_last: bool = False) -> Iterator[tuple[str, pa.Table]]:
        """Yield a shard with its name, where there are enough rows, or the last ones."""
        if len(self.rows) >= _ROWS or (is_last and (self.rows or not self.shards)):
            yield f"{self.name}-{self.shards:05d}", to_table(self.rows, self.kind)
            self.rows, self.shards = [], self.shards + 1


class _Making:
    """Makes shards of steps; those of pairs are kept on the disk until their turn comes."""

    def __init__(self, writer: store.StageWriter, summary: Summary) -> None:
        self._writer, self._summary = writer, summary
        self._steps, self._pairs = _Waiting("steps", Step), _Waiting("pairs", Pair)
        self._kept: list[str] = []

    def steps(self, episodes: Iterable[Episode]) -> Iterator[pa.Table]:
        """Yield the steps, shard by shard."""
        for one in episodes:
            self._add(one)
            yield from self._shards()
        yield from self._shards(is_last=True)

    def pairs(self) -> Iterator[pa.Table]:
        """Yield the pairs of all steps, shard by shard."""
        for name in self._kept:
            table = self._writer.kept(name)
            if table is None:  # written a moment ago: somebody else had a hand in it
                raise WorkspaceError(f"{self._writer.folder}: lost {name}; run it again")
            self._writer.file(f"{name}.jsonl", _lines(table))
            yield table

    def _add(self, one: Episode) -> None:
        of_runs = [list(steps_of(*each)) for each in one]
        steps = [step for of_run in of_runs for step in of_run]
        pairs = list(pairs_of(steps))
        for (episode, _), of_run in zip(one, of_runs, strict=True):
            self._summary.add(episode, of_run)
        self._summary.add_pairs(pairs)
        self._steps.rows += steps
        self._pairs.rows += pairs

    def _shards(self, *, is_last: bool = False) -> Iterator[pa.Table]:
        for name, table in self._pairs.taken(is_last=is_last):
            self._writer.keep(name, table)
            self._kept.append(name)
        for name, table in self._steps.taken(is_last=is_last):
            self._writer.file(f"{name}.jsonl", _lines(table))
            yield table


def _episodes(runs: Sequence[OpenedRun], rewards: RewardSettings) -> Iterator[Episode]:
    settings = [_setting(one, rewards) for one in runs]
    played = [{each.episode_id: each for each in one.played.finished} for one in runs]
    for gallery in runs[0].galleries:
        yield [
            (
                replayed(
                    gallery,
                    replace(found[gallery.episode_id], run=one.played.name),
                    is_by_labels=one.played.verifier == "labels",
                ),
                setting,
            )
            for one, found, setting in zip(runs, played, settings, strict=True)
            if gallery.episode_id in found
        ]


def _setting(run: OpenedRun, rewards: RewardSettings) -> Setting:
    rules = run.rules
    if run.folder is None:  # it does not say how many turns there were
        played = (len(one.turns) for one in run.played.finished)
        rules = replace(rules, turns=max(rules.turns, max(played, default=0)))
    return Setting(
        release=run.on.release,
        terms=run.terms,
        rules=rules,
        texts=question_texts(run.terms, rules.noun),
        rewards=rewards,
    )


def _digest(run: OpenedRun) -> str:
    return store.digest_of([asdict(one) for one in run.played.finished])


def _lines(table: pa.Table) -> bytes:
    rows = (json.dumps(row, ensure_ascii=False) for row in table.to_pylist())
    return "".join(f"{row}\n" for row in rows).encode()


def _check(runs: Sequence[OpenedRun]) -> None:
    names = [one.played.name for one in runs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two runs are called {twice}; name each run once")
    first = runs[0]
    for one in runs:
        if (one.on.digest, one.on.config) != (first.on.digest, first.on.config):
            raise UsageError(
                f"{first.played.name} and {one.played.name}: were not played on the same episodes"
                " and labels; make the trajectories of each by itself"
            )
    if not any(one.played.finished for one in runs):
        raise UsageError(f"{', '.join(names)}: no episode was played to its end; run it again")


def _check_folder(folder: Path) -> None:
    """Raise UsageError for a folder with what no earlier run of this step wrote."""
    if not folder.is_dir() or not any(folder.iterdir()) or (folder / store.PARTS).is_dir():
        return
    manifest = store.load_manifest(folder)
    if manifest is None or manifest.plan.stage != STAGE:
        raise UsageError(f"{folder}: holds something else; name a new folder by --out")
