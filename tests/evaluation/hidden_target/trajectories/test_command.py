"""run-benchmark trajectories: what it writes of runs, what loads, what is refused."""

import json
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import asdict, replace
from itertools import pairwise
from math import fsum, log2
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pyarrow.parquet as pq
import pytest
from datasets import disable_progress_bars, load_dataset

from benchwright import store
from benchwright.records import Pair, Step, Trajectory
from benchwright.rows import from_table, to_table
from benchwright.workspace import Workspace
from evaluation.hidden_target.trajectories import making

disable_progress_bars()

Make = Callable[..., Any]
BOTH = "greedy.noisy"


@pytest.fixture
def make(run: Callable[..., Any], ran: Workspace) -> Make:
    """Run the command in the workspace with the two runs."""

    def made(*said: Any, code: int = 0) -> Any:
        found = run("run-benchmark", "trajectories", *said, "--workspace", ran.root)
        assert found.code == code, found.out + found.err
        return found

    return made


def steps_in(folder: Path) -> list[Step]:
    return list(from_table(store.read_table(folder, "steps-*.parquet"), Step))


def pairs_in(folder: Path) -> list[Pair]:
    return list(from_table(store.read_table(folder, "pairs-*.parquet"), Pair))


def by_episode(steps: list[Step]) -> dict[tuple[str, str], list[Step]]:
    found = defaultdict(list)
    for step in steps:
        found[step.run, step.episode_id].append(step)
    return found


def trajectories_of(folder: Path) -> list[Trajectory]:
    return list(from_table(store.read_table(folder, "trajectories-*.parquet"), Trajectory))


def put(folder: Path, played: list[Trajectory], planned: int) -> None:
    """Put other episodes into a run, as if it had been stopped."""
    plan, about = store.require(folder, "").plan, (folder / "run.json").read_bytes()
    owns = ("*.parquet", "*.json")
    with store.writing(folder, plan, configs={"t": "trajectories-*.parquet"}, owns=owns) as writer:
        writer.shards("trajectories", to_table(played, Trajectory))
        writer.file("run.json", about)
        writer.counts = {"episodes": planned, "played": 0, "failed": 0}


def test_steps_and_pairs_of_two_runs(
    make: Make, ran: Workspace, verify: Callable[..., None]
) -> None:
    said = make("greedy", "noisy").out.splitlines()
    folder = ran.root / "trajectories" / BOTH
    verify(folder)
    steps, pairs = steps_in(folder), pairs_in(folder)
    loads = [f'load_dataset("{folder}", "{name}")' for name in ("steps", "pairs")]
    assert said[0] == f"steps: {len(steps):,} of 34 episodes in 2 runs"
    assert said[-1].startswith(f"next: {' and '.join(loads)} of datasets;")
    assert max(map(len, said[1:-1])) <= 120
    episodes = by_episode(steps)
    assert len(episodes) == 34
    for found in episodes.values():
        assert [one.step for one in found] == list(range(1, len(found) + 1))
        assert all(one.next_feasible == after.feasible for one, after in pairwise(found))
        pictures, last = len(found[0].image_ids), found[-1]
        # what was gained is what is known before the guess; no detour pays
        known = log2(pictures / (last.feasible_size or pictures))
        assert fsum(one.information_gain for one in found) == pytest.approx(known, abs=1e-4)
        assert last.is_terminal
    # the reference questioner never regrets what tells most, and is in no pair
    greedy = [one for one in steps if one.run == "greedy" and one.kind == "question"]
    assert all(one.action == one.reference for one in greedy)
    assert {one.run for one in pairs} == {"noisy"}
    assert all(one.margin > 0 for one in pairs)
    assert {one.release for one in pairs} == {"dresses/1.0.0"}
    counts = store.require(folder, "").counts
    assert (counts["steps"], counts["pairs"]) == (len(steps), len(pairs))


def test_verified_episodes_are_paid_all_bits_and_the_guess(make: Make, ran: Workspace) -> None:
    make("greedy")
    verified = [
        found
        for found in by_episode(steps_in(ran.root / "trajectories" / "greedy")).values()
        if found[-1].terminal_reward == 1
    ]
    assert verified
    for found in verified:
        bits = log2(len(found[0].image_ids))
        assert fsum(one.reward for one in found) == pytest.approx(bits + 1, abs=1e-4)


def test_it_loads_as_preference_training_takes_it(make: Make, ran: Workspace) -> None:
    make("greedy", "noisy")
    folder = str(ran.root / "trajectories" / BOTH)
    steps = load_dataset(folder, split="train")
    assert steps.column_names[:3] == ["run", "player", "release"]
    pair = load_dataset(folder, "pairs", split="train")[0]
    assert [one["role"] for one in pair["prompt"]][-1] == "user"
    assert [one["role"] for one in pair["prompt"]][::2] == ["user"] * (len(pair["prompt"]) // 2 + 1)
    for said in (pair["chosen"], pair["rejected"]):
        ((part,),) = [one["content"] for one in said]
        assert (said[0]["role"], part["type"]) == ("assistant", "text")
        assert part["text"].endswith("?")
    shown = [part for one in pair["prompt"] for part in one["content"] if part["type"] == "image"]
    assert len(shown) == len(pair["image_ids"])
    images = load_dataset(str(ran.releases / "dresses" / "1.0.0"), "images", split="test")
    assert set(pair["image_ids"]) <= set(images["image_id"])


def test_json_lines_hold_the_same(make: Make, ran: Workspace) -> None:
    make("greedy", "noisy")
    folder = ran.root / "trajectories" / BOTH
    for name in ("steps", "pairs"):
        rows = [
            json.loads(line)
            for path in sorted(folder.glob(f"{name}-*.jsonl"))
            for line in path.read_text("utf-8").splitlines()
        ]
        assert rows == store.read_table(folder, f"{name}-*.parquet").to_pylist()


def test_the_same_runs_give_the_same_bytes(make: Make, ran: Workspace, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("a", "b")]
    for folder in folders:
        make("greedy", "noisy", "--out", folder)
        make("greedy", "noisy", "--out", folder)  # again in its place
    first, second = (
        {
            path.name: path.read_bytes()
            for path in folder.iterdir()
            if path.name not in ("manifest.json", ".lock")
        }
        for folder in folders
    )
    assert first == second
    assert len(first) == 5


def test_rewards_are_set_by_options(make: Make, ran: Workspace) -> None:
    make("greedy", "--per-bit", "0", "--right", "5", "--wrong-penalty", "2")
    folder = ran.root / "trajectories" / "greedy"
    assert {one.reward for one in steps_in(folder)} <= {0.0, 5.0, -2.0}
    settings = store.require(folder, "").plan.settings
    assert settings["rewards"] == {"skip": 0.25, "per_bit": 0.0, "right": 5.0, "wrong": 2.0}


def test_what_was_not_finished_is_left_out_and_counted(make: Make, ran: Workspace) -> None:
    one, two, three, *_ = trajectories_of(ran.runs / "greedy")
    played = [
        replace(one, end="failed", guess=None),
        replace(two, end="out_of_turns", guess=None, guess_text=None),
        replace(three, turns=(), end="out_of_turns", guess=None),
    ]
    put(ran.runs / "greedy", played, planned=17)
    said = make("greedy").out
    for line in (
        "of 2 episodes in 1 run\n",
        "  1 without a guess: their last steps are marked as truncated\n",
        "  1 left out: failed for want of a server's answer\n",
        "  14 not there: not played, or not to be read\n",
        "  1 without a step: neither a turn nor a guess\n",
        "pairs: 0\n",
    ):
        assert line in said
    found = steps_in(ran.root / "trajectories" / "greedy")
    assert {one.episode_id for one in found} == {two.episode_id}
    assert [one.is_truncated for one in found] == [False] * (len(two.turns) - 1) + [True]
    # datasets loads no table without rows
    assert said.splitlines()[-1].startswith("next: ")
    assert '"steps")' in said
    assert '"pairs"' not in said
    readme = (ran.root / "trajectories" / "greedy" / "README.md").read_text("utf-8")
    assert "pairs" not in readme


def test_a_run_made_elsewhere(make: Make, ran: Workspace, tmp_path: Path) -> None:
    """The same episodes in another form give the same steps, but for what was said to batches.

    Labels are believed, and no constraint that somebody wrote down.
    """
    release = ran.releases / "dresses" / "1.0.0"
    path = tmp_path / "theirs.jsonl"
    rows = [asdict(one) | {"uploads": []} for one in trajectories_of(ran.runs / "noisy")]
    for turn in (turn for row in rows for turn in row["turns"]):
        turn.update(fits=turn["fits"].translate(str.maketrans("yn", "ny")), feasible=[1])
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    make(path, "--release", release, "--noun", "dress", "--out", tmp_path / "theirs")
    make("noisy", "--out", tmp_path / "ours")
    theirs, ours = (steps_in(tmp_path / name) for name in ("theirs", "ours"))
    assert [replace(one, messages=()) for one in theirs] == [
        replace(one, messages=()) for one in ours
    ]
    assert len(theirs[0].messages) == 1


def test_a_run_made_elsewhere_of_which_nothing_ended(
    make: Make, ran: Workspace, tmp_path: Path
) -> None:
    rows = [asdict(one) | {"end": "failed"} for one in trajectories_of(ran.runs / "noisy")]
    path = tmp_path / "theirs.jsonl"
    path.write_text("".join(f"{json.dumps(row | {'run': 'theirs'})}\n" for row in rows), "utf-8")
    release = ran.releases / "dresses" / "1.0.0"
    out = make("greedy", path, "--release", release, "--out", tmp_path / "made").out
    assert "of 17 episodes in 2 runs" in out
    assert "  17 left out: failed for want of a server's answer" in out


def test_what_strangers_said_can_be_written(make: Make, ran: Workspace, tmp_path: Path) -> None:
    """Half a surrogate pair, control characters, thoughts without end, numbers of no picture."""
    said = [
        "Is it \ud800 lace?",
        "Is it\x00\x1b[31m\u2028 <b>lace</b>?",
        "<think>" * 9_999 + "lace?",
    ]
    rows = [asdict(one) for one in trajectories_of(ran.runs / "noisy")[:5]]
    for row, text in zip(rows, said, strict=False):
        row["turns"][0]["text"] = text
    rows[3]["guess"], rows[4]["guess"] = -(10**9), 2**80
    path = tmp_path / "theirs.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    release = ran.releases / "dresses" / "1.0.0"
    out = make(path, "--release", release, "--out", tmp_path / "made").out
    assert "  1 row refused (1 malformed), the first in line 5: guess" in out
    steps = by_episode(steps_in(tmp_path / "made"))
    firsts = [found[0].action for found in steps.values()]
    assert {"Is it ? lace?", *said[1:]} <= set(firsts)
    assert -1.0 in {found[-1].reward for found in steps.values() if found[-1].guess == -(10**9)}
    rows = load_dataset("json", data_files=str(tmp_path / "made" / "steps-*.jsonl"), split="train")
    assert len(rows) == sum(map(len, steps.values()))


def test_what_was_stopped_is_made_again(
    make: Make, ran: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a shard for each episode, of which none is empty."""
    make("greedy", "noisy")
    folder = ran.root / "trajectories" / BOTH
    whole = steps_in(folder), pairs_in(folder)
    with monkeypatch.context() as patched:
        patched.setattr(making, "pairs_of", Mock(side_effect=[[], [], [], MemoryError]))
        with pytest.raises(MemoryError):
            make("greedy", "noisy", "--out", ran.root / "stopped")
    monkeypatch.setattr(making, "_ROWS", 1)
    make("greedy", "noisy", "--out", ran.root / "stopped")
    assert (steps_in(ran.root / "stopped"), pairs_in(ran.root / "stopped")) == whole
    for name, rows in (("steps", whole[0]), ("pairs", whole[1])):
        shards = [pq.read_metadata(one) for one in (ran.root / "stopped").glob(f"{name}-*.parquet")]
        assert len(shards) > 3
        assert all(one.num_rows for one in shards)
        assert len(load_dataset(str(ran.root / "stopped"), name, split="train")) == len(rows)


def test_words_of_another_version_are_warned_of(make: Make, ran: Workspace) -> None:
    path = ran.runs / "greedy" / "run.json"
    about = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(about | {"prompts": "0" * 64}), "utf-8")
    assert "greedy: played by another version" in make("greedy", "noisy").out
    assert "another version" not in make("noisy").out


LONG = "qwen2.5-vl-7b-instruct.hidden-target-tau-0.6.dresses-1.0.0"  # 58 characters


@pytest.mark.parametrize(
    ("runs", "name"),
    [
        (["greedy"], "greedy"),
        (["greedy", "random"], "greedy.random"),
        # as long as a name may be
        (["r" * 80], "r" * 80),
        ([LONG, f"{LONG}.again"], f"{LONG}.{LONG}.again"),
        # together too long: no name is cut
        ([LONG, "b", f"{LONG}.c", f"{LONG}.d"], f"{LONG}.and-3-more."),
        # what a stranger calls a run
        (["../../etc"], "etc."),
        (["a b"], "a-b."),
        (["/"], "run."),
    ],
)
def test_a_folder_is_called_after_its_runs(runs: list[str], name: str) -> None:
    found = making.folder_name(runs)
    assert found == name or (name.endswith(".") and re.fullmatch(f"{name}[0-9a-f]{{8}}", found))


def test_other_runs_have_another_folder() -> None:
    many = [f"{LONG}.{number}" for number in range(5)]
    assert making.folder_name(many[:4]) != making.folder_name(many[1:])
    assert making.folder_name([*many[:3], "a"]) != making.folder_name([*many[:3], "b"])
    assert making.folder_name(["a b"]) != making.folder_name(["a-b"])


# what is said, the one line of the error
@pytest.mark.parametrize(
    ("said", "fault"),
    [
        (("nobody",), "nobody: no run there"),
        (("greedy", "greedy"), "two runs are called greedy; name each run once"),
        (("greedy", "--out", "{runs}"), "holds something else; name a new folder by --out"),
        (("greedy", "--out", "{runs}/noisy"), "holds something else; name a new folder by --out"),
        (("greedy", "--config", "hidden-target-tau-0.9"), "was played on hidden-target-tau-0.6"),
    ],
)
def test_what_cannot_be_made_is_said_in_a_line(
    make: Make, ran: Workspace, said: tuple[str, ...], fault: str
) -> None:
    found = make(*(one.replace("{runs}", str(ran.runs)) for one in said), code=1)
    (line,) = found.err.splitlines()
    assert fault in line


def test_rewards_that_are_none_are_refused(make: Make) -> None:
    for value in ("-1", "nan", "inf"):
        assert "--skip-penalty" in make("greedy", "--skip-penalty", value, code=2).err


def test_a_run_of_which_nothing_ended(make: Make, ran: Workspace) -> None:
    played = [
        replace(one, end="failed", guess=None) for one in trajectories_of(ran.runs / "greedy")
    ]
    put(ran.runs / "greedy", played, planned=17)
    assert "no episode was played to its end" in make("greedy", code=1).err
