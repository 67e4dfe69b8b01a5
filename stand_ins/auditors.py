"""Auditors who judge labels as they are told, for tests: what they decide of one, of a plan."""

from collections.abc import Callable
from typing import Any

from benchwright.decisions.fields import label_field
from benchwright.records import Decision
from labeling.audits.planning.plan_file import AuditPlan, PlannedItem
from labeling.audits.tasks.task import Task, TaskKey


def decision(number: int = 1, after: str | None = "yes", **more: Any) -> Decision:
    """Return a decision on the label colour/red of a picture that is named by a number."""
    said: dict[str, Any] = {
        "image_id": f"{number:016x}",
        "object_id": None,
        "record_id": None,
        "field": "colour/red",
        "auditor": "ana",
        "before": "yes",
        "after": after,
        "verdict": "unsure" if after is None else "confirmed" if after == "yes" else "corrected",
        "seconds": 2.5,
        "at": "2026-03-01T12:00:00+00:00",
        "stratum": None,
        "probability": None,
    }
    return Decision(**{**said, **more})


def judged(item: PlannedItem, after: str | None, auditor: str = "ana", **more: Any) -> Decision:
    """Return what an auditor decides of an item of a plan."""
    verdict = "unsure" if after is None else "confirmed" if after == item.answer else "corrected"
    said: dict[str, Any] = {
        "image_id": item.image_id,
        "object_id": item.object_id,
        "field": label_field(item.type, item.value),
        "auditor": auditor,
        "before": item.answer,
        "after": after,
        "verdict": verdict,
        "stratum": item.stratum,
        "probability": item.probability,
    }
    return decision(**{**said, **more})


def judge(
    plan: AuditPlan, is_wrong: Callable[[PlannedItem], bool] = lambda _: False
) -> list[Decision]:
    """Return what the auditors decide who judge all of a plan, and never differ."""
    other = {"yes": "no", "no": "yes"}
    return [
        judged(item, other[item.answer] if is_wrong(item) else item.answer, auditor)
        for item in plan.items
        for auditor in (("ana", "bo") if item.twice else ("ana",))
    ]


def key_of(task: Task) -> TaskKey:
    """Return what is kept of a task when its slots are read."""
    return TaskKey(
        task_id=task.task_id,
        kind=task.kind,
        thing=task.thing,
        before=task.before,
        stratum=task.stratum,
        probability=task.probability,
    )
