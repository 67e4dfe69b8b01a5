"""Episodes as they were played, as they go out with a release."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from datasets import load_dataset

from benchwright import store
from benchwright.errors import CorruptShard, SourceError
from benchwright.records import Episode, Trajectory
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from exports.contents.gathering import gather
from exports.contents.terms import Terms
from exports.contents.trajectories import Played, played_episodes
from exports.differing.diff import diff_releases
from exports.verifying.rebuilding import rebuild_release
from exports.verifying.verify import verify_release
from stand_ins.played_runs import EPISODES, trajectory, write_played
from stand_ins.responses_of_a_run import response, write_run

Release = Callable[..., Path]


@pytest.fixture
def episodes(whole: Workspace) -> list[Episode]:
    """The released episodes of a workspace."""
    found: list[Episode] = list(gather(whole, Terms(canary="")).records[EPISODES])
    return found


def played(workspace: Workspace, episodes: list[Episode], *held: str) -> Played:
    return played_episodes(workspace, {EPISODES: {one.episode_id for one in episodes}}, held)


def rows_of(found: Played) -> list[Trajectory]:
    return list(from_table(found.table, Trajectory))


def test_released_episodes_by_config_run_and_episode(
    whole: Workspace, episodes: list[Episode]
) -> None:
    first, second, third, other = (trajectory(one) for one in episodes[:4])
    elsewhere = replace(other, config="hidden-target-tau-0.5")
    write_played(whole, "one", [third, elsewhere, first])
    write_played(whole, "b", [replace(second, run="b")])
    # of episodes that are not released, also under the id of one that is
    write_played(whole, "c", [replace(first, run="c", episode_id="f" * 16), elsewhere])
    found = played(whole, episodes)
    assert rows_of(found) == [
        replace(second, run="b"),
        *sorted((first, third), key=lambda one: one.episode_id),
    ]
    assert sorted(found.runs) == ["runs/b", "runs/one"]
    assert not found.left_out


def test_what_a_failure_cut_off_is_left_out_and_counted(
    whole: Workspace, episodes: list[Episode]
) -> None:
    cut = replace(trajectory(episodes[1]), end="failed", guess=None, guess_text=None)
    write_played(whole, "one", [trajectory(episodes[0]), cut])
    found = played(whole, episodes)
    assert [one.end for one in rows_of(found)] == ["guess"]
    assert found.left_out == {"not played to its end": 1}


def test_where_answers_are_held_back_nothing_tells_them(
    whole: Workspace, episodes: list[Episode]
) -> None:
    write_played(whole, "one", [trajectory(one) for one in episodes[:3]])
    found = played(whole, episodes, EPISODES)
    assert (found.table.num_rows, found.runs) == (0, {})
    assert found.left_out == {"tells answers that are held back": 3}


def test_a_run_that_is_left_out(whole: Workspace, episodes: list[Episode]) -> None:
    for name in ("one", "trial"):
        write_played(whole, name, [trajectory(episodes[0], run=name)])
    found = played_episodes(whole, {EPISODES: {episodes[0].episode_id}}, (), {"trial"})
    assert found.table["run"].to_pylist() == ["one"]
    assert list(found.runs) == ["runs/one"]


def test_only_finished_runs_are_read(whole: Workspace, episodes: list[Episode]) -> None:
    write_run(whole.runs / "of-responses", [response(0)])  # it has no manifest, and no episodes
    folder = write_played(whole, "one", [trajectory(episodes[0])])
    assert played(whole, episodes).table.num_rows == 1
    (folder / store.MANIFEST).unlink()  # as while it is written
    assert played(whole, episodes).table.num_rows == 0
    shutil.rmtree(whole.runs)
    assert played(whole, episodes).table.num_rows == 0


def test_a_run_of_another_version_is_refused(whole: Workspace, episodes: list[Episode]) -> None:
    plan = store.Plan(stage="run one", inputs={}, settings={})
    with store.writing(whole.runs / "one", plan, configs={}) as writer:
        writer.shards("trajectories", pa.table({"run": ["one"]}))
    with pytest.raises(SourceError, match=r"runs/one: holds no trajectories that this") as told:
        played(whole, episodes)
    assert "\n" not in str(told.value)


def test_a_run_that_somebody_changed_is_refused(whole: Workspace, episodes: list[Episode]) -> None:
    folder = write_played(whole, "one", [trajectory(episodes[0])])
    (folder / "trajectories-00000.parquet").write_bytes(b"hello")
    with pytest.raises(CorruptShard):
        played(whole, episodes)


def test_a_run_that_stands_twice_is_refused(whole: Workspace, episodes: list[Episode]) -> None:
    folder = write_played(whole, "one", [trajectory(episodes[0])])
    shutil.copytree(folder, whole.runs / "copy")
    with pytest.raises(SourceError, match="of the run one stands in several folders"):
        played(whole, episodes)


def test_a_version_with_what_was_played(
    whole: Workspace, episodes: list[Episode], release: Release
) -> None:
    """A patch version: it says who played, loads, holds, and is made anew whatever comes after."""
    first = whole.releases / "things" / "1.0.0"
    write_played(whole, "one", [trajectory(one) for one in episodes[:5]])
    folder = release(whole, "1.0.1")
    lock = json.loads((folder / "release.lock.json").read_text("utf-8"))
    assert lock["configs"]["trajectories"]["rows"] == 5
    assert lock["stages"]["runs/one"]["settings"] == {"player": "hand"}
    card = (folder / "README.md").read_text("utf-8")
    assert f"| hand | one | `{EPISODES}` | 5 |" in card
    loaded = load_dataset(str(folder), "trajectories", split="test")
    assert loaded["guess"] == [
        one.target_index for one in sorted(episodes[:5], key=lambda one: one.episode_id)
    ]
    assert diff_releases(first, folder).bump == "patch"
    write_played(whole, "two", [trajectory(episodes[0], run="two")])  # of neither of them
    for each in (first, folder):
        assert all(one.holds for one in verify_release(each))
        assert [line for one in rebuild_release(each, whole) for line in one.faults] == []
    # a run that goes on is another one
    write_played(whole, "one", [trajectory(one) for one in episodes[:6]])
    (fault,) = [line for one in rebuild_release(folder, whole) for line in one.faults]
    assert "runs/one: trajectories holds other rows than it did" in fault


def test_a_private_version_says_what_it_leaves_out(
    whole: Workspace,
    episodes: list[Episode],
    release: Release,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BENCHWRIGHT_ANSWER_KEY", "k" * 32)
    write_played(whole, "one", [trajectory(one) for one in episodes[:5]])
    folder = release(whole, "2.0.0", private_answers=True)
    lock = json.loads((folder / "release.lock.json").read_text("utf-8"))
    assert "trajectories" not in lock["configs"]
    assert "runs/one" not in lock["stages"]
    assert lock["left_out"]["trajectories"] == {"tells answers that are held back": 5}
    assert "tells answers that are held back" in (folder / "README.md").read_text("utf-8")
    assert not list(folder.rglob("data/trajectories"))
    assert pq.read_table(folder / "data" / EPISODES).num_rows == len(episodes)
