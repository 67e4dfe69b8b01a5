"""What tests of sheets share: a planned audit of drawn dresses, and a kind that stands in."""

import csv
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright import store
from benchwright.decisions.standing import Thing
from benchwright.records import Decision, Label
from benchwright.rows import from_table, to_table
from benchwright.workspace import Workspace
from builders.catalog import load_items
from builders.sample.build import build_sample
from labeling.attributes.labels.normalise import normalise
from labeling.attributes.labels.writing import write_labels
from labeling.audits.planning.plan import plan_audit
from labeling.audits.planning.plan_file import PlanSettings
from labeling.audits.sheets.table import write_table
from labeling.audits.tasks.names import AuditName
from labeling.audits.tasks.task import AuditSettings, Slot, Task, TaskKey


@dataclass(frozen=True, kw_only=True)
class StandIn:
    """A kind of audit that holds the tasks that it is given, and refuses what it is told to."""

    made: Sequence[Task] = ()
    name: AuditName = "false-premise"
    refuses: Mapping[str, str] = field(default_factory=dict)  # by verdict

    def tasks(self, workspace: Workspace, settings: AuditSettings) -> Sequence[Task]:
        return self.made

    def decisions(self, task: TaskKey, slot: Slot) -> Sequence[Decision]:
        return []

    def check(self, workspace: Workspace, shown: Any, draft: Any) -> Mapping[str, Any]:
        return {}

    def refusal(self, workspace: Workspace, shown: Any, slot: Slot) -> str | None:
        return self.refuses.get(slot.verdict)


def made_task(image_id: str, task_id: str = "d-1", **more: Any) -> Task:
    """Return a task about a record."""
    said: dict[str, Any] = {
        "task_id": task_id,
        "kind": "false-premise",
        "image_id": image_id,
        "thing": Thing(None, None, task_id, "dialogue"),
        "before": None,
        "shown": {"checklist": ["grounding", "single error"]},
    }
    return Task(**{**said, **more})


def fill(path: Path, answers: Mapping[str, Mapping[str, str]]) -> None:
    """Fill in a CSV by hand: cells by task_id and column."""
    with path.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        row.update(answers.get(row["task_id"], {}))
    write_table(path, (list(row.values()) for row in rows))


@pytest.fixture(scope="session")
def made() -> SimpleNamespace:
    """The things above, for tests."""
    return SimpleNamespace(StandIn=StandIn, task=made_task, fill=fill)


@pytest.fixture(scope="session")
def _planned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    workspace = Workspace(tmp_path_factory.mktemp("planned") / "workspace")
    build_sample(workspace, n=12, workers=1)
    normalise(workspace)
    stated = from_table(store.read_table(workspace.labels, "labels.parquet"), Label)
    # every third of them is what the machine got wrong
    rows = [
        replace(
            label,
            answer="no" if number % 3 == 0 else "yes",
            score=0.9,
            score_low=0.9,
            score_high=0.9,
            margin=(0.1, 0.3, 0.5)[number % 3],
            votes_counted=3,
            origin="voted",
        )
        for number, label in enumerate(stated)
    ]
    plan = store.Plan(stage="labels", inputs={}, settings={})
    write_labels(workspace, plan, lambda: to_table(rows, Label), counts={}, reasons={})
    plan_audit(workspace, PlanSettings(pilot=40, overlap=0.25))
    return workspace.root


@pytest.fixture
def workspace(_planned: Path, tmp_path: Path) -> Workspace:
    """A workspace of its own: 12 drawn dresses, 144 voted labels, a plan of some 40."""
    root = tmp_path / "workspace"
    shutil.copytree(_planned, root)
    return Workspace(root)


@pytest.fixture
def image_ids(workspace: Workspace) -> list[str]:
    """The pictures of the workspace."""
    ids: list[str] = load_items(workspace, ["image_id"]).column("image_id").to_pylist()
    return ids


@pytest.fixture
def kinds(monkeypatch: pytest.MonkeyPatch) -> Callable[[StandIn], None]:
    """Put a stand-in in the place of the kind of its name, where sheets are read."""

    def put(kind: StandIn) -> None:
        monkeypatch.setattr("labeling.audits.sheets.reading.kind_of", lambda _: kind)

    return put
