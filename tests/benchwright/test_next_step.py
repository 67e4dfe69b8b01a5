"""What the workspace says to run next is true and can be run as it stands."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchwright import files, store
from benchwright.decisions.journal import append_decisions
from benchwright.next_step import MISSING_LABELS, next_step, syncing_text
from benchwright.workspace import Workspace
from labeling.dialogues.candidate_set.deciding import decision_of_marks
from labeling.dialogues.stored import decide_dialogues, read_drafts
from stand_ins.auditors import decision
from stand_ins.dialogues import catalog_of, spoken_about

Run = Callable[..., Any]


def test_an_empty_workspace(tmp_path: Path) -> None:
    said = next_step(Workspace(tmp_path / "a b"))
    assert said.startswith("next: build-catalog table FILE --workspace '")


def test_nothing_waits(small: Path) -> None:
    assert next_step(Workspace(small)) == (
        f"nothing waits; open {small}/galleries/*/report.html; before a release:"
        f" build-catalog dedup --workspace {small} and build-galleries again"
    )


def test_what_was_looked_for_is_not_asked_for_again(small: Path, run: Run) -> None:
    assert run("build-catalog", "dedup", "--workspace", small).code == 0
    run_as_said(run, next_step(Workspace(small)))  # the galleries are stale by it
    assert next_step(Workspace(small)) == f"nothing waits; open {small}/galleries/*/report.html"


def run_as_said(run: Run, said: str) -> None:
    assert said.startswith("next: ")
    done = run(*shlex.split(said.removeprefix("next: ")))
    assert done.code == 0, done.err


def test_galleries_that_are_stale_come_back_with_their_settings(small: Path, run: Run) -> None:
    options = ("--tau", "0.3,0.5", "--seed", "7", "--size", "6-7", "--episodes", "9", "--paired")
    assert run("build-galleries", *options, "--workspace", small).code == 0
    vocabulary = small / "labels" / "vocabulary.yaml"
    vocabulary.write_text(vocabulary.read_text("utf-8").replace("askable: true", "askable: false"))
    run_as_said(run, next_step(Workspace(small)))  # the labels first
    said = next_step(Workspace(small))
    for word in ("--tau 0.3,0.5", "--seed 7", "--size 6-7", "--episodes 9", "--paired"):
        assert word in said
    run_as_said(run, said)
    assert next_step(Workspace(small)).startswith("nothing waits")


def test_scenes_are_for_three_kinds_of_dialogues(tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "w"
    done = run("build-catalog", "sample", "--scenes", "4", "--workspace", folder)
    last = done.out.splitlines()[-1]
    assert last == next_step(Workspace(folder))
    for kind in ("candidate-set run", "false-premise run --voters", "question-chain author"):
        assert f"build-dialogues {kind}" in last
    assert last.count(f" --workspace {folder}") == 3


def test_what_comes_after_galleries(small: Path, run: Run) -> None:
    where = f" --workspace {small}"
    release = f"push-release build NAME --version 1.0.0{where}"
    command = ("build-galleries", "--tau", "0.3", "--workspace", small)
    said = run(*command).out.splitlines()[-1]
    assert said == f"next: build-catalog dedup{where} and build-galleries again, then {release}"
    assert run("build-catalog", "dedup", "--workspace", small).code == 0
    assert run(*command).out.splitlines()[-1] == f"next: {release}"


def test_a_stale_dedup_comes_back_with_its_settings(
    small: Path, run: Run, small_arguments: tuple[str, ...]
) -> None:
    dedup = ("dedup", "--threshold", "70", "--any-colour", "--workspace", small)
    assert run("build-catalog", *dedup).code == 0
    assert run("build-catalog", "sample", "--n", "30", "--workspace", small).code == 0
    said = next_step(Workspace(small))
    assert "build-catalog dedup --method phash --threshold 70 --any-colour --workspace" in said
    run_as_said(run, said)


PLANNED = {"image_id": f"{1:016x}", "object_id": None, "type": "colour", "value": "red"}
OPEN = "next: review-labels open --audit attributes --auditor NAME --workspace"


@pytest.mark.parametrize(
    ("stage", "judged", "said"),
    [
        ("pilot", False, OPEN),
        ("main", False, OPEN),
        ("pilot", True, "next: review-labels plan --workspace"),  # it says how many more it takes
        ("main", True, "next: label-attributes normalise --workspace"),  # the labels heed it first
    ],
)
def test_what_a_planned_audit_waits_for(
    small: Path, run: Run, stage: str, said: str, *, judged: bool
) -> None:
    workspace = Workspace(small)
    workspace.audits.mkdir()
    plan = {"stage": stage, "items": [PLANNED | {"twice": False}]}
    files.write_json(workspace.audits / "plan.json", plan)
    if judged:
        append_decisions(workspace, [decision()])
        if stage == "pilot":
            assert run("label-attributes", "normalise", "--workspace", small).code == 0
    assert next_step(workspace).startswith(said)


def test_look_alikes_and_people_come_before_the_first_galleries(small: Path, run: Run) -> None:
    workspace = Workspace(small)
    shutil.rmtree(workspace.galleries)
    assert next_step(workspace) == (
        f"next: build-catalog dedup --workspace {small} (look-alikes that are one picture),"
        f" then build-galleries --tau 0.6 --workspace {small}"
    )
    assert run("build-catalog", "dedup", "--workspace", small).code == 0
    assert next_step(workspace) == f"next: build-galleries --tau 0.6 --workspace {small}"
    path = workspace.labels / "manifest.json"
    manifest = files.read_json_object(path)
    manifest["counts"]["voted"] = 5
    files.write_json(path, manifest)
    assert next_step(workspace).endswith(
        f"{small}, or review-labels plan first, so that people judge the labels"
    )


@pytest.mark.parametrize("part", ["catalog", "galleries/tau-0.3"])
def test_what_was_stopped_is_said_in_a_sentence(small: Path, part: str) -> None:
    """The command of a stopped run is known to nobody: no option is pasted onto a sentence."""
    (small / part / "manifest.json").unlink()
    (small / part / ".parts").mkdir()
    said = next_step(Workspace(small))
    assert said.startswith("next: run again the build-")
    assert "--workspace" not in said


def test_links_whose_files_are_gone(tmp_path: Path, small_table: Path, run: Run) -> None:
    folder = tmp_path / "shop"
    shutil.copytree(small_table.parent, folder)
    root = tmp_path / "w"
    table = folder / small_table.name
    built = run("build-catalog", "table", table, "--link", "--workspace", root)
    assert built.code == 0, built.err
    link = next(
        path for path in sorted((root / "catalog/images").glob("??/*")) if path.is_symlink()
    )
    victim = link.resolve()
    kept = victim.read_bytes()
    victim.unlink()
    shown = run("benchwright", "status", "--workspace", root).out
    assert "1 linked pictures are gone" in shown
    assert "next: run again the build-catalog command with --force" in shown
    victim.write_bytes(kept[:-1] + b"?")  # edited in place: another picture under the old name
    ran = run("build-catalog", "dedup", "--workspace", root)
    assert ran.code == 1
    assert "is not the picture that its name describes" in ran.err
    assert ran.err.count("\n") == 1


def test_a_run_that_was_to_replace_what_stands_is_said(small: Path, run: Run) -> None:
    """The catalog that stands is whole and used; nobody should take it for the newer one."""
    (small / "catalog" / ".parts").mkdir()
    shown = run("benchwright", "status", "--workspace", small).out
    assert "another run has begun to replace it" in shown
    ran = run("build-galleries", "--tau", "0.3", "--workspace", small)
    assert ran.code == 0
    assert "a run that would replace it has not ended; it is used as it is" in ran.out


def test_dialogues_wait_for_drafts_and_then_for_people(tmp_path: Path, run: Run) -> None:
    workspace = catalog_of(tmp_path / "w", spoken_about())
    assert next_step(workspace).startswith("next: build-catalog grid")
    where = ("--workspace", workspace.root)
    assert run("build-dialogues", "candidate-set", "filter", *where).code == 0
    assert next_step(workspace).startswith("next: build-dialogues candidate-set run --workspace")
    assert run("build-dialogues", "candidate-set", "draft", *where).code == 0
    opening = "next: review-labels open --audit candidate-set --auditor NAME --workspace"
    assert next_step(workspace).startswith(opening)
    marked = [
        decision_of_marks(turn, ("1",), annotator="ana", at="2026-03-01T12:00:00+00:00")
        for turn in read_drafts(workspace, "candidate-set")
    ]
    append_decisions(workspace, marked)
    decide_dialogues(workspace, "candidate-set")
    assert next_step(workspace) == "nothing waits"


def test_what_people_rejected_waits_for_nobody(tmp_path: Path, run: Run) -> None:
    workspace = catalog_of(tmp_path / "w", spoken_about("d1"), spoken_about("d2"))
    where = ("--workspace", workspace.root)
    assert run("build-dialogues", "candidate-set", "draft", *where).code == 0
    turns = read_drafts(workspace, "candidate-set")
    marked = [
        decision_of_marks(turn, ("1",), annotator="ana", at="2026-03-01T12:00:00+00:00")
        for turn in turns
    ]
    unusable = replace(marked[0], after=None, verdict="rejected")
    append_decisions(workspace, [unusable, *marked[1:]])
    manifest = decide_dialogues(workspace, "candidate-set")
    assert dict(manifest.reasons) == {"another turn is withheld": 2, "rejected": 1}
    assert next_step(workspace) == "nothing waits"


def test_what_people_differ_on_waits_for_a_further_one(tmp_path: Path, run: Run) -> None:
    workspace = catalog_of(tmp_path / "w", spoken_about("d1"))
    where = ("--workspace", workspace.root)
    assert run("build-dialogues", "candidate-set", "draft", *where).code == 0
    turns = read_drafts(workspace, "candidate-set")
    for name, boxes in (("ana", ("1",)), ("bo", ("2",))):
        at = "2026-03-01T12:00:00+00:00"
        marked = [decision_of_marks(turn, boxes, annotator=name, at=at) for turn in turns]
        append_decisions(workspace, marked)
    decide_dialogues(workspace, "candidate-set")
    said = next_step(workspace)
    assert said.startswith("next: review-labels open --audit disagreements --auditor NAME")


def test_without_the_app_people_judge_on_sheets(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = catalog_of(tmp_path / "w", spoken_about("d1"))
    where = ("--workspace", workspace.root)
    monkeypatch.setattr("benchwright.next_step.has_app", lambda: False)
    drafted = run("build-dialogues", "candidate-set", "draft", *where)
    sheet = f"next: review-labels sheet --audit candidate-set --auditor NAME --workspace {where[1]}"
    assert drafted.out.splitlines()[-1] == sheet
    assert next_step(workspace) == sheet
    assert syncing_text(workspace) == "review-labels sync --sheet FILE"


def test_nobody_imports_the_app_to_know_that_it_is_there(tmp_path: Path) -> None:
    """A folder of that name is one that can be imported, at a cost of seconds."""
    (tmp_path / "fiftyone.py").write_text("raise SystemExit('it was imported')", "utf-8")
    command = (
        "from pathlib import Path; from benchwright.workspace import Workspace;"
        " from benchwright.next_step import judging_text; print("
        "judging_text('galleries', Workspace(Path('w'))))"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    said = subprocess.run(
        [sys.executable, "-c", command], env=environment, capture_output=True, text=True, check=True
    )
    assert said.stdout == "review-labels open --audit galleries --auditor NAME\n"


def test_drafts_that_were_made_since_wait_for_people(tmp_path: Path, run: Run) -> None:
    workspace = catalog_of(tmp_path / "w", spoken_about("d1"))
    where = ("--workspace", workspace.root)
    assert run("build-dialogues", "candidate-set", "draft", *where).code == 0
    turns = read_drafts(workspace, "candidate-set")
    at = "2026-03-01T12:00:00+00:00"
    append_decisions(
        workspace, [decision_of_marks(turn, ("1",), annotator="ana", at=at) for turn in turns]
    )
    decide_dialogues(workspace, "candidate-set")
    catalog_of(tmp_path / "w", spoken_about("d1"), spoken_about("d2"))
    assert run("build-dialogues", "candidate-set", "draft", *where).code == 0
    assert next_step(workspace).startswith("next: review-labels open --audit candidate-set")


def _run_of(workspace: Path, name: str, played: int, **more: int) -> None:
    """Write a run of which so many of three episodes were played."""
    plan = store.Plan(stage=f"run {name}", inputs={"release": "1"}, settings={})
    folder = workspace / "runs" / name
    with store.writing(folder, plan, configs={}) as writer:
        writer.json("run.json", {})
        writer.counts = {"episodes": 3, "played": played, "failed": 0, **more}


def test_a_run_that_is_not_played_to_its_end_waits(small: Path) -> None:
    _run_of(small, "whole", 3)
    assert next_step(Workspace(small)).startswith("nothing waits")
    _run_of(small, "part", 2)
    waits = "next: run again the run-benchmark command of runs/part, which is not played to its end"
    assert next_step(Workspace(small)) == waits
    _run_of(small, "part", 3)
    (small / "runs" / "stopped" / store.PARTS).mkdir(parents=True)
    gone = f"{waits.replace('part', 'stopped')}, or remove that folder"
    assert next_step(Workspace(small)) == gone


def test_a_run_that_lacks_labels_waits_until_it_is_scored(small: Path) -> None:
    _run_of(small, "read", 3, **{MISSING_LABELS: 2})
    said = next_step(Workspace(small))
    assert said.startswith("next: run again the run-benchmark command of runs/read, which lacks")
    folder = small / "runs" / "read"
    store.add_files(folder, store.require(folder, "run-benchmark"), {"scores.json": b"{}"})
    assert next_step(Workspace(small)).startswith("nothing waits")


def test_who_only_runs_is_not_told_to_build(tmp_path: Path) -> None:
    _run_of(tmp_path, "whole", 3)
    assert next_step(Workspace(tmp_path)) == "nothing waits"
    made = tmp_path / "trajectories" / "whole"
    plan = store.Plan(stage="trajectories", inputs={"release": "1"}, settings={})
    with store.writing(made, plan, configs={}) as writer:
        writer.json("summary.json", {})
    assert next_step(Workspace(tmp_path)) == "nothing waits"
