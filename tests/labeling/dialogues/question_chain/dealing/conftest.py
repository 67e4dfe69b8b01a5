"""Chains in a workspace, and people who judge them through the audit."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from benchwright.decisions.journal import append_decisions
from benchwright.workspace import Workspace
from labeling.audits.tasks.question_chain import KIND
from labeling.audits.tasks.task import AuditSettings, Slot, Task, TaskKey
from labeling.dialogues.question_chain.written import written_text
from stand_ins.chains import chain, drafted_chains

GOOD = written_text(chain())


class Sitting:
    """People who judge what a chain waits for, a minute after each other."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace, self.minute = workspace, 0

    def tasks(self) -> Mapping[str, Task]:
        tasks = KIND.tasks(self.workspace, AuditSettings())
        return {task.shown["chain_id"]: task for task in tasks}

    def judge(
        self, chain_id: str, auditor: str, verdict: str = "confirmed", **more: Any
    ) -> str | None:
        """Store what somebody says, or return why it cannot be."""
        task, self.minute = self.tasks()[chain_id], self.minute + 1
        key = TaskKey(
            task_id=task.task_id, kind=task.kind, thing=task.thing, before=task.before,
            stratum=None, probability=None,
        )  # fmt: skip
        at = f"2026-03-01T{12 + self.minute // 60}:{self.minute % 60:02}:00+00:00"
        slot = Slot(auditor=auditor, verdict=verdict, at=at, **more)  # type: ignore[arg-type]
        refused = KIND.refusal(self.workspace, task.shown, slot)
        if refused is None:
            append_decisions(self.workspace, KIND.decisions(key, slot))
        return refused

    def write(self, chain_id: str, author: str, scenario: str = "map") -> None:
        """Let somebody write a chain, and zoe find its distractors right."""
        text = GOOD.replace('"responsibility"', f'"{scenario}"')
        assert self.judge(chain_id, author, text=text) is None
        assert self.judge(chain_id, "zoe") is None


@pytest.fixture
def seated() -> Callable[[Workspace], Sitting]:
    """Seat people before the drafts of a workspace."""
    return Sitting


@pytest.fixture
def sitting(tmp_path: Path) -> Callable[..., Sitting]:
    """Draft chains by their names, and let their authors write them."""

    def begun(**authors: str | None) -> Sitting:
        workspace = Workspace(tmp_path / "workspace")
        drafted_chains(workspace, *(chain(chain_id=name) for name in authors))
        sitting = Sitting(workspace)
        for name, author in authors.items():
            if author is not None:
                sitting.write(name, author, scenario=name.partition("_")[0])
        return sitting

    return begun
