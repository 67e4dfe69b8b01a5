"""The tasks of sheets for a third look, as the journal of decisions wants it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchwright.decisions.standing import standing
from benchwright.errors import WorkspaceError
from benchwright.records import Decision
from benchwright.workspace import Workspace
from labeling.audits.differing import differing
from labeling.audits.tasks.blinding import without_machine
from labeling.audits.tasks.task import Task
from labeling.audits.third_look import as_drawn, nothing_shown, once, tasks_about


def third_looks(
    workspace: Workspace, decisions: Sequence[Decision], run: Path | None
) -> Sequence[Task]:
    """Return a task for each thing that auditors are divided on, barred to whoever judged it.

    Each wants one more look, until its auditors have an answer. Nothing of the machine's is
    shown: no decision says whether its auditor saw it, and what anybody may have judged blind is
    judged blind again, in the App as well. Of responses that takes the folder of their ``run``.

    Raises WorkspaceError where auditors agree, or where no task shows what they are divided on.
    """
    found = differing(workspace, decisions)
    divided = {*found.undecided, *found.contradictions}
    stand = standing(decisions)
    tasks = [
        replace(
            without_machine(as_drawn(task, stand)),
            looks=1,
            barred=tuple(sorted({*task.barred, *stand.get(task.thing, ())})),
        )
        for task in once(tasks_about(workspace, divided, run))
    ]
    if not tasks:
        raise WorkspaceError(nothing_shown(sorted(divided, key=str), stand))
    return tasks
