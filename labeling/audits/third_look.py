"""What a third look shows, in the App or on a sheet: the tasks of what auditors differ on."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchwright.decisions.standing import Standing, Thing
from benchwright.errors import BenchwrightError
from benchwright.plain_text import excerpt
from benchwright.workspace import Workspace
from labeling.audits.differing import judged_in
from labeling.audits.tasks.kinds import kind_of
from labeling.audits.tasks.task import AuditSettings, Facet, Task

_FACETS = ("type", "value", "category")
_JOURNAL = "journal"  # in ids of tasks, where the name of an audit stands


def tasks_about(workspace: Workspace, things: set[Thing], run: Path | None) -> Iterator[Task]:
    """Yield the tasks about some things as an audit would show them now, kind by kind.

    Of responses that takes the folder of their ``run``; raises UsageError where it is none. A
    thing that no audit shows any more gives no task.
    """
    for name in sorted({judged_in(thing) for thing in things}):
        # all responses: which of them were drawn is past
        settings = AuditSettings(run=run, limit=sys.maxsize if name == "responses" else None)
        try:
            made = kind_of(name).tasks(workspace, settings)
        except BenchwrightError:
            if name == "responses" and run is not None:
                raise
            continue  # there is nothing of that kind any more
        for task in made:
            if task.thing in things:
                yield replace(
                    task,
                    task_id=f"{_JOURNAL}/{task.task_id}",
                    facets=facets_of(_JOURNAL, task.facets),
                )


def once(tasks: Iterable[Task]) -> Iterator[Task]:
    """Yield the first task about each thing; of a chain there may be one about each state."""
    seen: set[tuple[Thing, str | None]] = set()
    for task in tasks:
        said = (task.thing, task.before if task.kind == "question-chain" else None)
        if said not in seen:
            seen.add(said)
            yield task


def as_drawn(task: Task, standing: Standing) -> Task:
    """Return a task with the chance by which it was drawn when it was judged first."""
    for each in standing.get(task.thing, {}).values():
        if each.probability is not None:
            return replace(task, stratum=each.stratum, probability=each.probability)
    return task


def facets_of(audit: str, held: Mapping[str, Any]) -> dict[str, Facet]:
    """Return what a person filters third looks by: the audit they come from, and what it held."""
    found: dict[str, Facet] = {"audit": audit}
    for name in _FACETS:
        value = held.get(name)
        found[name] = value if isinstance(value, str) else None
    return found


def nothing_shown(divided: Sequence[Thing], stand: Standing) -> str:
    """Return why there is no task of a third look, by what auditors are ``divided`` on.

    ``stand`` is what each auditor holds of what was judged.
    """
    if not divided and not any(len(by_auditor) > 1 for by_auditor in stand.values()):
        return (
            "nothing was judged by two auditors yet, so nothing wants a third look; open"
            " another audit"
        )
    if not divided:
        return (
            "auditors agree on all that two of them judged, nothing wants a third look; open"
            " another audit"
        )
    first = excerpt(" ".join(part for part in divided[0] if part is not None))
    return (
        f"auditors are divided on {len(divided):,} that no task shows now, the first is {first};"
        " name the run of responses by --run RUN, or plan or make again what was judged"
    )
