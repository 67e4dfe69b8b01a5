"""The third look on sheets: what two auditors differ on, to the end, without a database."""

import csv
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.decisions.journal import append_decisions, read_journal
from benchwright.decisions.standing import standing
from benchwright.errors import UsageError, WorkspaceError
from benchwright.workspace import Workspace
from labeling.audits.planning.plan_file import PlannedItem, read_plan
from labeling.audits.sheets.reading import read_sheet
from labeling.audits.sheets.writing import Sheet, write_sheets, write_third_looks
from labeling.audits.tasks.kinds import kind_of
from labeling.audits.tasks.task import AuditSettings
from labeling.dialogues.stored import read_dialogues
from stand_ins.auditors import decision, judged
from stand_ins.false_premises import store_false_premises

COCO = Path(__file__).parents[3] / "data" / "coco" / "annotations"
OTHER = {"yes": "no", "no": "yes"}


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def divide(workspace: Workspace, item: PlannedItem, *auditors: str) -> None:
    """Let auditors answer one label by turns in one way and the other."""
    answers = (str(item.answer), OTHER[str(item.answer)]) * 2
    append_decisions(
        workspace,
        [judged(item, *said) for said in zip(answers, auditors, strict=False)],
    )


def sheets_of(workspace: Workspace, *auditors: str) -> dict[str, Sheet]:
    made = write_third_looks(workspace, AuditSettings(), auditors)
    return {sheet.auditor: sheet for sheet in made}


def test_dialogues_are_settled_by_sheets_alone(
    tmp_path: Path, run: Any, made: SimpleNamespace
) -> None:
    workspace = Workspace(tmp_path / "w")

    def ran(*command: str | Path) -> str:
        done = run(*command, "--workspace", workspace.root)
        assert done.code == 0, (done.out, done.err)
        return str(done.out)

    ran("build-catalog", "coco", *sorted(COCO.glob("instances_*.json")), "--workers", "1")
    store_false_premises(workspace)
    named = ("--auditor", "ana", "--auditor", "ben", "--overlap", "1")
    ran("review-labels", "sheet", "--audit", "false-premise", *named)
    sheets = workspace.audits / "sheets"
    ids = [row["task_id"] for row in rows_of(sheets / "false-premise-ana.csv")]
    no = {"verdict": "no", "failed": "naturalness"}
    for name, of_two in (("ana", {"verdict": "yes"}), ("ben", no)):
        path = sheets / f"false-premise-{name}.csv"
        made.fill(path, {each: of_two if each in ids[:2] else {"verdict": "yes"} for each in ids})
        synced = ran("review-labels", "sync", "--sheet", path)
    assert "2 approved, 2 withheld (2 undecided)" in synced
    assert "auditors are divided on 2; a third look decides" in synced

    said = ran("review-labels", "sheet", "--audit", "disagreements", "--auditor", "cy")
    path = sheets / "disagreements-cy.csv"
    assert said.startswith("cy: 2 tasks\n")
    rows = rows_of(path)
    assert [(row["kind"], row["task_id"]) for row in rows] == [
        ("false-premise", f"journal/{each}") for each in ids[:2]
    ]
    made.fill(path, {rows[0]["task_id"]: {"verdict": "yes"}, rows[1]["task_id"]: no})
    synced = ran("review-labels", "sync", "--sheet", path)
    assert "3 approved, 1 withheld (1 rejected)" in synced
    assert "divided" not in synced
    stands = {each.dialogue_id for each in read_dialogues(workspace, "false-premise")}
    assert stands == {ids[0], *ids[2:]}
    third = ("--audit", "disagreements", "--auditor", "dee", "--workspace", workspace.root)
    last = run("review-labels", "sheet", *third)
    assert last.code == 1
    assert "nothing wants a third look" in last.err


def test_who_judged_it_gets_no_second_look(workspace: Workspace) -> None:
    items = read_plan(workspace).items
    divide(workspace, items[0], "ana", "ben")
    divide(workspace, items[1], "cy", "ben")
    append_decisions(workspace, [judged(items[2], items[2].answer, "ana")])
    made = sheets_of(workspace, "ana", "ben", "cy", "dee")
    assert made["ben"].tasks == 0
    assert not made["ben"].table.exists()
    # each wants one look: no two get the same
    rows = [row for sheet in made.values() if sheet.tasks for row in rows_of(sheet.table)]
    assert len(rows) == 2
    alone = sheets_of(workspace, "cy")["cy"]
    assert [row["task_id"] for row in rows_of(alone.table)] == [
        "journal/" + task.task_id
        for task in kind_of("attributes").tasks(workspace, AuditSettings())
        if task.thing == items[0].thing()
    ]


def test_a_tie_goes_to_one_more_and_keeps_its_chance(
    workspace: Workspace, made: SimpleNamespace
) -> None:
    item = read_plan(workspace).items[0]
    divide(workspace, item, "ana", "ben")
    sheet = sheets_of(workspace, "cy")["cy"]
    (row,) = rows_of(sheet.table)
    made.fill(sheet.table, {row["task_id"]: {"verdict": "unsure"}})
    ((key, slot),) = read_sheet(workspace, sheet.table, None).rows
    assert (key.thing, key.before) == (item.thing(), item.answer)
    assert (key.stratum, key.probability) == (item.stratum, item.probability)
    append_decisions(workspace, kind_of("attributes").decisions(key, slot))
    assert set(standing(read_journal(workspace).decisions)[item.thing()]) == {"ana", "ben", "cy"}
    assert sheets_of(workspace, "dee")["dee"].tasks == 1  # cy could not tell


def test_nothing_of_the_machine_is_shown(workspace: Workspace) -> None:
    item = read_plan(workspace).items[0]
    divide(workspace, item, "ana", "ben")
    sheet = sheets_of(workspace, "cy")["cy"]
    assert [row["machine"] for row in rows_of(sheet.table)] == [""]
    page = sheet.pages[0].path.read_text("utf-8")
    assert "· blind" in page
    assert "&#34;machine&#34;: null" in page
    blind = AuditSettings(blind=True)
    (plain,) = write_sheets(
        workspace, kind_of("attributes"), blind, ["cy"], workspace.root / "elsewhere"
    )
    of_task = next(row for row in rows_of(plain.table) if row["key"])
    assert of_task["machine"] == ""


def test_what_no_sheet_can_show(workspace: Workspace) -> None:
    with pytest.raises(WorkspaceError, match="nothing was judged by two auditors yet"):
        sheets_of(workspace, "cy")
    item = read_plan(workspace).items[0]
    append_decisions(workspace, [judged(item, "yes", who) for who in ("ana", "ben")])
    with pytest.raises(WorkspaceError, match="auditors agree on all that two of them judged"):
        sheets_of(workspace, "cy")
    of_response = {"image_id": None, "record_id": "r1", "field": "corrected"}
    append_decisions(
        workspace,
        [decision(1, "yes", **of_response), decision(1, "no", auditor="ben", **of_response)],
    )
    with pytest.raises(WorkspaceError, match=r"divided on 1 that no task shows .* --run RUN"):
        sheets_of(workspace, "cy")
    with pytest.raises(UsageError, match="name the folder of a finished run by --run"):
        write_third_looks(workspace, AuditSettings(run=workspace.root), ["cy"])
