"""What tests of syncing share: a workspace with votes and a plan, and auditors in its database."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml

from benchwright.records import Label
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from labeling.audits.planning.plan_file import read_plan
from labeling.audits.tasks.attributes import KIND
from labeling.audits.tasks.task import AuditSettings, Slot, Task

_NO_PYMONGO = "pymongo IS NOT INSTALLED: NO DATABASE WAS ASKED IN THIS RUN"
OTHER = {"yes": "no", "no": "yes"}


def labels_of(workspace: Workspace) -> dict[tuple[str, str, str], Label]:
    """Return the labels of pictures by picture, type and value."""
    rows = from_table(pq.read_table(workspace.labels / "labels.parquet"), Label)
    return {(row.image_id, row.type, row.value): row for row in rows}


def slot(auditor: str, value: str | None, minute: int = 0, **more: Any) -> Slot:
    """Return what an auditor decided of a label; null: cannot tell."""
    made = Slot(
        auditor=auditor,
        verdict="unsure" if value is None else "confirmed",
        value=value,
        seconds=2.0,
        at=f"2026-03-01T12:{minute:02d}:00+00:00",
    )
    return replace(made, **more)


def open_audit(database: Any, tasks: Sequence[Task], name: str = "attributes") -> Any:
    """Put the tasks of an audit into a database, as far as it is judged and read; return it."""
    from labeling.audits.app.declaration import FORM  # noqa: PLC0415  # needs pymongo
    from labeling.audits.app.documents import key_document, shown_text  # noqa: PLC0415
    from labeling.audits.app.stored import MARK, TASKS, stored_audit  # noqa: PLC0415

    info = {MARK: FORM, "blind": False, "total": len(tasks)}
    said = {"name": name, "sample_collection_name": f"samples.{name}", "info": info}
    database["datasets"].insert_one(said)
    database[TASKS].insert_many([key_document(name, task, shown_text(task)) for task in tasks])
    nothing: dict[str, Any] = {
        "slot_1": None,
        "slot_2": None,
        "claim": None,
        "judged_by": [],
        "disputed": False,
    }
    database[f"samples.{name}"].insert_many(
        {"task_id": task.task_id, "rank": rank, "open": task.looks, "looks": task.looks, **nothing}
        for rank, task in enumerate(tasks)
    )
    return stored_audit(database, name)


def put(audit: Any, task: Task, judged: Slot) -> None:
    """Judge a task as a screen does."""
    from labeling.audits.app.judging import judge  # noqa: PLC0415

    sample = audit.samples.find_one({"task_id": task.task_id})
    judge(audit, str(sample["_id"]), judged)


@pytest.fixture(scope="session")
def auditing() -> SimpleNamespace:
    """The functions above, for tests."""
    return SimpleNamespace(labels=labels_of, slot=slot, open=open_audit, put=put, other=OTHER)


@pytest.fixture(scope="session")
def _planned(_coded: Path, tmp_path_factory: pytest.TempPathFactory, run: Any) -> Path:
    root = Path(shutil.copytree(_coded, tmp_path_factory.mktemp("synced") / "w"))
    where = ("--workspace", root)
    ran = run("label-attributes", "normalise", *where)
    assert ran.code == 0, ran.err
    shutil.copy(root / "labels" / "labels.parquet", root / "known.parquet")
    voters = [
        {"name": name, "kind": "scripted", "labels": "known.parquet", "accuracy": accuracy}
        for name, accuracy in (("good", 0.9), ("bad", 0.7), ("odd", 0.7))
    ]
    said = {"views": {"whole": {}}, "full": 1, "templates": 1, "voters": voters}
    (root / "e.yaml").write_text(yaml.safe_dump(said), "utf-8")
    for command in (
        ("label-attributes", "ask", "--ensemble", root / "e.yaml", "--noun", "garment"),
        ("label-attributes", "decide"),
        ("review-labels", "plan", "--pilot", "30", "--overlap", "0.5"),
    ):
        ran = run(*command, *where)
        assert ran.code == 0, (ran.out, ran.err)
    return root


@pytest.fixture
def planned(_planned: Path, tmp_path: Path) -> Workspace:
    """A workspace of its own: 16 pictures, 112 voted labels, of which some are wrong, a plan."""
    return Workspace(Path(shutil.copytree(_planned, tmp_path / "w")))


@pytest.fixture
def tasks() -> Callable[[Workspace], Sequence[Task]]:
    """Return the tasks of the audit of labels of a workspace."""

    def made(workspace: Workspace) -> Sequence[Task]:
        assert read_plan(workspace).items
        return KIND.tasks(workspace, AuditSettings())

    return made


@pytest.fixture(scope="session")
def _mongo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    pytest.importorskip("pymongo", reason=_NO_PYMONGO)
    from labeling.audits.app.database import served  # noqa: PLC0415

    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("FIFTYONE_DATABASE_URI", raising=False)
        with served(Workspace(tmp_path_factory.mktemp("mongo"))) as address:
            yield address.uri


@pytest.fixture
def database(
    _mongo: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Any]:
    """A database of this test's own in a real mongod, that commands find by the environment."""
    from pymongo import MongoClient  # noqa: PLC0415

    name = f"test-{abs(hash(request.node.nodeid)):x}"
    monkeypatch.setenv("FIFTYONE_DATABASE_URI", _mongo)
    monkeypatch.setenv("FIFTYONE_DATABASE_NAME", name)
    with MongoClient(_mongo) as client:
        yield client[name]
