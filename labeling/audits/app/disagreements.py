"""The third look: what two auditors hold different answers of, from all audits of a database."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from benchwright.errors import WorkspaceError
from labeling.audits.app.filling import AuditTasks
from labeling.audits.app.reading import task_key
from labeling.audits.app.stored import TASKS, stored_audits
from labeling.audits.tasks.task import Facet, Task, TaskBox

if TYPE_CHECKING:
    from pymongo.database import Database

DISAGREEMENTS = "disagreements"
_FACETS = ("type", "value", "category")


def disputed_tasks(database: "Database[dict[str, Any]]") -> AuditTasks:
    """Return the tasks that are disputed, as they were shown to those who judged them.

    Raises WorkspaceError where auditors agree on all that two of them judged.
    """
    tasks: list[Task] = []
    judged_by: dict[str, list[str]] = {}
    blind = False
    for name, audit in sorted(stored_audits(database).items()):
        if name == DISAGREEMENTS:
            continue
        for sample in audit.samples.find({"disputed": True}).sort("rank", 1):
            key = database[TASKS].find_one({"_id": f"{name}/{sample['task_id']}"})
            task = _task(name, sample, key or {})
            tasks.append(task)
            judged_by[task.task_id] = [sample[slot]["auditor"] for slot in ("slot_1", "slot_2")]
            blind = blind or audit.blind
    if not tasks:
        raise WorkspaceError(
            "auditors agree on all that two of them judged, nothing wants a third look; open"
            " another audit"
        )
    return AuditTasks(
        name=DISAGREEMENTS, kind=DISAGREEMENTS, blind=blind, tasks=tasks, judged_by=judged_by
    )


def _task(audit: str, sample: Mapping[str, Any], key: Mapping[str, Any]) -> Task:
    known = task_key(key)
    return Task(
        task_id=f"{audit}/{known.task_id}",
        kind=known.kind,
        image_id=key["picture"],
        thing=known.thing,
        before=known.before,
        stratum=known.stratum,
        probability=known.probability,
        facets={"audit": audit, **{name: _text(sample.get(name)) for name in _FACETS}},
        boxes=_boxes(sample),
        shown=json.loads(sample["task"]),
    )


def _text(value: Any) -> Facet:
    return value if isinstance(value, str) else None


def _boxes(sample: Mapping[str, Any]) -> tuple[TaskBox, ...]:
    width, height = sample["metadata"]["width"], sample["metadata"]["height"]
    return tuple(
        TaskBox(
            label=each["label"],
            bbox=(
                each["bounding_box"][0] * width,
                each["bounding_box"][1] * height,
                each["bounding_box"][2] * width,
                each["bounding_box"][3] * height,
            ),
            is_target=each["is_target"],
        )
        for each in (sample["boxes"] or {}).get("detections", ())
    )
