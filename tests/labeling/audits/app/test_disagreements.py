"""The third look at what two auditors differ on."""

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.decisions.journal import append_decisions
from benchwright.errors import UsageError, WorkspaceError
from benchwright.workspace import Workspace
from labeling.audits.planning.plan_file import read_plan
from labeling.audits.tasks.attributes import KIND
from labeling.audits.tasks.task import AuditSettings, TaskBox
from stand_ins.auditors import decision, judged
from stand_ins.false_premises import false_premises, said_of, store_false_premises

pytest.importorskip("pymongo", reason="pymongo IS NOT INSTALLED: NOBODY DIFFERED IN THIS RUN")

from labeling.audits.app.disagreements import disputed_tasks, third_looks
from labeling.audits.app.judging import judge, next_task, undo
from labeling.audits.app.reading import audits_of, read_slots

Fill = Callable[..., Any]


def _judge_all(audit: Any, kit: SimpleNamespace, auditor: str, verdicts: dict[str, Any]) -> None:
    for sample in audit.samples.find():
        verdict = verdicts.get(sample["task_id"], "confirmed")
        judge(audit, str(sample["_id"]), kit.slot(auditor, verdict))


def test_what_is_disputed_goes_to_a_third(filled: Fill, app_kit: SimpleNamespace) -> None:
    box = TaskBox(label="dress", bbox=(10, 20, 30, 40))
    audit = filled([app_kit.task(n, looks=2, boxes=(box,)) for n in range(4)]).audit
    chains = [app_kit.task(n, looks=2, kind="question-chain", facets={}) for n in range(2)]
    other = filled(chains, name="question-chain", kind="question-chain").audit
    assert not disputed_tasks(audit.database).tasks
    _judge_all(audit, app_kit, "ana", {})
    _judge_all(audit, app_kit, "bo", {"task-2": "corrected"})
    _judge_all(other, app_kit, "bo", {})
    _judge_all(other, app_kit, "cy", {"task-1": "rejected"})
    wanted = disputed_tasks(audit.database)
    assert [task.task_id for task in wanted.tasks] == ["attributes/task-2", "question-chain/task-1"]
    assert [task.kind for task in wanted.tasks] == ["attributes", "question-chain"]
    (first, _) = wanted.tasks
    assert first.shown == {"question": "Is it red?"}
    assert first.boxes[0].bbox == pytest.approx(box.bbox)
    third = filled(
        wanted.tasks, name="disagreements", kind="disagreements", judged_by=wanted.judged_by
    ).audit
    # each is offered to those who have not judged it
    ids = {each["task_id"]: str(each["_id"]) for each in third.samples.find()}
    assert next_task(third, "ana") == ids["question-chain/task-1"]
    assert next_task(third, "cy") == ids["attributes/task-2"]
    assert next_task(third, "bo") is None
    with pytest.raises(UsageError, match="bo judged this before or had a part in it; another"):
        judge(third, ids["attributes/task-2"], app_kit.slot("bo"))
    judge(third, ids["attributes/task-2"], app_kit.slot("cy", "corrected"))
    assert audits_of(third.database) == ["attributes", "disagreements", "question-chain"]
    ((key, slot),) = read_slots(third.database, "disagreements")
    assert (key.kind, key.thing, key.before) == ("attributes", app_kit.task(2).thing, "yes")
    assert slot.auditor == "cy"
    # it is a third look, no audit of its own that could be disputed in turn
    assert len(disputed_tasks(third.database).tasks) == 2


def test_what_sheets_differ_on_goes_to_a_third_too(
    filled: Fill, app_kit: SimpleNamespace, audit_workspace: Workspace
) -> None:
    audit = filled([app_kit.task(1, looks=2)]).audit
    with pytest.raises(WorkspaceError, match="nothing wants a third look"):
        third_looks(audit_workspace, audit.database)
    items = read_plan(audit_workspace).items
    other = {"yes": "no", "no": "yes"}
    append_decisions(
        audit_workspace,
        [
            judged(items[0], items[0].answer, "ana"),
            judged(items[0], other[items[0].answer], "bo"),
            judged(items[1], items[1].answer, "ana"),
        ],
    )
    wanted = third_looks(audit_workspace, audit.database)
    (task,) = wanted.tasks
    assert task.thing == items[0].thing()
    assert task.task_id.startswith("journal/")
    assert task.probability == items[0].probability
    assert wanted.judged_by == {task.task_id: ["ana", "bo"]}


def _third(filled: Fill, workspace: Workspace, audit: Any) -> Any:
    """Open the third look as the command does, and return it."""
    wanted = third_looks(workspace, audit.database)
    return filled(
        wanted.tasks,
        name=wanted.name,
        kind=wanted.kind,
        blind=wanted.blind,
        judged_by=wanted.judged_by,
    ).audit


def _open(audit: Any) -> dict[str, int]:
    return {each["task_id"]: each["open"] for each in audit.samples.find() if each["open"]}


def _say(audit: Any, kit: SimpleNamespace, auditor: str, value: str | None) -> None:
    sample = next_task(audit, auditor)
    assert sample is not None
    verdict = "unsure" if value is None else "confirmed"
    judge(audit, sample, kit.slot(auditor, verdict, value=value))


def test_a_third_look_goes_on_until_there_is_an_answer(
    filled: Fill, app_kit: SimpleNamespace, audit_workspace: Workspace
) -> None:
    audit = filled([app_kit.task(1, looks=2)]).audit
    _say(audit, app_kit, "ana", "yes")
    _say(audit, app_kit, "bo", "no")
    third = _third(filled, audit_workspace, audit)
    _say(third, app_kit, "cy", None)
    assert _open(third) == {}
    # who cannot tell leaves it to one more
    third = _third(filled, audit_workspace, audit)
    assert _open(third) == {"attributes/task-1": 1}
    assert [next_task(third, name) for name in ("ana", "bo", "cy")] == [None] * 3
    _say(third, app_kit, "dan", None)
    # both slots are full: the next round is another task, and nobody has a look twice
    third = _third(filled, audit_workspace, audit)
    assert _open(third) == {"attributes/task-1#2": 1}
    assert [next_task(third, name) for name in ("ana", "bo", "cy", "dan")] == [None] * 4
    _say(third, app_kit, "eve", "yes")
    with pytest.raises(WorkspaceError, match="nothing wants a third look"):
        third_looks(audit_workspace, audit.database)
    # it is taken back: somebody has to look
    assert undo(third, "eve") is not None
    third = _third(filled, audit_workspace, audit)
    assert _open(third) == {"attributes/task-1#2": 1}
    assert next_task(third, "eve") is not None


def test_what_four_are_divided_on_wants_a_fifth(
    filled: Fill, app_kit: SimpleNamespace, audit_workspace: Workspace
) -> None:
    audit = filled([app_kit.task(1, looks=2)]).audit
    items = read_plan(audit_workspace).items
    other = {"yes": "no", "no": "yes"}
    # four judged it on sheets: two against two
    append_decisions(
        audit_workspace,
        [
            judged(items[0], answer, auditor)
            for answer, auditor in zip(
                (items[0].answer, other[items[0].answer]) * 2,
                ("ana", "bo", "cy", "dan"),
                strict=True,
            )
        ],
    )
    wanted = third_looks(audit_workspace, audit.database)
    (task,) = wanted.tasks
    assert task.looks == 1
    assert wanted.judged_by == {task.task_id: ["ana", "bo", "cy", "dan"]}


@pytest.mark.parametrize("is_synced", [False, True])
def test_what_is_settled_elsewhere_wants_no_third_look(
    filled: Fill, app_kit: SimpleNamespace, audit_workspace: Workspace, is_synced: bool
) -> None:
    audit = filled([app_kit.task(n, looks=2) for n in (1, 2)]).audit
    for auditor, value in (("ana", "yes"), ("bo", "no")):
        _say(audit, app_kit, auditor, value)
        _say(audit, app_kit, auditor, value)
    if is_synced:
        append_decisions(
            audit_workspace, [decision(1, "yes", auditor="cy"), decision(1, None, auditor="dan")]
        )
    wanted = third_looks(audit_workspace, audit.database)
    assert [task.task_id for task in wanted.tasks] == [
        "attributes/task-1", "attributes/task-2",
    ][is_synced:]  # fmt: skip


def test_dialogues_that_sheets_differ_on_get_a_third_look(
    filled: Fill, app_kit: SimpleNamespace, audit_workspace: Workspace
) -> None:
    audit = filled([app_kit.task(1)]).audit
    store_false_premises(audit_workspace)
    first, second, *_ = false_premises()
    append_decisions(
        audit_workspace,
        [
            said_of(first, "ana"),
            said_of(first, "bo", verdict="rejected", after=None),
            said_of(second, "ana"),
            said_of(second, "bo"),
        ],
    )
    wanted = third_looks(audit_workspace, audit.database)
    (task,) = wanted.tasks
    assert (task.kind, task.task_id) == ("false-premise", f"journal/{first.dialogue_id}")
    assert wanted.judged_by == {task.task_id: ["ana", "bo"]}


def test_what_no_task_shows_is_named(
    filled: Fill, app_kit: SimpleNamespace, audit_workspace: Workspace
) -> None:
    audit = filled([app_kit.task(1)]).audit
    of_response = {"image_id": None, "record_id": "r1", "field": "corrected"}
    append_decisions(
        audit_workspace,
        [decision(1, "yes", **of_response), decision(1, "no", auditor="bo", **of_response)],
    )
    with pytest.raises(WorkspaceError) as caught:
        third_looks(audit_workspace, audit.database)
    assert str(caught.value) == (
        "auditors are divided on 1 that no task shows now, the first is r1 corrected; name the run"
        " of responses by --run RUN, or plan or make again what was judged"
    )
    with pytest.raises(UsageError, match="name the folder of a finished run by --run"):
        third_looks(audit_workspace, audit.database, audit_workspace.root)


@pytest.mark.parametrize(
    ("how", "is_blind"),
    [
        # each of two auditors: in the App with the machine's answer, without, or on a sheet
        (("sighted", "sighted"), False),
        (("sighted", "blind"), True),
        (("blind", "blind"), True),
        (("sighted", "sheet"), True),
        (("sheet", "sheet"), True),
    ],
)
def test_a_third_look_is_blind_where_a_look_was(
    filled: Fill,
    app_kit: SimpleNamespace,
    audit_workspace: Workspace,
    how: tuple[str, str],
    is_blind: bool,
) -> None:
    item = read_plan(audit_workspace).items[0]
    audits = {
        name: filled(
            [KIND.tasks(audit_workspace, AuditSettings(blind=name == "blind"))[0]],
            name="attributes" if name == "sighted" else "attributes-blind",
            blind=name == "blind",
        ).audit
        for name in ("sighted", "blind")
    }
    for auditor, where, value in zip(("ana", "bo"), how, ("yes", "no"), strict=True):
        if where == "sheet":
            append_decisions(audit_workspace, [judged(item, value, auditor)])
        else:
            sample = audits[where].samples.find_one()
            judge(audits[where], str(sample["_id"]), app_kit.slot(auditor, value=value))
    wanted = third_looks(audit_workspace, audits["sighted"].database)
    (task,) = wanted.tasks
    assert wanted.blind == is_blind
    made = KIND.tasks(audit_workspace, AuditSettings(blind=is_blind))[0]
    assert task.shown == json.loads(json.dumps(made.shown))
    assert (task.shown["machine"] is None) == is_blind
