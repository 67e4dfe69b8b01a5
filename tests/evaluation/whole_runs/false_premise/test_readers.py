"""What reads the responses of a run: people's audits, and releases."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.records import Response
from benchwright.release_loading import load_config
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from labeling.audits.tasks.responses import KIND
from labeling.audits.tasks.task import AuditSettings
from stand_ins.whole_workspace import make_release

Play = Callable[..., Any]


@pytest.fixture
def played(play: Play, behind: Any, whole: Workspace, tmp_path: Path) -> Any:
    """A run in a workspace that its release was made of."""
    return play(behind(), "weary", "--detectors", "keen,careless", place=whole.root.name)


def test_people_judge_responses_of_a_run(
    played: Any, whole: Workspace, run: Callable[..., Any]
) -> None:
    ran = run(
        *("review-labels", "sheet", "--audit", "responses", "--auditor", "ana"),
        *("--run", played.folder, "--workspace", whole.root, "--out", whole.root / "sheets"),
    )
    assert ran.code == 0, ran.err
    (path,) = (whole.root / "sheets").rglob("*.csv")
    rows = list(csv.DictReader(path.read_text("utf-8-sig").splitlines()))
    assert len(rows) == 18  # six of each class, all of them with a false premise
    text = path.read_text("utf-8-sig")
    assert not any(name in text for name in ("weary", "keen", "careless"))


def test_an_audit_draws_from_what_has_a_false_premise(played: Any, whole: Workspace) -> None:
    tasks = KIND.tasks(whole, AuditSettings(seed=0, run=played.folder, limit=50))
    false = [row for row in played.rows if row["has_false_premise"]]
    assert len(tasks) == len(false) == 28
    said = {tuple(task.shown["question"]): task for task in tasks}
    assert {"".join(parts) for parts in said} == {row["question"] for row in false}
    befores = [task.before for task in tasks]
    assert None in befores  # the detectors differ
    assert {"yes", "no"} < set(befores)


def test_a_release_holds_the_responses(played: Any, whole: Workspace) -> None:
    folder = make_release(whole, "1.1.0")
    rows = load_config(str(folder), "responses").with_format("arrow")[:]
    found = list(from_table(rows, Response))
    assert len(found) == len(played.rows) == 40
    by_id = {row["response_id"]: row for row in played.rows}
    for one in found:
        row = by_id[one.response_id]
        assert (one.run, one.model) == ("tried", "weary")
        assert (one.question, one.response) == (row["question"], row["response"])
        assert [one.name for one in one.detectors] == ["careless", "keen"]
