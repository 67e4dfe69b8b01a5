"""review-labels sync, as a user runs it: a real mongod, voted labels, two auditors."""

import csv
import os
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright import store
from benchwright.decisions.journal import append_decisions, journal_path, read_journal
from benchwright.decisions.standing import standing
from benchwright.records import BoxOfPicture, CandidateSet, Said
from benchwright.workspace import Workspace
from labeling.attributes.labels.audited import unaudited_labels
from labeling.audits.planning.plan_file import PlannedItem, read_plan
from labeling.audits.syncing import sync as sync_module
from labeling.audits.syncing.sync import sync
from labeling.audits.tasks.responses import run_name
from labeling.dialogues.stored import read_dialogues, write_drafts
from stand_ins.auditors import decision, judged
from stand_ins.responses_of_a_run import response, write_run


def synced(run: Any, workspace: Workspace, *arguments: str | Path, code: int = 0) -> Any:
    ran = run("review-labels", "sync", *arguments, "--workspace", workspace.root)
    assert ran.code == code, (ran.out, ran.err)
    return ran


def test_decisions_come_back_and_change_labels(
    planned: Workspace,
    database: Any,
    tasks: Any,
    auditing: SimpleNamespace,
    run: Any,
    holdings: Any,
) -> None:
    made = tasks(planned)
    audit = auditing.open(database, made)
    before = auditing.labels(planned)
    plain = unaudited_labels(planned)
    wrong, unsure, right, twice, undone = made[:5]
    auditing.put(audit, wrong, auditing.slot("ana", auditing.other[wrong.before]))
    auditing.put(audit, unsure, auditing.slot("ana", None, note="too dark"))
    auditing.put(audit, right, auditing.slot("ana", right.before))
    auditing.put(audit, twice, auditing.slot("ana", "yes"))
    auditing.put(audit, twice, auditing.slot("bo", "no"))
    auditing.put(audit, undone, auditing.slot("bo", "yes", verdict="withdrawn"))
    said = synced(run, planned).out
    assert "judgements: 6 of attributes; 5 new decisions\n" in said
    assert "auditors are divided on 1; a third look decides:" in said
    assert "next: review-labels open --audit disagreements --auditor NAME --workspace" in said
    found = auditing.labels(planned)

    def label(task: Any) -> Any:
        return found[(task.thing.image_id, *task.thing.field.split("/"))]

    assert (label(wrong).answer, label(wrong).origin, label(wrong).auditor) == (
        *(auditing.other[wrong.before], "audited", "ana"),
    )
    assert (label(unsure).answer, label(unsure).origin) == ("unsure", "audited")
    assert (label(right).answer, label(right).origin) == (right.before, "audited")
    for task in (twice, undone):
        kept = before[(task.thing.image_id, *task.thing.field.split("/"))]
        if not any(row.origin == "audited" for row in _of_type(found, task)):
            assert label(task) == kept
    assert unaudited_labels(planned).equals(plain)
    held = holdings(planned.root)
    again = synced(run, planned).out
    assert "; 0 new decisions\n" in again
    assert "labels: as they were" in again
    assert holdings(planned.root) == held  # not a byte


def _of_type(labels: Any, task: Any) -> list[Any]:
    kind = task.thing.field.split("/")[0]
    return [row for row in labels.values() if (row.image_id, row.type) == (task.image_id, kind)]


def test_undoing_after_a_sync_gives_the_label_back_to_the_votes(
    planned: Workspace, database: Any, tasks: Any, auditing: SimpleNamespace, run: Any
) -> None:
    made = tasks(planned)
    audit = auditing.open(database, made)
    data = (planned.labels / "labels.parquet").read_bytes()
    auditing.put(audit, made[0], auditing.slot("ana", auditing.other[made[0].before]))
    assert "labels: " in synced(run, planned).out
    assert (planned.labels / "labels.parquet").read_bytes() != data
    auditing.put(audit, made[0], auditing.slot("ana", None, 5, verdict="withdrawn"))
    said = synced(run, planned).out
    assert "1 new decisions, 1 of them withdrawn" in said
    assert (planned.labels / "labels.parquet").read_bytes() == data
    assert not standing(read_journal(planned).decisions)


def test_another_plan_makes_no_judgement_a_new_one(
    planned: Workspace, database: Any, tasks: Any, auditing: SimpleNamespace, run: Any
) -> None:
    made = tasks(planned)
    audit = auditing.open(database, made)
    auditing.put(audit, made[0], auditing.slot("ana", "yes"))
    synced(run, planned)
    changed = {"$set": {"probability": 0.75, "before": "unsure"}}
    database["benchwright_tasks"].update_many({}, changed)
    assert "; 0 new decisions\n" in synced(run, planned).out


def test_what_is_no_decision_is_named_and_stops_nothing(
    planned: Workspace, database: Any, tasks: Any, auditing: SimpleNamespace, run: Any
) -> None:
    made = tasks(planned)
    audit = auditing.open(database, made)
    auditing.put(audit, made[0], auditing.slot("ana", "yes"))
    auditing.put(audit, made[1], auditing.slot("ana", "perhaps \x1b[2J"))
    auditing.put(audit, made[2], auditing.slot("ana", "yes", at="yesterday"))
    auditing.put(audit, made[3], auditing.slot("ana", "yes", seconds=-1.0))
    auditing.put(audit, made[4], auditing.slot("bo", "yes"))
    database["benchwright_tasks"].update_one(
        {"task_id": made[4].task_id}, {"$set": {"kind": "poems"}}
    )
    said = synced(run, planned).out
    assert "judgements: 5 of attributes; 1 new decisions" in said
    assert "no decision, so left out: 4" in said
    assert "there is no audit of the kind 'poems'" in said
    assert "\x1b" not in said


def test_without_a_database_one_line_says_so(
    planned: Workspace, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FIFTYONE_DATABASE_URI", raising=False)
    said = synced(run, planned).out
    assert said.startswith("no audit was opened in this workspace: there is no database")
    assert not (planned.audits / "database").exists()  # none is started for nothing
    assert not journal_path(planned).exists()
    refused = synced(run, planned, "--auditor", "ana", code=1)
    assert "name it with --sheet FILE" in refused.err


def test_sheets_need_no_database(
    planned: Workspace,
    run: Any,
    monkeypatch: pytest.MonkeyPatch,
    auditing: SimpleNamespace,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.delenv("FIFTYONE_DATABASE_URI", raising=False)
    where = ("--workspace", planned.root)
    ran = run("review-labels", "sheet", "--audit", "attributes", "--auditor", "ana", *where)
    assert ran.code == 0, ran.err
    (path,) = (planned.audits / "sheets").glob("*.csv")
    said = synced(run, planned, "--sheet", path).out
    assert f"  {path} is not filled in: its column verdict is empty\n" in said
    first, second = read_plan(planned).items[:2]
    answers = {0: {"verdict": "yes"}, 1: {"verdict": "no", "note": "=1+1"}, 2: {"verdict": "hm"}}
    fill(path, answers)
    said = synced(run, planned, "--sheet", path).out
    assert f"judgements: 3 of {path}; 2 new decisions" in said
    assert "not filled in" not in said
    assert f"{path}, row 4: verdict wants yes, no, unsure or withdrawn" in said
    labels = auditing.labels(planned)
    for item, answer in ((first, "yes"), (second, "no")):
        row = labels[(item.image_id, item.type, item.value)]
        assert (row.answer, row.origin, row.auditor) == (answer, "audited", "ana")
    data = journal_path(planned).read_bytes()
    assert "; 0 new decisions" in synced(run, planned, "--sheet", path, "--sheet", path).out
    assert journal_path(planned).read_bytes() == data
    assert not (planned.audits / "database").exists()
    os.utime(path, (later := path.stat().st_mtime + 9_999, later))  # as a copy that was mailed
    assert "; 0 new decisions" in synced(run, planned, "--sheet", path).out
    fill(path, {0: {"verdict": "withdrawn"}, 1: {"auditor": ""}})
    said = synced(run, planned, "--sheet", path).out
    assert "1 new decisions, 1 of them withdrawn" in said
    assert f"{path}, row 3: nobody says who judged; fill in the column auditor" in said
    fill(path, {1: {"auditor": "Ana"}})
    synced(run, planned, "--sheet", path)
    assert [line for line in caplog.messages if "auditor 'Ana': 'ana' has decided" in line]


def fill(path: Path, answers: dict[int, dict[str, str]]) -> None:
    """Fill in rows of a CSV by their number."""
    with path.open(encoding="utf-8-sig", newline="") as stream:
        reader = csv.DictReader(stream)
        names, rows = list(reader.fieldnames or ()), list(reader)
    for number, said in answers.items():
        rows[number].update(said)
    with path.open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.DictWriter(stream, names)
        writer.writeheader()
        writer.writerows(rows)


def test_labels_that_cannot_be_decided_anew_hold_nothing_else_up(
    planned: Workspace, database: Any, tasks: Any, auditing: SimpleNamespace, run: Any
) -> None:
    made = tasks(planned)
    audit = auditing.open(database, made)
    where = ("--workspace", planned.root)
    assert run("label-attributes", "calibrate", "--known", "catalog", *where).code == 0
    elsewhere = shutil.move(planned.weights, planned.root / "mine.json")
    assert run("label-attributes", "decide", "--weights", elsewhere, *where).code == 0
    auditing.put(audit, made[0], auditing.slot("ana", "yes"))
    said = synced(run, planned, code=1).out
    assert "labels: not decided anew: " in said
    assert "run label-attributes decide again with --weights FILE" in said
    assert len(read_journal(planned).decisions) == 1
    shutil.move(elsewhere, planned.weights)  # the workspace's own are found again
    ran = run("label-attributes", "decide", "--weights", planned.weights, *where)
    assert ran.code == 0, ran.err
    auditing.put(audit, made[1], auditing.slot("ana", "no"))
    assert "follow from decisions" in synced(run, planned).out


def test_settings_of_the_labels_are_kept(
    planned: Workspace, database: Any, tasks: Any, auditing: SimpleNamespace, run: Any
) -> None:
    options = ("--method", "unweighted", "--margin", "0.2", "--catalog", "ignore")
    assert run("label-attributes", "decide", *options, "--workspace", planned.root).code == 0
    made = tasks(planned)
    auditing.put(auditing.open(database, made), made[0], auditing.slot("ana", "yes"))
    synced(run, planned)
    shown = run("benchwright", "status", "--workspace", planned.root).out
    assert "margin 0.2, method unweighted" in shown
    assert "stale" not in shown
    assert "audits" in shown
    again = run("label-attributes", "decide", *options, "--workspace", planned.root)
    assert "(done before)" in again.out
    assert "of them follow from what people decided" in again.out


def turn(number: int) -> CandidateSet:
    boxes = [BoxOfPicture(box_id=name, category=None, bbox=(0, 0, 9, 9)) for name in ("1", "2")]
    return CandidateSet(
        dialogue_id=f"d{number}",
        image_id=f"{number:016x}",
        turn=1,
        context=(Said(speaker="questioner", text="is it red?"),),
        first_utterance="a bag",
        boxes=tuple(boxes),
        candidate_ids=(),
        marks=(),
        kind="set",
    )


def marked(number: int, auditor: str, ids: str | None) -> Any:
    return decision(
        after=ids,
        image_id=None,
        record_id=f"d{number}/1",
        field="candidates",
        before=None,
        auditor=auditor,
        verdict="rejected" if ids is None else "confirmed",
    )


def test_dialogues_get_their_approvals(planned: Workspace, run: Any) -> None:
    plan = store.Plan(stage="dialogues/candidate-set/drafts", inputs={}, settings={})
    write_drafts(planned, "candidate-set", [turn(number) for number in range(4)], plan)
    decisions = [marked(0, "ana", '["1"]'), marked(1, "ana", None), marked(2, "ana", '["1"]')]
    append_decisions(planned, [*decisions, marked(2, "bo", '["2"]')])
    said = synced(run, planned).out
    assert (
        "candidate-set: 1 approved, 3 withheld (1 not judged yet, 1 rejected, 1 undecided)\n"
    ) in said
    assert "labels: as they were" in said  # decisions on dialogues are none on labels
    assert "auditors are divided on 1; a third look decides:\n  d2/1 candidates\n" in said
    assert "next: review-labels open --audit disagreements --auditor NAME" in said
    assert [each.dialogue_id for each in read_dialogues(planned, "candidate-set")] == ["d0"]
    assert "undecided), as before\n" in synced(run, planned).out


def test_responses_that_auditors_differ_on_want_their_run(planned: Workspace, run: Any) -> None:
    of_response = {"image_id": None, "record_id": "r1", "field": "corrected"}
    append_decisions(
        planned,
        [decision(1, "yes", **of_response), decision(1, "no", auditor="bo", **of_response)],
    )
    said = synced(run, planned).out
    assert "auditors are divided on 1; a third look decides:\n  r1 corrected\n" in said
    assert "next: review-labels open --audit disagreements --auditor NAME --run RUN --work" in said


def test_the_run_of_responses_is_named_where_it_is_in_the_workspace(
    planned: Workspace, run: Any
) -> None:
    write_run(planned.runs / "another run", [response(7)])
    write_run(planned.runs / "spoilt", [response(1)]).joinpath("responses-1.parquet").write_text("")
    folder = write_run(planned.runs / "my run", [response(1)])
    of_response = {
        "image_id": None,
        "record_id": f"{run_name(folder)}/secret-model/1",
        "field": "corrected",
    }
    append_decisions(
        planned,
        [decision(1, "yes", **of_response), decision(1, "no", auditor="bo", **of_response)],
    )
    said = synced(run, planned).out
    assert "--audit disagreements --auditor NAME --run 'my run' --work" in said


def test_yes_to_two_values_of_an_exclusive_type_is_listed(planned: Workspace, run: Any) -> None:
    image_id = next(iter(unaudited_labels(planned).column("image_id").to_pylist()))
    data = (planned.labels / "labels.parquet").read_bytes()
    append_decisions(
        planned,
        [
            decision(image_id=image_id, field="cloth/navy"),
            decision(image_id=image_id, field="cloth/gold", auditor="bo"),
        ],
    )
    said = synced(run, planned).out
    assert "contradictions: 2 labels that people said yes to" in said
    assert f"  {image_id} cloth/gold\n  {image_id} cloth/navy\n" in said
    assert (planned.labels / "labels.parquet").read_bytes() == data  # the votes stand
    assert "labels: as they were" in synced(run, planned).out


def test_labels_that_contradict_each_other_get_a_look_on_a_sheet(
    planned: Workspace, run: Any
) -> None:
    by_type: dict[tuple[str, str], list[PlannedItem]] = {}
    for item in read_plan(planned).items:
        by_type.setdefault((item.image_id, item.type), []).append(item)
    pair = next(items for items in by_type.values() if len(items) > 1)[:2]
    said_yes = [judged(item, "yes", who) for item, who in zip(pair, ("ana", "bo"), strict=True)]
    append_decisions(planned, said_yes)
    third = ("--audit", "disagreements", "--auditor", "cy", "--workspace", planned.root)
    ran = run("review-labels", "sheet", *third)
    assert ran.out.startswith("cy: 2 tasks\n"), ran.err


def test_where_there_is_no_app_sheets_are_named(
    planned: Workspace, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = read_plan(planned).items
    append_decisions(planned, [judged(items[0], "yes"), judged(items[0], "no", "bo")])
    monkeypatch.setattr("benchwright.next_step.has_app", lambda: False)
    assert "next: review-labels sheet --audit disagreements --auditor NAME" in (
        synced(run, planned).out
    )
    said = run("review-labels", "plan", "--workspace", planned.root).out.splitlines()[-1]
    where = f"--workspace {planned.root}"
    assert said == (
        f"next: review-labels sheet --audit attributes --auditor NAME {where}, then review-labels"
        f" sync --sheet FILE {where} and review-labels plan {where} again"
    )


def test_who_began_with_sheets_goes_on_with_sheets(planned: Workspace, run: Any) -> None:
    for name in ("ana", "bo"):
        where = ("--audit", "attributes", "--auditor", name, "--workspace", planned.root)
        assert run("review-labels", "sheet", *where).code == 0
    path = planned.audits / "sheets" / "attributes-ana.csv"
    fill(path, {0: {"verdict": "yes"}})
    at = f"--workspace {planned.root}"
    sheet = f"review-labels sheet --audit attributes --auditor NAME {at}"
    said = synced(run, planned, "--sheet", path).out.splitlines()[-1]
    assert said == (
        f"next: review-labels sync --sheet FILE {at} with what comes back of bo, or {sheet}"
    )
    other = planned.audits / "sheets" / "attributes-bo.csv"
    fill(other, {1: {"verdict": "yes"}})
    assert synced(run, planned, "--sheet", other).out.splitlines()[-1] == f"next: {sheet}"
    said = run("review-labels", "plan", "--workspace", planned.root).out.splitlines()[-1]
    assert said.startswith(f"next: {sheet}, then review-labels sync --sheet FILE {at} and")
    (planned.audits / "database").mkdir()  # somebody opened the App after all
    assert "next: review-labels open --audit attributes" in (
        run("benchwright", "status", "--workspace", planned.root).out
    )


def test_all_that_is_left_out_is_in_a_file(planned: Workspace, run: Any) -> None:
    where = ("--audit", "attributes", "--auditor", "ana", "--workspace", planned.root)
    assert run("review-labels", "sheet", *where).code == 0
    path = planned.audits / "sheets" / "attributes-ana.csv"
    fill(path, {row: {"verdict": "=hm" if row else "yes"} for row in range(11)})
    said = synced(run, planned, "--sheet", path).out
    left_out = planned.audits / "left-out.csv"
    assert "no decision, so left out: 10\n" in said
    assert f"  and 4 more\n  all of them: {left_out}\n" in said
    with left_out.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["place"] for row in rows] == [f"{path}, row {row}" for row in range(3, 13)]
    assert all("verdict wants yes, no, unsure or withdrawn, got" in row["reason"] for row in rows)
    # of the last sync alone
    fill(path, {row: {"verdict": ""} for row in range(1, 11)})
    assert "left out" not in synced(run, planned, "--sheet", path).out
    assert not left_out.exists()


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        # of one page, and the second of several: the CSV to fill in by hand is that of the sheet
        ("attributes-ana.html", "attributes-ana.csv"),
        ("attributes-ana-2.html", "attributes-ana.csv"),
        # as a mail program may call it, and far from its CSV
        ("page.txt", None),
    ],
)
def test_a_page_is_no_sheet(
    planned: Workspace, run: Any, tmp_path: Path, name: str, wanted: str | None
) -> None:
    where = ("--audit", "attributes", "--auditor", "ana", "--workspace", planned.root)
    assert run("review-labels", "sheet", *where, "--out", tmp_path / "out").code == 0
    page = (tmp_path / "out" / "attributes-ana.html").rename(tmp_path / "out" / name)
    ran = synced(run, planned, "--sheet", page, code=1)
    beside = f", or {page.parent / wanted} where it was filled in by hand" if wanted else ""
    assert ran.err == (
        f"error: {page}: is the page; name the CSV that it gave out by Download CSV{beside}\n"
    )


@pytest.mark.parametrize("at", ["take_in", "redecide", "decide_dialogues", "differing"])
def test_one_that_was_killed_goes_on(
    planned: Workspace,
    database: Any,
    tasks: Any,
    auditing: SimpleNamespace,
    monkeypatch: pytest.MonkeyPatch,
    holdings: Any,
    tmp_path: Path,
    at: str,
) -> None:
    plan = store.Plan(stage="dialogues/candidate-set/drafts", inputs={}, settings={})
    write_drafts(planned, "candidate-set", [turn(0)], plan)
    audit = auditing.open(database, made := tasks(planned))
    for task in made[:6]:
        auditing.put(audit, task, auditing.slot("ana", auditing.other[task.before]))
    whole = Workspace(Path(shutil.copytree(planned.root, tmp_path / "whole")))
    sync(whole)
    own = getattr(sync_module, at)

    def killed(*arguments: Any) -> Any:
        own(*arguments)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(sync_module, at, killed)
        with pytest.raises(KeyboardInterrupt):
            sync(planned)
    sync(planned)
    assert holdings(planned.root) == holdings(whole.root)
