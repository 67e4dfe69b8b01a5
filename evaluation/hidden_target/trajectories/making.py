"""Makes training data of runs: a folder with steps and pairs, as tables and as JSON Lines."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path

import pyarrow as pa

from benchwright import store
from benchwright.errors import UsageError, WorkspaceError
from benchwright.rows import content_digest, to_table
from benchwright.run_records import Trajectory
from benchwright.step_records import Pair, Step
from evaluation.hidden_target.metrics.replaying import Replayed, replayed
from evaluation.hidden_target.scoring.opened import OpenedRun
from evaluation.hidden_target.trajectories.pairs import pairs_of
from evaluation.hidden_target.trajectories.rewards import RewardSettings
from evaluation.hidden_target.trajectories.steps import Setting, steps_of
from evaluation.hidden_target.trajectories.summary import Summary
from evaluation.hidden_target.wording import question_texts

STAGE = "trajectories"
_CONFIGS = {"steps": "steps-*.parquet", "pairs": "pairs-*.parquet"}
_OWNS = ("steps-*.parquet", "pairs-*.parquet", "steps-*.jsonl", "pairs-*.jsonl")
_EPISODES = 256  # of a shard; what is made of them is held in memory


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
    with store.writing(folder, plan, configs=_CONFIGS, owns=_OWNS) as writer:
        making = _Making(writer=writer, summary=Summary.of(runs))
        writer.shards_of("steps", making.steps(_episodes(runs, rewards)))
        writer.shards_of("pairs", making.pairs())
        writer.counts = making.summary.counts()
    return making.summary


Episode = Sequence[tuple[Replayed, Setting]]  # in each run that has it


@dataclass(slots=True, kw_only=True)
class _Making:
    """Makes shards of steps; the pairs of each are kept on the disk until their turn comes."""

    writer: store.StageWriter
    summary: Summary
    shards: int = 0

    def steps(self, episodes: Iterator[Episode]) -> Iterator[pa.Table]:
        """Yield the steps, shard by shard; at least one."""
        while (some := list(islice(episodes, _EPISODES))) or not self.shards:
            steps: list[Step] = []
            pairs: list[Pair] = []
            for one in some:
                of_runs = [list(steps_of(*each)) for each in one]
                found = [step for of_run in of_runs for step in of_run]
                steps += found
                pairs += (of_episode := list(pairs_of(found)))
                for (episode, _), of_run in zip(one, of_runs, strict=True):
                    self.summary.add(episode, of_run)
                self.summary.add_pairs(of_episode)
            table = to_table(steps, Step)
            self.writer.file(f"{_shard('steps', self.shards)}.jsonl", _lines(table))
            self.writer.keep(_shard("pairs", self.shards), to_table(pairs, Pair))
            self.shards += 1
            yield table

    def pairs(self) -> Iterator[pa.Table]:
        """Yield the pairs of all shards of steps."""
        for number in range(self.shards):
            name = _shard("pairs", number)
            table = self.writer.kept(name)
            if table is None:  # written a moment ago: somebody else had a hand in it
                raise WorkspaceError(f"{self.writer.folder}: lost {name}; run it again")
            self.writer.file(f"{name}.jsonl", _lines(table))
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
        rules = replace(rules, turns=max(rules.turns, *_turns(run.played.finished)))
    return Setting(
        release=run.on.release,
        terms=run.terms,
        rules=rules,
        texts=question_texts(run.terms, rules.noun),
        rewards=rewards,
    )


def _turns(played: Iterable[Trajectory]) -> list[int]:
    return [len(one.turns) for one in played]


def _digest(run: OpenedRun) -> str:
    return content_digest([to_table(run.played.finished, Trajectory)])


def _lines(table: pa.Table) -> bytes:
    rows = (json.dumps(row, ensure_ascii=False) for row in table.to_pylist())
    return "".join(f"{row}\n" for row in rows).encode()


def _shard(name: str, number: int) -> str:
    return f"{name}-{number:05d}"


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
