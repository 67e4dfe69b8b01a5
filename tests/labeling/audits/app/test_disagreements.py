"""The third look at what two auditors differ on."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.decisions.journal import append_decisions
from benchwright.errors import UsageError, WorkspaceError
from benchwright.workspace import Workspace
from labeling.audits.planning.plan_file import read_plan
from labeling.audits.tasks.task import TaskBox
from stand_ins.auditors import judged

pytest.importorskip("pymongo", reason="pymongo IS NOT INSTALLED: NOBODY DIFFERED IN THIS RUN")

from labeling.audits.app.disagreements import disputed_tasks, third_looks
from labeling.audits.app.judging import judge, next_task
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
    with pytest.raises(UsageError, match="bo judged this before it was disputed"):
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
