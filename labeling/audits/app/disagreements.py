"""The third look: what auditors hold different answers of, in the database or on sheets."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchwright.decisions.journal import read_journal
from benchwright.decisions.standing import Standing, Thing, standing, thing_of
from benchwright.errors import WorkspaceError
from benchwright.records import Decision
from benchwright.workspace import Workspace
from labeling.audits.app.filling import AuditTasks
from labeling.audits.app.reading import read_slots, task_key
from labeling.audits.app.stored import SLOTS, TASKS, StoredAudit, stored_audits
from labeling.audits.differing import differing
from labeling.audits.syncing.slots import gathered
from labeling.audits.tasks.blinding import has_blind_form, without_machine
from labeling.audits.tasks.names import DISAGREEMENTS
from labeling.audits.tasks.task import Task, TaskBox
from labeling.audits.third_look import as_drawn, facets_of, nothing_shown, once, tasks_about

if TYPE_CHECKING:
    from pymongo.database import Database


def third_looks(
    workspace: Workspace, database: "Database[dict[str, Any]]", run: Path | None = None
) -> AuditTasks:
    """Return the tasks that want a further look.

    Those that were disputed in the App come as they were shown there. What else auditors hold
    different answers of, or values that contradict each other, comes as an audit would show it
    now: it was judged on sheets, or in two audits. Of responses that takes the folder of their
    ``run``. A task is there until its auditors have an answer: who cannot tell, or makes a
    tie of it, leaves it to one more. Where anybody judged blind, nothing of the machine's is shown.

    Raises WorkspaceError where auditors agree on all that two of them judged, or where no task
    shows what they are divided on.
    """
    looks = _Looks.of(workspace, database)
    found = differing(workspace, looks.decisions)
    is_open = {*found.undecided, *found.contradictions}
    disputed = disputed_tasks(database)
    wanted = [task for task in disputed.tasks if task.thing in is_open or looks.voices(task) < 3]
    missing = is_open.difference(task.thing for task in wanted)
    wanted += (as_drawn(task, looks.standing) for task in tasks_about(workspace, missing, run))
    if not wanted:
        raise WorkspaceError(nothing_shown(sorted(missing, key=str), looks.standing))
    blind = any(looks.is_blind(task) for task in wanted)
    tasks: list[Task] = []
    judged_by: dict[str, Sequence[str]] = {}
    for task in once(wanted):
        placed = looks.next_of(task)
        before = {*looks.standing.get(task.thing, ()), *disputed.judged_by.get(task.task_id, ())}
        tasks.append(without_machine(placed) if blind else placed)
        judged_by[placed.task_id] = sorted(before)
    return AuditTasks(
        name=DISAGREEMENTS, kind=DISAGREEMENTS, blind=blind, tasks=tasks, judged_by=judged_by
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Looks:
    """All that anybody decided so far, in the journal or not yet.

    ``sighted`` and ``blind`` are who judged what in the App with the machine's answer before them
    and without, ``third`` who gave it a third look; ``counts`` are the judgements of each task of
    the third look that stand.
    """

    decisions: Sequence[Decision]
    standing: Standing
    sighted: frozenset[tuple[Thing, str]]
    blind: frozenset[tuple[Thing, str]]
    third: frozenset[tuple[Thing, str]]
    counts: Mapping[str, int]

    @classmethod
    def of(cls, workspace: Workspace, database: "Database[dict[str, Any]]") -> "_Looks":
        decisions = list(read_journal(workspace).decisions)
        who: dict[str, set[tuple[Thing, str]]] = {"sighted": set(), "blind": set(), "third": set()}
        counts: Mapping[str, int] = {}
        for name, audit in sorted(stored_audits(database).items()):
            added = gathered(name, read_slots(database, name)).decisions
            decisions += added
            how = "blind" if audit.blind else "sighted"
            if name == DISAGREEMENTS:
                how, counts = "third", _counts(audit)
            who[how].update((thing_of(each), each.auditor) for each in added)
        return cls(
            decisions=decisions,
            standing=standing(decisions),
            sighted=frozenset(who["sighted"]),
            blind=frozenset(who["blind"]),
            third=frozenset(who["third"]),
            counts=counts,
        )

    def voices(self, task: Task) -> int:
        """Return how many gave an answer."""
        held = self.standing.get(task.thing, {}).values()
        return sum(each.verdict != "unsure" for each in held)

    def is_blind(self, task: Task) -> bool:
        """Tell whether anybody judged without the machine's answer, as perhaps on a sheet."""
        looked = {(task.thing, auditor) for auditor in self.standing.get(task.thing, ())}
        return has_blind_form(task) and bool(
            looked & self.blind or looked - self.sighted - self.third
        )

    def next_of(self, task: Task) -> Task:
        """Return a task as it wants one more look, as another task when its slots are full."""
        task_id, number = task.task_id, 1
        while (count := self.counts.get(task_id, 0)) >= len(SLOTS):
            number += 1
            task_id = f"{task.task_id}#{number}"
        return replace(task, task_id=task_id, looks=count + 1)


def _counts(audit: StoredAudit) -> Mapping[str, int]:
    fields = {"task_id": 1, **{f"{slot}.verdict": 1 for slot in SLOTS}}
    return {
        sample["task_id"]: sum(
            (sample.get(slot) or {}).get("verdict", "withdrawn") != "withdrawn" for slot in SLOTS
        )
        for sample in audit.samples.find({}, fields)
    }


def disputed_tasks(database: "Database[dict[str, Any]]") -> AuditTasks:
    """Return the tasks that are disputed in the App, as they were shown there."""
    tasks: list[Task] = []
    judged_by: dict[str, Sequence[str]] = {}
    blind = False
    for name, audit in sorted(stored_audits(database).items()):
        if name == DISAGREEMENTS:
            continue
        for sample in audit.samples.find({"disputed": True}).sort("rank", 1):
            key = database[TASKS].find_one({"_id": f"{name}/{sample['task_id']}"})
            task = _task(name, sample, key or {})
            tasks.append(task)
            judged_by[task.task_id] = [sample[slot]["auditor"] for slot in SLOTS]
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
        facets=facets_of(audit, sample),
        boxes=_boxes(sample),
        shown=json.loads(sample["task"]),
    )


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
