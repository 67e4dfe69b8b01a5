"""A task without what the machine holds, as a blind audit would have made it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from labeling.audits.tasks.names import AuditName
from labeling.audits.tasks.task import Task

_SHOWN: Mapping[AuditName, Mapping[str, Any]] = {
    "attributes": {"machine": None, "votes": []},
    "candidate-set": {"target": None, "proposed": None, "model_marks": None},
}
_FACETS = ("machine", "margin", "confidence")


def has_blind_form(task: Task) -> bool:
    """Tell whether a task of its kind can show what the machine holds, and do without."""
    return task.kind in _SHOWN


def without_machine(task: Task) -> Task:
    """Return a task that shows nothing of what the machine holds; of most kinds it is the same."""
    if not has_blind_form(task):
        return task
    hidden = _SHOWN[task.kind]
    boxes = task.boxes
    if task.kind == "candidate-set":  # elsewhere the box is what is asked about
        boxes = tuple(replace(box, is_target=False) for box in boxes)
    return replace(
        task,
        facets={name: value for name, value in task.facets.items() if name not in _FACETS},
        boxes=boxes,
        shown={name: hidden.get(name, value) for name, value in task.shown.items()},
    )
