"""run-benchmark score: runs of ours, runs made elsewhere, two runs, what is refused."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from benchwright import store
from benchwright.records import Part, ScoreRow, Trajectory
from benchwright.rows import from_table, to_table
from evaluation.hidden_target.running.material import Material

Run = Callable[..., Any]
Write = Callable[[Iterable[Any]], Path]


def rows_in(folder: Path) -> list[ScoreRow]:
    return list(from_table(pq.read_table(folder / "scores.parquet"), ScoreRow))


def value_of(rows: list[ScoreRow], metric: str, by: str = "all", of: str = "all") -> Any:
    (found,) = [row for row in rows if (row.metric, row.by, row.of) == (metric, by, of)]
    return found.value


def trajectories_of(folder: Path) -> list[Trajectory]:
    return list(from_table(store.read_table(folder, "trajectories-*.parquet"), Trajectory))


def with_trajectories(folder: Path, kept: list[Trajectory], planned: int) -> None:
    """Put other episodes into a run, as if it had been stopped."""
    manifest = store.require(folder, "")
    about = (folder / "run.json").read_bytes()
    with store.writing(
        folder, manifest.plan, configs={"t": "trajectories-*.parquet"}, owns=("*.parquet", "*.json")
    ) as writer:
        writer.shards("trajectories", to_table(kept, Trajectory))
        writer.file("run.json", about)
        writer.counts = {"episodes": planned, "played": len(kept), "failed": 0}


def test_a_kind_without_detectors_of_answers_takes_none(run: Run, ran: Path) -> None:
    refused = run("run-benchmark", "score", "greedy", "--detectors", "keen", "--workspace", ran)
    assert refused.code == 1
    assert "is a run of hidden-target, whose score takes none; leave it out" in refused.err


def test_a_run_is_scored_where_it_lies(run: Run, ran: Path, verify: Callable[..., None]) -> None:
    scored = run("run-benchmark", "score", "greedy", "--workspace", ran)
    assert scored.code == 0, scored.err
    assert scored.out.splitlines()[:2] == [
        "greedy on dresses/1.0.0, hidden-target-tau-0.6 (greedy)",
        "17 of 17 episodes; oracle labels, verifier labels, detector rules",
    ]
    assert max(map(len, scored.out.splitlines()[:-2])) <= 80
    folder = ran / "runs" / "greedy"
    verify(folder)  # the manifest knows the files of the score
    rows = rows_in(folder)
    assert {row.run for row in rows} == {"greedy"}
    assert {row.release for row in rows} == {"dresses/1.0.0"}
    assert {row.coverage for row in rows} == {1.0}
    assert {tuple((each.part, each.name) for each in row.parts) for row in rows} == {
        (("oracle", "labels"), ("verifier", "labels"), ("detector", "rules"))
    }
    (digest,) = {row.release_digest for row in rows}
    assert digest == store.require(folder, "").plan.inputs["release"]
    (prompt,) = {row.prompt for row in rows}
    assert prompt == json.loads((folder / "run.json").read_bytes())["prompts"]
    # a greedy player by labels is the reference questioner of the protocol
    reference = value_of(rows, "verified", "baseline", "reference")
    assert value_of(rows, "verified") == reference
    assert value_of(rows, "par_protocol_ratio") == 1.0
    # the same rows in JSON, and nothing that is no number
    whole = json.loads((folder / "scores.json").read_text("utf-8"))
    assert [row["value"] for row in whole["rows"]] == [row.value for row in rows]
    assert whole["items"] == {
        "noun": "episode",
        "planned": 17,
        "scored": 17,
        "failed": 0,
        "missing": 0,
    }
    assert whole["settings"]["rules"]["turns"] == 20


def test_a_folder_and_a_name_are_the_same_run(run: Run, ran: Path) -> None:
    by_name = run("run-benchmark", "score", "random", "--workspace", ran)
    by_folder = run("run-benchmark", "score", ran / "runs" / "random")
    assert by_name.code == by_folder.code == 0
    assert by_folder.out.splitlines()[:-1] == by_name.out.splitlines()[:-1]


def test_scoring_again_changes_nothing(
    run: Run, ran: Path, holdings: Callable[[Path], dict[str, Any]]
) -> None:
    run("run-benchmark", "score", "random", "--workspace", ran)
    first = holdings(ran)
    again = run("run-benchmark", "score", "random", "--workspace", ran)
    assert holdings(ran) == first
    said = f"next: run-benchmark report random --workspace {ran} ("
    assert again.out.splitlines()[-1].startswith(said)


def test_the_same_run_elsewhere_has_the_same_scores(
    run: Run, ran: Path, write: Write, tmp_path: Path
) -> None:
    folder = ran / "runs" / "random"
    path = write(reversed(trajectories_of(folder)))
    release = ran / "releases" / "dresses" / "1.0.0"
    scored = run("run-benchmark", "score", path, "--release", release, "--out", tmp_path / "out")
    assert scored.code == 0, scored.err
    run("run-benchmark", "score", "random", "--workspace", ran)
    ours, theirs = rows_in(folder), rows_in(tmp_path / "out")
    # what a file does not say: the judges, and what the player was told
    verifier = (Part(part="verifier", name="labels"),)
    assert theirs == [replace(row, parts=verifier, prompt=None) for row in ours]


def test_a_file_alone_writes_nothing(run: Run, ran: Path, write: Write, tmp_path: Path) -> None:
    path = write(trajectories_of(ran / "runs" / "random"))
    before = sorted(tmp_path.iterdir())
    release = ran / "releases" / "dresses" / "1.0.0"
    scored = run("run-benchmark", "score", path, "--release", release)
    assert scored.out.splitlines()[-1] == (
        "Not kept (--out FOLDER would); docs/scoring.md explains the figures"
    )
    assert sorted(tmp_path.iterdir()) == before


def test_missing_and_failed_episodes_are_no_score(run: Run, ran: Path) -> None:
    folder = ran / "runs" / "random"
    kept = trajectories_of(folder)[:10]
    kept[3] = replace(kept[3], end="failed")
    with_trajectories(folder, kept, 17)
    scored = run("run-benchmark", "score", "random", "--workspace", ran)
    assert (scored.code, scored.err) == (
        1,
        "error: random: of 17 episodes 7 are missing and 1 failed; run it again to go on, or score"
        " what is there with --partial\n",
    )
    assert not (folder / "scores.json").exists()
    partial = run("run-benchmark", "score", "random", "--partial", "--workspace", ran)
    assert partial.code == 0
    # said once, above all figures
    assert partial.out.splitlines()[1].startswith("9 of 17 episodes, 52.9% covered; oracle")
    assert partial.out.count("covered") == 1
    assert {row.coverage for row in rows_in(folder)} == {9 / 17}


def test_a_planned_sample_is_whole_when_it_is_played(run: Run, ran: Path) -> None:
    folder = ran / "runs" / "random"
    with_trajectories(folder, trajectories_of(folder)[:10], 10)
    scored = run("run-benchmark", "score", "random", "--workspace", ran)
    assert scored.code == 0
    assert "10 of 10 episodes" in scored.out


def test_two_runs_are_compared_on_the_same_draws(run: Run, ran: Path) -> None:
    compared = run("run-benchmark", "score", "greedy", "random", "--workspace", ran)
    assert compared.code == 0, compared.err
    lines = compared.out.splitlines()
    assert lines[0].startswith("first:  greedy on")
    assert lines[2] == "on 17 episodes"
    assert "not played alike" not in compared.out
    same = run("run-benchmark", "score", "greedy", "greedy", "--workspace", ran)
    overall = next(line for line in same.out.splitlines() if line.startswith("overall"))
    # no run differs from itself in any draw
    assert overall.endswith("0.0 pt   -")
    assert same.out.splitlines()[-1].startswith("Not kept (--out FOLDER would)")
    assert not (ran / "runs" / "greedy" / "scores.json").exists()


def test_a_comparison_is_kept_where_it_is_wanted(run: Run, ran: Path, tmp_path: Path) -> None:
    named = ("--out", tmp_path / "made", "--workspace", ran)
    compared = run("run-benchmark", "score", "greedy", "random", *named)
    assert compared.code == 0, compared.err
    assert compared.out.splitlines()[-1].startswith(f"Wrote comparison.json to {tmp_path}")
    whole = json.loads((tmp_path / "made" / "comparison.json").read_text("utf-8"))
    assert whole["first"] == {"run": "greedy", "player": "greedy", "planned": 17}
    assert whole["second"]["run"] == "random"
    assert (whole["config"], whole["items"]["compared"]) == ("hidden-target-tau-0.6", 17)
    run("run-benchmark", "score", "greedy", "--workspace", ran)
    ours = {(row.metric, row.by, row.of): row for row in rows_in(ran / "runs" / "greedy")}
    assert {(row["metric"], row["by"], row["of"]) for row in whole["rows"]} == ours.keys()
    (overall,) = [row for row in whole["rows"] if (row["metric"], row["by"]) == ("overall", "all")]
    assert overall["first"] == ours["overall", "all", "all"].value
    assert overall["difference"] == pytest.approx(overall["first"] - overall["second"])
    assert overall["low"] < overall["difference"] < overall["high"]


def test_runs_under_other_conditions_are_told_apart(run: Run, ran: Path) -> None:
    release = ran / "releases" / "dresses" / "1.0.0"
    noisy = ("--player", "greedy", "--flips", "1", "--run", "noisy")
    assert run("run-benchmark", release, *noisy, "--workspace", ran).code == 0
    compared = run("run-benchmark", "score", "greedy", "noisy", "--workspace", ran)
    lines = compared.out.splitlines()
    assert lines[3:5] == [
        "they were not played alike, which may be why they differ:",
        "  noise flips 0, within 0 / flips 1, within 3",
    ]


def test_runs_of_other_episodes_are_compared_on_those_in_common(run: Run, ran: Path) -> None:
    with_trajectories(ran / "runs" / "random", trajectories_of(ran / "runs" / "random")[:10], 10)
    refused = run("run-benchmark", "score", "greedy", "random", "--workspace", ran)
    assert refused.code == 1
    assert "have 10 episodes in common, and 7 that only one" in refused.err
    compared = run("run-benchmark", "score", "greedy", "random", "--partial", "--workspace", ran)
    assert "on 10 episodes in common, of 10 and 17 planned" in compared.out
    # as many were to be played, and fewer were
    with_trajectories(ran / "runs" / "random", trajectories_of(ran / "runs" / "random"), 17)
    compared = run("run-benchmark", "score", "greedy", "random", "--partial", "--workspace", ran)
    assert "on 10 episodes in common, of 17 planned" in compared.out


def test_a_release_that_was_not_played_is_refused(run: Run, ran: Path, whole_once: Any) -> None:
    other = whole_once.releases / "things" / "1.0.0"
    scored = run("run-benchmark", "score", "random", "--release", other, "--workspace", ran)
    assert scored.code == 1
    assert "has no config hidden-target-tau-0.6" in scored.err
    shutil.rmtree(ran / "releases" / "dresses" / "1.0.0")
    scored = run("run-benchmark", "score", "random", "--workspace", ran)
    assert (scored.code, "is no longer there; name it by --release" in scored.err) == (1, True)


def test_other_labels_than_those_that_were_played_are_refused(run: Run, ran: Path) -> None:
    folder = ran / "runs" / "random"
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["plan"]["inputs"]["release"] = "0" * 64
    path.write_text(json.dumps(manifest))
    scored = run("run-benchmark", "score", "random", "--workspace", ran)
    assert scored.code == 1
    assert "was played on other episodes, labels or words" in scored.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothing",), "nothing: no run there, and none of that name in"),
        (("random", "--config", "hidden-target-tau-0.9"), "was played on hidden-target-tau-0.6"),
    ],
)
def test_what_cannot_be_scored(run: Run, ran: Path, arguments: tuple[str, ...], said: str) -> None:
    scored = run("run-benchmark", "score", *arguments, "--workspace", ran)
    assert scored.code == 1
    assert said in scored.err


def test_a_file_wants_a_release(run: Run, write: Write) -> None:
    scored = run("run-benchmark", "score", write([]))
    assert (scored.code, "wants the --release" in scored.err) == (1, True)


def test_rows_that_cannot_be_read_are_told(
    run: Run, ran: Path, write: Write, tmp_path: Path, material: Material
) -> None:
    kept = trajectories_of(ran / "runs" / "random")
    path = write([*kept[1:], b"no json"])
    named = ("--release", ran / "releases" / "dresses" / "1.0.0", "--out", tmp_path / "out")
    refused = run("run-benchmark", "score", path, *named)
    assert refused.code == 1
    assert "of 17 episodes 1 are missing; 1 row refused (1 not json), the first" in refused.err
    assert "add them to the file" in refused.err
    partial = run("run-benchmark", "score", path, *named, "--partial")
    assert partial.code == 0, partial.err
    assert "1 row refused (1 not json), the first in line 17" in partial.out
    (row,) = json.loads((tmp_path / "out" / "scores.json").read_text())["refused_rows"]
    assert (row["line"], row["reason"], row["item"]) == (17, "not_json", None)


def test_what_was_recorded_wrongly_is_told(run: Run, ran: Path, write: Write) -> None:
    first, *rest = trajectories_of(ran / "runs" / "greedy")
    spoilt = replace(first, turns=tuple(replace(turn, feasible=()) for turn in first.turns))
    named = ("--release", ran / "releases" / "dresses" / "1.0.0")
    scored = run("run-benchmark", "score", write([spoilt, *rest]), *named)
    assert "differing: in 1 episode" in scored.out
    assert first.episode_id in scored.out


def test_neither_hashes_nor_threads_change_a_byte(ran: Path) -> None:
    found = []
    for seed, threads in (("0", "1"), ("1", "2")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "OMP_NUM_THREADS": threads}
        environment["OPENBLAS_NUM_THREADS"] = threads
        code = "from evaluation.cli import main; main()"
        command = [sys.executable, "-c", code, "score", "random", "--workspace", str(ran)]
        made = subprocess.run(command, env=environment, capture_output=True, check=True)
        folder = ran / "runs" / "random"
        files = [(folder / name).read_bytes() for name in ("scores.json", "scores.parquet")]
        found.append((made.stdout, files))
    assert found[0] == found[1]
