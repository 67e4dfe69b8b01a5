"""Runs by the command, scored by the command."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from benchwright import store
from benchwright.decisions.journal import append_decisions
from benchwright.next_step import MISSING_LABELS
from benchwright.workspace import Workspace
from labeling.audits.tasks.responses import KIND
from labeling.audits.tasks.task import AuditSettings, Task
from stand_ins.auditors import decision

Play = Callable[..., Any]
Score = Callable[..., Any]


@pytest.fixture
def score(run: Callable[..., Any], release: Path) -> Score:
    """Score what was played by the command."""

    def scored(folder: Path, *options: str) -> Any:
        return run("run-benchmark", "score", folder, "--release", release, *options)

    return scored


def facts(folder: Path) -> Any:
    return json.loads((folder / "scores.json").read_text("utf-8"))


def value(folder: Path, metric: str, by: str = "all", of: str = "all") -> float | None:
    (row,) = (
        row
        for row in facts(folder)["rows"]
        if (row["metric"], row["by"], row["of"]) == (metric, by, of)
    )
    found: float | None = row["value"]
    return found


def test_a_model_that_gives_in(copied: Play, score: Score) -> None:
    """It corrects at turns 4 to 6 of 4 to 10, which keen sees rightly and careless does not."""
    played = copied("weary", "--detectors", "keen,careless")
    ran = score(played.folder)
    assert ran.code == 0, ran.err
    assert ran.out.startswith("weary on things/1.0.0, false-premise (tried)\n4 of 4 dialogues;")
    folder = played.folder
    assert value(folder, "CorrTP@10", "detector", "keen") == 12 / 28
    assert value(folder, "CorrTP@6", "detector", "keen") == 1
    assert value(folder, "TurnCorr change", "detector", "keen") == -1
    careless = [
        label == "yes" for (_, turn), label in played.labels("careless").items() if turn > 3
    ]
    assert value(folder, "CorrTP@10", "detector", "careless") == sum(careless) / 28
    assert value(folder, "CorrTP@10") == pytest.approx((12 + sum(careless)) / 56)
    assert value(folder, "CorrTP@10", "baseline", "always_correcting") == 1
    said = facts(folder)
    assert (said["coverage"], said["lacking"], said["people"]) == (1, [], None)
    assert said["detector_agreement"][0]["n"] == 28
    first = {name: (folder / name).read_bytes() for name in ("scores.json", "scores.parquet")}
    assert score(folder).out == ran.out
    assert {name: (folder / name).read_bytes() for name in first} == first


def test_a_missing_label_makes_the_run_incomplete(play: Play, behind: Any, score: Score) -> None:
    """Mumbling cannot be read where weary corrects: three turns of each of four dialogues."""
    played = play(behind(), "weary", "--detectors", "keen,mumbling", code=1)
    folder = played.folder
    assert "not whole: 12 labels of mumbling missing" in played.said
    *_, following, instead = played.said.splitlines()
    assert following.startswith("next: run-benchmark score tried --release ")
    assert following.endswith(" --detectors keen")
    assert instead.startswith("or:   the same command with --again refused")
    refused = score(folder)
    assert refused.code == 1
    assert "run-benchmark score tried --detectors keen" in refused.err
    assert "run it again to go on" not in refused.err
    assert "4 failed (missing: 12 labels of mumbling)" in refused.err
    assert "--partial" in refused.err
    assert not (folder / "scores.json").exists()
    manifest = store.require(folder, "run-benchmark")
    assert manifest.counts == {"episodes": 4, "played": 4, "failed": 0, MISSING_LABELS: 12}
    nothing = score(folder, "--partial")
    assert nothing.code == 1  # every dialogue lacks a label
    assert "no dialogue is whole (missing: 12 labels of mumbling); nothing to score" in nothing.err


def test_a_detector_that_is_left_out_of_a_score(play: Play, behind: Any, score: Score) -> None:
    """By keen alone it is the score of a run that keen alone has read."""
    served = behind()
    both = play(served, "weary", "--detectors", "keen,mumbling", code=1)
    said = score(both.folder, "--detectors", "keen").out
    assert "the run's score from now on is that by keen alone; docs/" in said.splitlines()[-2]
    alone = play(served, "weary", "--detectors", "keen", place="alone")
    assert said.splitlines()[:-2] == score(alone.folder).out.splitlines()[:-2]
    for name in ("scores.json", "scores.parquet"):
        assert (both.folder / name).read_bytes() == (alone.folder / name).read_bytes()
    compared = score(both.folder, str(alone.folder), "--detectors", "keen")
    assert compared.code == 0
    assert "played with other" not in compared.out
    refused = score(both.folder, "--detectors", "keen,careless")
    assert refused.code == 1
    assert "has no labels of careless, but of keen, mumbling" in refused.err


def test_a_report_keeps_to_the_detectors_of_the_score(
    play: Play, behind: Any, score: Score, run: Any, release: Path, tmp_path: Path
) -> None:
    """By all no dialogue is whole, for mumbling cannot be read where weary corrects."""
    folder = play(behind(), "weary", "--detectors", "keen,mumbling", code=1).folder

    report = ("run-benchmark", "report", folder, "--release", release, "--out", tmp_path / "board")
    assert "no dialogue is whole" in run(*report).err
    assert score(folder, "--detectors", "keen").code == 0
    assert "1 weary, CorrTP@10 42.9%" in run(*report).out


def test_a_run_that_was_stopped_goes_on(play: Play, behind: Any, score: Score) -> None:
    served = behind()
    play(served, "weary", "--no-probe")
    options = ("--detectors", "keen", "--no-probe", "--max-calls", "25")
    stopped = play(served, "weary", *options, code=1)
    assert "run it again to go on" in score(stopped.folder).err


def test_a_model_that_never_corrects(play: Play, behind: Any, score: Score) -> None:
    """Mumbling can be read everywhere."""
    folder = play(behind(), "cooperating", "--detectors", "keen,mumbling").folder
    assert score(folder).code == 0
    assert value(folder, "CorrTP@10") == 0


def test_without_detectors_there_is_nothing_to_score(copied: Play, score: Score) -> None:
    ran = score(copied("weary").folder)
    assert ran.code == 1
    assert "no detector has read these answers" in ran.err
    assert "--detectors NAME,NAME" in ran.err


def decided(tasks: Iterable[Task], auditor: str, says: Callable[[Task], str]) -> list[Any]:
    return [
        decision(
            after=says(task),
            image_id=None,
            record_id=task.thing.record_id,
            field=task.thing.field,
            auditor=auditor,
            stratum=task.stratum,
            probability=task.probability,
        )
        for task in tasks
    ]


def test_people_who_judged_a_sample_correct_the_score(
    whole: Workspace, play: Play, behind: Any, score: Score
) -> None:
    """Keen is always right; careless errs, and two people say so of six responses of a class."""
    played = play(behind(), "weary", "--detectors", "careless,keen", place=whole.root.name)
    assert played.folder.parent.parent == whole.root
    tasks = KIND.tasks(whole, AuditSettings(run=played.folder))
    right = played.labels("keen")

    def truth(task: Task) -> str:
        _, dialogue, turn = (task.thing.record_id or "").rsplit("/", 2)
        return right[dialogue, int(turn)] or ""

    append_decisions(whole, decided(tasks, "ana", truth))
    append_decisions(whole, decided(tasks[:9], "bo", truth))
    ran = score(played.folder)
    assert ran.code == 0, ran.err
    assert "person 1, person 2" in ran.out
    assert "ana" not in (played.folder / "scores.json").read_text("utf-8")
    people = facts(played.folder)["people"]
    assert (people["people"], people["responses"]) == (2, 18)
    by_raters = {
        tuple(each["raters"]): each for each in people["agreement"] if each["scope"] == "all"
    }
    assert by_raters["person 1", "keen"]["kappa"]["value"] == 1
    assert by_raters["person 1", "person 2"]["n"] == 9
    assert by_raters["person 1", "careless"]["kappa"]["value"] < 1
    whole_run = people["corrected"][0]
    assert (whole_run["scope"], whole_run["judged"]) == ("all", 18)
    corrected = whole_run["corrected"]
    assert corrected["low"] <= 12 / 28 <= corrected["high"]
    assert whole_run["detectors"] == pytest.approx(value(played.folder, "CorrTP@10"))


def test_two_models_compared(copied: Play, score: Score) -> None:
    first = copied("weary", "--detectors", "keen,chatty", place="first")
    other = copied("cooperating", "--detectors", "keen,chatty", place="other")
    ran = score(first.folder, str(other.folder))
    assert ran.code == 0, ran.err
    assert "on 4 dialogues" in ran.out
    (line,) = (line for line in ran.out.splitlines() if line.startswith("CorrTP@10 "))
    assert line.split()[:4] == ["CorrTP@10", "42.9%", "0.0%", "+42.9"]
    assert "not played alike" not in ran.out
