"""The command map, as a user meets it."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchwright.decisions.journal import read_journal
from benchwright.workspace import Workspace
from labeling.dialogues.candidate_set.drafts import draft_candidate_sets
from stand_ins.dialogues import catalog_of, spoken_about

POINTS = ("[[20, 30], [50, 30], [80, 40]]", "[[50, 30], [20, 30]]", "[[50, 30]]")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = catalog_of(tmp_path / "w", spoken_about("d1"), spoken_about("d2"))
    draft_candidate_sets(made)
    return made


def csv_of(path: Path, *dialogues: str) -> Path:
    rows = [
        f'{dialogue},{turn},"{points}"'
        for dialogue in dialogues
        for turn, points in enumerate(POINTS, 1)
    ]
    path.write_text("\n".join(["dialogue_id,turn,points", *rows]) + "\n", "utf-8")
    return path


def test_the_funnel_and_what_comes_next_are_printed(run: Any, workspace: Workspace) -> None:
    path = csv_of(workspace.root.parent / "marks.csv", "d1", "d2")
    with path.open("a", encoding="utf-8") as stream:
        stream.write('d2,9,"[[1, 1]]"\n\x1b[31md7,1,"[[1, 1]]"\nd2,no,"[[1, 1]]"\n')
    arguments = (path, "--annotator", "ana", "--at", "2026-03-01", "--workspace", workspace.root)
    ran = run("build-dialogues", "candidate-set", "map", *arguments)
    assert (ran.code, ran.err) == (0, "")
    folder = "dialogues/candidate-set/mapped"
    assert ran.out.splitlines() == [
        "3 dialogues annotated → 1 with a box for each mark at every turn; 3 new decisions",
        f"left out: 2 (unknown dialogue 1, unknown turn 1), all in {folder}/mapped.parquet",
        "  [31md7 by ana: no draft is of this dialogue",
        "  d2 by ana, turn 9: the dialogue has 3 turns and no turn 9",
        f"rows of nobody or of no turn: 1 (no turn 1), all in {folder}/rejects.parquet",
        "  marks.csv, line 10: turn wants a number from 1 on, got 'no'",
        "candidate-set: 3 turns approved, 3 withheld (3 not judged yet)",
        "next: review-labels open --audit candidate-set --auditor NAME --workspace"
        f" {workspace.root}",
    ]
    again = run("build-dialogues", "candidate-set", "map", *arguments)
    assert again.out.splitlines()[0].endswith("; 0 new decisions")


def test_several_files_are_mapped_together(run: Any, workspace: Workspace) -> None:
    first = csv_of(workspace.root.parent / "one.csv", "d1")
    second = csv_of(workspace.root.parent / "two.csv", "d1")
    rows = [{"dialogue_id": "d2", "turn": turn, "annotator": "bo", "at": "2026-03-01",
             "points": json.loads(points)} for turn, points in enumerate(POINTS, 1)]  # fmt: skip
    third = workspace.root.parent / "three.jsonl"
    third.write_text("".join(json.dumps(row) + "\n" for row in rows))
    given = ("--at", "2026-03-01", "--workspace", workspace.root)
    ran = run("build-dialogues", "candidate-set", "map", first, second, "--annotator", "bo", *given)
    assert ran.out.startswith("1 dialogue annotated → 1 ")
    ran = run("build-dialogues", "candidate-set", "map", third, second, "--annotator", "bo", *given)
    assert ran.out.startswith("2 dialogues annotated → 2 ")
    # nobody else annotated, with whom one could agree
    assert "\nnext: build-dialogues candidate-set funnel --workspace" in ran.out
    said = {(one.record_id, one.auditor) for one in read_journal(workspace).decisions}
    assert said == {(f"{name}/{turn}", "bo") for name in ("d1", "d2") for turn in (1, 2, 3)}
    by_ana = [row | {"annotator": "ana"} for row in rows]
    third.write_text("".join(json.dumps(row) + "\n" for row in [*rows, *by_ana]))
    ran = run("build-dialogues", "candidate-set", "map", third, "--workspace", workspace.root)
    assert "\nnext: build-dialogues candidate-set agreement --reference NAME" in ran.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("gone.csv",), "cannot be read"),
        (("marks.csv",), "nobody says who annotated"),
        (("marks.csv", "--annotator", "ana"), "nothing says when it was annotated"),
        (("marks.csv", "--annotator", "ana", "--at", "soon"), "--at wants a day or a time"),
        ((), "Missing argument 'FILE...'"),
    ],
)
def test_what_is_asked_wrongly_is_said_in_one_line(
    run: Any, workspace: Workspace, arguments: tuple[str, ...], said: str
) -> None:
    csv_of(workspace.root.parent / "marks.csv", "d1")
    files = [workspace.root.parent / each if "." in each else each for each in arguments]
    ran = run("build-dialogues", "candidate-set", "map", *files, "--workspace", workspace.root)
    assert ran.code != 0
    assert ran.err.startswith("error: ")
    assert said in ran.err
    assert ran.err.count("\n") == 1
    assert not read_journal(workspace).decisions
