"""A task: one thing that an auditor judges, and what a kind of audit must say of its tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from benchwright.decisions.standing import Thing
from benchwright.records import Decision, Verdict
from benchwright.workspace import Workspace
from labeling.audits.tasks.names import AuditName

Facet = str | int | float | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskBox:
    """A box that is drawn on the picture; ``bbox`` is [x, y, width, height] in pixels."""

    label: str
    bbox: tuple[float, float, float, float]
    is_target: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One thing to judge.

    ``task_id`` is unique among the tasks of an audit and the same in each run. ``image_id`` is
    the picture that the App shows. ``before`` is what the machine holds; neither it nor the
    stratum is ever shown where an audit is blind. ``looks`` is how many auditors are to judge it,
    1 or 2; who is ``barred`` may not, because they had a part in it. ``facets`` are the fields
    that a person filters and sorts by, ``shown`` is what the screen draws; both are JSON, and in a
    blind audit free of the machine's label.
    """

    task_id: str
    kind: AuditName
    image_id: str
    thing: Thing
    before: str | None
    looks: int = 1
    barred: tuple[str, ...] = ()
    stratum: str | None = None
    probability: float | None = None
    facets: Mapping[str, Facet] = field(default_factory=dict)
    boxes: tuple[TaskBox, ...] = ()
    shown: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """What one auditor decided of one task, as a screen or a sheet takes it.

    ``value``, ``text`` (JSON), ``failed`` (of a checklist) and ``boxes`` are filled in by the
    kinds that ask for them. ``at`` is ISO 8601 in UTC, ``seconds`` how long it took.
    """

    auditor: str
    verdict: Verdict
    value: str | None = None
    text: str | None = None
    failed: tuple[str, ...] = ()
    boxes: tuple[str, ...] = ()
    note: str | None = None
    seconds: float | None = None
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskKey:
    """What is kept of a task away from the screen, enough to make decisions of a slot."""

    task_id: str
    kind: AuditName
    thing: Thing
    before: str | None
    stratum: str | None
    probability: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditSettings:
    """How tasks are made; ``overlap`` (0 to 1) is the share that two auditors see.

    The plan of an attribute audit has its own overlap and seed. ``run`` is the folder of an
    evaluated model's run, of which ``limit`` responses are drawn.
    """

    blind: bool = False
    overlap: float = 0.2
    seed: int = 0
    run: Path | None = None
    limit: int | None = None


class AuditKind(Protocol):
    """One kind of audit."""

    name: AuditName

    def tasks(self, workspace: Workspace, settings: AuditSettings) -> Sequence[Task]:
        """Return what there is to judge, in the order of judging.

        Raises WorkspaceError, with the command to run first, where there is nothing.
        """

    def decisions(self, task: TaskKey, slot: Slot) -> Sequence[Decision]:
        """Return the decisions that a slot stands for; raises ValueError for one that cannot be.

        A withdrawn slot gives withdrawals of all things that it could have been about.
        """

    def check(
        self, workspace: Workspace, shown: Mapping[str, Any], draft: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return what the rules say of a draft that is being edited; empty where none are.

        ``{"checks": [{"name", "passed", "reason"}], ...}``: with a check that did not pass
        nothing is approved.
        """

    def refusal(self, workspace: Workspace, shown: Mapping[str, Any], slot: Slot) -> str | None:
        """Return, in one line, why this cannot be stored; null where it can."""
