"""The third look: what auditors hold different answers of, in the database or on sheets."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from benchwright.decisions.journal import read_journal
from benchwright.decisions.standing import Thing, standing
from benchwright.errors import BenchwrightError, WorkspaceError
from benchwright.workspace import Workspace
from labeling.audits.app.filling import AuditTasks
from labeling.audits.app.reading import task_key
from labeling.audits.app.stored import TASKS, stored_audits
from labeling.audits.differing import differing
from labeling.audits.tasks.kinds import kind_of
from labeling.audits.tasks.names import AuditName
from labeling.audits.tasks.task import AuditSettings, Facet, Task, TaskBox

if TYPE_CHECKING:
    from pymongo.database import Database

DISAGREEMENTS = "disagreements"
_FACETS = ("type", "value", "category")
_JOURNAL = "journal"  # in ids of tasks, where the name of an audit stands
_BY_SHEETS: tuple[AuditName, ...] = ("attributes", "galleries")  # that the journal alone settles


def third_looks(workspace: Workspace, database: "Database[dict[str, Any]]") -> AuditTasks:
    """Return the tasks that want a further look.

    Those that were disputed in the App come as they were shown there. Labels and galleries of
    which the journal holds different answers, or values that contradict each other, come as an
    audit would show them now: they were judged on sheets.

    Raises WorkspaceError where auditors agree on all that two of them judged.
    """
    found = disputed_tasks(database)
    held = standing(read_journal(workspace).decisions)
    known = {task.thing for task in found.tasks}
    wanted = differing(workspace)
    missing = {*wanted.undecided, *wanted.contradictions} - known
    judged_by = dict(found.judged_by)
    tasks = list(found.tasks)
    for task in _tasks_about(workspace, missing, blind=found.blind):
        tasks.append(
            replace(
                task,
                task_id=f"{_JOURNAL}/{task.task_id}",
                looks=1,
                facets=_facets(_JOURNAL, task.facets),
            )
        )
        judged_by[tasks[-1].task_id] = sorted(held[task.thing])
    if not tasks:
        raise WorkspaceError(
            "auditors agree on all that two of them judged, nothing wants a third look; open"
            " another audit"
        )
    return replace(found, tasks=tasks, judged_by=judged_by)


def _tasks_about(workspace: Workspace, things: set[Thing], *, blind: bool) -> Iterator[Task]:
    if not things:
        return
    for name in _BY_SHEETS:
        try:
            made = kind_of(name).tasks(workspace, AuditSettings(blind=blind))
        except BenchwrightError:  # there is nothing of that kind here
            continue
        yield from (task for task in made if task.thing in things)


def disputed_tasks(database: "Database[dict[str, Any]]") -> AuditTasks:
    """Return the tasks that are disputed in the App, as they were shown there."""
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
        facets=_facets(audit, sample),
        boxes=_boxes(sample),
        shown=json.loads(sample["task"]),
    )


def _facets(audit: str, held: Mapping[str, Any]) -> dict[str, Facet]:
    found: dict[str, Facet] = {"audit": audit}
    for name in _FACETS:
        value = held.get(name)
        found[name] = value if isinstance(value, str) else None
    return found


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
