"""Tasks of false premises, what may be stored of them, and the decisions that come of it."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchwright import store
from benchwright.decisions.journal import append_decisions
from benchwright.errors import WorkspaceError
from benchwright.records import Check, Sighting
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from labeling.audits.tasks.false_premise import KIND
from labeling.audits.tasks.kinds import kind_of
from labeling.audits.tasks.task import AuditSettings, Slot, Task
from labeling.dialogues.false_premise.seeing.see import seen_folder
from labeling.dialogues.stored import (
    decide_dialogues,
    read_dialogues,
    record_digest,
    write_drafts,
)
from stand_ins.auditors import key_of
from stand_ins.false_premises import false_premise, false_premises, store_false_premises, written

SETTINGS = AuditSettings(overlap=0.5, seed=3)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path / "workspace")
    store_false_premises(workspace)
    return workspace


def task_of(workspace: Workspace, dialogue_id: str = "fp-woman") -> Task:
    return {task.task_id: task for task in KIND.tasks(workspace, SETTINGS)}[dialogue_id]


def shown_of(workspace: Workspace, dialogue_id: str = "fp-woman") -> Mapping[str, Any]:
    """Return what a screen gets: what went through JSON."""
    said: Mapping[str, Any] = json.loads(json.dumps(dict(task_of(workspace, dialogue_id).shown)))
    return said


def slot(verdict: Any = "confirmed", text: str | None = None, **more: Any) -> Slot:
    said = None if text is None else json.dumps({"false_description": text})
    return Slot(auditor="ana", verdict=verdict, text=said, at="2026-03-01T12:00:00+00:00", **more)


def test_it_is_the_kind_of_its_name() -> None:
    assert kind_of("false-premise") is KIND


def seen(workspace: Workspace, *boxes: tuple[float, float, float, float]) -> str:
    """Store what a voter saw of the true description of the dog; return the digest of it."""
    rows = [
        Sighting(
            dialogue_id="fp-dog",
            variant=0,
            description="the dog",
            is_true=True,
            box=box,
            voter="m",
            answer="yes",
            status="ok",
        )
        for box in (None, *boxes)
    ]
    plan = store.Plan(stage="seen", inputs={}, settings={})
    with store.writing(seen_folder(workspace), plan, configs={}) as out:
        out.table("sightings", to_table(rows, Sighting))
    return store.require(seen_folder(workspace), "x").digest()


@pytest.mark.parametrize("is_of_now", [True, False])
def test_boxes_that_the_reasons_name_are_drawn_with_their_numbers(
    tmp_path: Path, is_of_now: bool
) -> None:
    workspace = Workspace(tmp_path / "workspace")
    dog = false_premise("dog")
    others = [(float(at), 0.0, 5.0, 5.0) for at in range(11)]
    digest = seen(workspace, dog.box, *others)
    reason = "target at 5, 5: no by m; box 3 at 1, 0: yes by m; box 12 at 10, 0: unsure by m"
    check = Check(name="one target by sight", passed=False, reason=reason)
    drafts = [
        replace(dog, checks=(*dog.checks, check), variant=2, dialogue_id="fp-dog-variant-2"),
        dog,
    ]
    plan = store.Plan(
        stage="drafts", inputs={"seen": digest if is_of_now else "of before"}, settings={}
    )
    write_drafts(workspace, "false-premise", drafts, plan)
    drawn = {
        task.task_id: [(box.label, box.bbox, box.is_target) for box in task.boxes]
        for task in KIND.tasks(workspace, SETTINGS)
    }
    target = ("target", dog.box, True)
    named = [("box 3", others[1], False), ("box 12", others[10], False)]
    assert drawn == {
        "fp-dog": [target],
        "fp-dog-variant-2": [target, *(named if is_of_now else [])],
    }


def test_without_drafts_it_says_how_to_make_some(tmp_path: Path) -> None:
    with pytest.raises(
        WorkspaceError, match="run build-dialogues false-premise run --voters FILE first"
    ):
        KIND.tasks(Workspace(tmp_path), SETTINGS)


def test_a_task_for_each_draft(workspace: Workspace) -> None:
    tasks = KIND.tasks(workspace, SETTINGS)
    drafts = {draft.dialogue_id: draft for draft in false_premises()}
    assert sorted(task.task_id for task in tasks) == sorted(drafts)
    assert sum(task.looks == 2 for task in tasks) == 1
    for task in tasks:
        draft = drafts[task.task_id]
        assert task.before == record_digest(draft)
        assert task.thing == (None, None, draft.dialogue_id, "dialogue")
        assert [(box.bbox, box.is_target) for box in task.boxes] == [(draft.box, True)]
        assert task.facets["type"] == draft.premise_class
        assert task.before not in json.dumps(dict(task.shown))


def test_the_same_settings_give_the_same_tasks_and_a_seed_another_order(
    workspace: Workspace,
) -> None:
    assert KIND.tasks(workspace, SETTINGS) == KIND.tasks(workspace, SETTINGS)
    orders = {
        tuple(task.task_id for task in KIND.tasks(workspace, AuditSettings(seed=seed)))
        for seed in range(8)
    }
    assert len(orders) > 1


def test_a_limit_takes_the_first_ones(workspace: Workspace) -> None:
    few = KIND.tasks(workspace, replace(SETTINGS, limit=2))
    first = KIND.tasks(workspace, SETTINGS)[:2]
    assert [task.task_id for task in few] == [task.task_id for task in first]


@pytest.mark.parametrize("seed", range(3))
def test_what_voters_did_not_settle_comes_first(workspace: Workspace, seed: int) -> None:
    doubt = Check(name="seen", passed=False, reason="two voters deny it")
    boat = false_premise("boat")
    drafts = [draft for draft in false_premises() if draft.dialogue_id != "fp-boat"]
    broken = written("the car", "the car", dialogue_id="fp-broken")  # a rule is no doubt by sight
    store_false_premises(workspace, [*drafts, broken, replace(boat, checks=(*boat.checks, doubt))])
    tasks = KIND.tasks(workspace, AuditSettings(seed=seed))
    assert tasks[0].task_id == "fp-boat"
    assert tasks[0].facets["is_settled_by_sight"] is False
    kept = {task.task_id: task.facets["keeps_rules"] for task in tasks}
    assert kept.pop("fp-broken") is False
    assert set(kept.values()) == {True}
    said = [check for check in tasks[0].shown["checks"] if not check["by_rule"]]
    assert [(check["name"], check["passed"]) for check in said] == [("seen", False)]
    assert KIND.refusal(workspace, tasks[0].shown, slot()) is None  # people have the last word


def test_what_the_screen_draws(workspace: Workspace) -> None:
    shown = shown_of(workspace)
    true, false = shown["true_description"], shown["false_description"]
    assert true[slice(*shown["true_span"])] == "woman"
    assert false[slice(*shown["false_span"])] == "man"
    assert shown["checklist"] == ["grounding", "target consistency", "naturalness", "single error"]
    assert len(shown["questions"]) == 10
    for question in shown["questions"]:
        held = false if question["is_false"] else true
        assert question["asked"][slice(*question["span"])] == held
    fifth = shown["questions"][4]
    assert [fifth["asked"][slice(*span)] for span in fifth["repairs"]] == ["he", "his"]
    assert shown["questions"][1]["repairs"] == []


def test_a_description_that_is_not_there_has_no_span(workspace: Workspace) -> None:
    store_false_premises(workspace, [written("the car", "the bus", ["Is it old?"] * 10)])
    question = shown_of(workspace, "fp-1")["questions"][5]
    assert (question["span"], question["repairs"]) == (None, [])


def test_a_draft_is_checked_while_it_is_written(workspace: Workspace) -> None:
    shown = shown_of(workspace)
    said = KIND.check(workspace, shown, {"false_description": "the waiter in the white hat"})
    assert all(check["passed"] for check in said["checks"])
    assert said["questions"][3]["asked"].endswith("the waiter in the white hat have on his hands?")
    assert said["edit"] == {"start": 4, "before": "woman", "after": "waiter"}
    assert said.keys() <= shown.keys()
    said = KIND.check(workspace, shown, {"false_description": "the girl in the white hat"})
    assert [check["reason"] for check in said["checks"] if not check["passed"]] == [
        "woman and girl differ in age"
    ]


@pytest.mark.parametrize("draft", [{}, {"false_description": None}, {"false_description": ["x"]}])
def test_what_is_no_draft_fails_the_checks(workspace: Workspace, draft: Any) -> None:
    said = KIND.check(workspace, shown_of(workspace), draft)
    assert not all(check["passed"] for check in said["checks"])


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        (slot(), None),
        (slot("corrected", "the waiter in the white hat"), None),
        (slot("rejected", failed=("naturalness", "grounding")), None),
        (slot("unsure"), None),
        (slot("unsure", failed=("grounding",)), None),
        # the checklist
        (slot(failed=("naturalness",)), "not ticked: naturalness; tick what holds, then approve"),
        (
            slot("corrected", "the waiter in the white hat", failed=("grounding", "single error")),
            "not ticked: grounding, single error; tick what holds, then approve",
        ),
        (slot("rejected"), "mark what failed, then reject: grounding, target consistency, "
         "naturalness, single error"),
        (slot("rejected", failed=("taste",)), "no 'taste' is on the checklist: grounding, target "
         "consistency, naturalness, single error"),
        # the rules
        (
            slot("corrected", "the girl in the white hat"),
            "another kind: woman and girl differ in age; mend the false description (e) or reject"
            " it (j)",
        ),
        # what is no correction
        (
            slot("corrected", "the  man in the white hat"),
            "the wording is that of the draft; approve it as it is",
        ),
        (slot("corrected"), 'a correction wants the new wording as {"false_description": "..."}, '
         "got nothing"),
    ],
)  # fmt: skip
def test_what_can_be_stored(workspace: Workspace, said: Slot, wanted: str | None) -> None:
    assert KIND.refusal(workspace, shown_of(workspace), said) == wanted


def test_a_draft_that_breaks_a_rule_is_not_approved(workspace: Workspace) -> None:
    store_false_premises(workspace, [written("the red car", "the red bus")])
    said = KIND.refusal(workspace, shown_of(workspace, "fp-1"), slot())
    assert said is not None
    assert said.startswith("class as planned: changes identity; planned is attribute; mend")


@pytest.mark.parametrize(
    ("said", "verdict", "after"),
    [
        (slot(seconds=3.5, note="fine"), "confirmed", "DIGEST"),
        (slot("corrected", " the waiter  here"), "corrected", "the waiter here"),
        (slot("rejected", failed=("grounding",)), "rejected", None),
        (slot("unsure"), "unsure", None),
        (slot("withdrawn"), "withdrawn", None),
    ],
)
def test_decisions(workspace: Workspace, said: Slot, verdict: str, after: str | None) -> None:
    task = task_of(workspace)
    (decision,) = KIND.decisions(key_of(task), said)
    assert (decision.record_id, decision.field) == ("fp-woman", "dialogue")
    assert (decision.auditor, decision.verdict, decision.before) == ("ana", verdict, task.before)
    if after is not None and after != "DIGEST":
        assert json.loads(decision.after or "") == {"false_description": after}
    else:
        assert decision.after == (task.before if after else None)
    assert (decision.seconds, decision.note) == (said.seconds, said.note)
    assert decision.failed == said.failed


def test_a_correction_without_a_wording_cannot_be_a_decision(workspace: Workspace) -> None:
    with pytest.raises(ValueError, match="a correction wants the new wording"):
        KIND.decisions(key_of(task_of(workspace)), slot("corrected"))


def test_from_slot_to_dialogue(workspace: Workspace) -> None:
    slots = {
        "fp-woman": slot("corrected", "the waiter in the white hat"),
        "fp-dog": slot(),
        "fp-boat": slot("rejected", failed=("grounding",)),
    }
    for name, said in slots.items():
        append_decisions(workspace, KIND.decisions(key_of(task_of(workspace, name)), said))
    manifest = decide_dialogues(workspace, "false-premise")
    dog, woman = read_dialogues(workspace, "false-premise")
    assert (dog.dialogue_id, dog.false_description) == (
        "fp-dog",
        "the black dog on the blue carpet",
    )
    assert woman.false_description == "the waiter in the white hat"
    assert [approval.verdict for approval in woman.approvals] == ["corrected"]
    assert manifest.reasons == {"not judged yet": 1, "rejected": 1}
