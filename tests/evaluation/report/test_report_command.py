"""run-benchmark report, as a user gives it."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

RUNS = ("greedy", "random", "never-asking")


@pytest.fixture
def report(run: Callable[..., Any], played: Path) -> Callable[..., Any]:
    """Give the command in the workspace of the runs."""
    return lambda *arguments: run("run-benchmark", "report", *arguments, "--workspace", played)


def test_a_report(report: Callable[..., Any], played: Path) -> None:
    ran = report(*RUNS)
    assert ran.code == 0, ran.err
    assert "hidden-target-tau-0.6, dresses/1.0.0: 3 runs; 1 greedy, verified" in ran.out
    assert "36 items to page through" in ran.out
    table = (played / "leaderboard" / "leaderboard.md").read_text("utf-8")
    assert "| 1 | greedy (no model) |" in table
    assert "*reference questioner*" in table
    assert re.search(r"\| greedy \| never-asking \| \+[0-9.]+ pt \|.*\| told apart \|", table)
    page = (played / "leaderboard" / "leaderboard.html").read_text("utf-8")
    assert "Turns by outcome" in page
    pictures = re.findall(r"data:image/jpeg;base64,[^\"]+", page)
    assert len(pictures) == len(set(pictures)) > 12  # each once


def test_the_same_runs_give_the_same_bytes(report: Callable[..., Any], tmp_path: Path) -> None:
    for name, runs in (("a", RUNS), ("b", RUNS[::-1])):  # in whatever order they are named
        assert report(*runs, "--out", tmp_path / name).code == 0
    for file in ("leaderboard.html", "leaderboard.md"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_without_pictures_there_is_no_viewer(report: Callable[..., Any], played: Path) -> None:
    assert report("greedy", "--pictures", "0").code == 0
    page = (played / "leaderboard" / "leaderboard.html").read_text("utf-8")
    assert "data:image" not in page
    assert 'id="viewer"' not in page


def test_a_score_alone_has_a_row(
    report: Callable[..., Any], run: Callable[..., Any], played: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "alone"
    scored = run("run-benchmark", "score", "greedy", "--out", folder, "--workspace", played)
    assert scored.code == 0, scored.err
    shutil.rmtree(played / "runs" / "greedy")
    ran = report(folder, "random")
    assert ran.code == 0, ran.err
    table = (played / "leaderboard" / "leaderboard.md").read_text("utf-8")
    assert "| 1 | greedy" in table
    assert "Of greedy the score alone is there" in table


def test_a_person_is_marked(
    report: Callable[..., Any], run: Callable[..., Any], played: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "alone"
    run("run-benchmark", "score", "random", "--out", folder, "--workspace", played)
    rows = pq.read_table(folder / "scores.parquet")
    models = rows.schema.get_field_index("model")
    person = rows.set_column(models, rows.schema.field("model"), [["human:ana"] * rows.num_rows])
    pq.write_table(person, folder / "scores.parquet")
    assert report(folder, "greedy").code == 0
    table = (played / "leaderboard" / "leaderboard.md").read_text("utf-8")
    assert "random (a person)" in table
    assert "There is no human line" not in table
    page = (played / "leaderboard" / "leaderboard.html").read_text("utf-8")
    assert '<tr class="person">' in page
    assert " person" in "".join(re.findall(r'<g class="(line [^"]*)"', page))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nobody",), "nobody: no run there"),
        (("greedy", "greedy"), "greedy: is the same run as greedy"),
        (("greedy", "runs/greedy"), "runs/greedy: is the same run as greedy"),
        # a run made elsewhere wants more than a report can be told, such as its config
        (("releases/dresses/1.0.0/README.md",), "1.0.0/README.md --release RELEASE --out FOLDER"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    report: Callable[..., Any], arguments: tuple[str, ...], said: str
) -> None:
    ran = report(*arguments)
    assert ran.code == 1
    assert said in ran.err
    assert len(ran.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("{", "cannot be read as a score"),
        ("[]", "cannot be read as a score"),
        ('{"settings": 3}', "does not say how the run was played"),
    ],
)
def test_a_broken_score_is_one_line(
    report: Callable[..., Any],
    run: Callable[..., Any],
    played: Path,
    tmp_path: Path,
    broken: str,
    said: str,
) -> None:
    folder = tmp_path / "alone"
    run("run-benchmark", "score", "random", "--out", folder, "--workspace", played)
    (folder / "scores.json").write_text(broken, "utf-8")
    ran = report(folder)
    assert ran.code == 1
    assert said in ran.err


def test_a_run_that_is_not_whole_says_its_coverage(
    report: Callable[..., Any], run: Callable[..., Any], played: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "alone"
    run("run-benchmark", "score", "random", "--out", folder, "--workspace", played)
    rows = pq.read_table(folder / "scores.parquet")
    at = rows.schema.get_field_index("coverage")
    half = rows.set_column(at, rows.schema.field("coverage"), [[0.5] * rows.num_rows])
    pq.write_table(half, folder / "scores.parquet")
    assert json.loads((folder / "scores.json").read_text("utf-8"))["coverage"] == 1
    assert report(folder, "greedy").code == 0
    table = (played / "leaderboard" / "leaderboard.md").read_text("utf-8")
    assert "| **50.0%** |" in table
    assert "Not whole: random." in table
