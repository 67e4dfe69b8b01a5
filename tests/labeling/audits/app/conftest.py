"""What tests of the App share: a mongod, a workspace with pictures, labels and a plan, a server."""

import shutil
import socket
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright import store
from benchwright.decisions.standing import Thing
from benchwright.records import Item, Label, Verdict
from benchwright.rows import from_table, to_table
from benchwright.workspace import Workspace
from labeling.attributes.labels.writing import write_labels
from labeling.audits.app.database import opened, served
from labeling.audits.app.declaration import Declaration
from labeling.audits.app.opening import open_audit
from labeling.audits.tasks.task import Slot, Task

PICTURES = 24
_NO_PYMONGO = "pymongo IS NOT INSTALLED: NO DATABASE WAS ASKED IN THIS RUN"
_NO_FIFTYONE = "fiftyone IS NOT INSTALLED: NO AUDIT WAS OPENED IN THIS RUN"


def audit_labels(items: list[Item]) -> list[Label]:
    """Return a voted label for each colour of the pictures: yes to one, no to the other."""
    found = []
    for number, item in enumerate(items):
        for at, value in enumerate(("red", "blue")):
            answer = "yes" if number % 2 == at else "no"
            margin = (0.06, 0.28, 0.5)[number % 3]
            score = 0.5 + margin if answer == "yes" else 0.5 - margin
            found.append(
                Label(
                    image_id=item.image_id,
                    object_id=None,
                    type="colour" if number % 4 else "trim",
                    value=value,
                    answer="yes" if score > 0.5 else "no",
                    score=score,
                    score_low=score,
                    score_high=score,
                    margin=margin,
                    votes_counted=3,
                    votes_saved=0,
                    origin="voted",
                    auditor=None,
                )
            )
    return sorted(found, key=lambda each: (each.image_id, each.type, each.value))


@pytest.fixture(scope="session")
def _audit_workspace(tmp_path_factory: pytest.TempPathFactory, run: Any) -> Path:
    root = tmp_path_factory.mktemp("audited") / "workspace"
    ran = run("build-catalog", "sample", "--n", PICTURES, "--workers", "1", "--workspace", root)
    assert ran.code == 0, ran.err
    ran = run("label-attributes", "normalise", "--workspace", root)
    assert ran.code == 0, ran.err
    workspace = Workspace(root)
    items = list(from_table(store.read_table(workspace.catalog, "items-*.parquet"), Item))
    plan = store.Plan(stage="labels", inputs={}, settings={})
    rows = audit_labels(items)
    write_labels(workspace, plan, lambda: to_table(rows, Label), counts={}, reasons={})
    ran = run("review-labels", "plan", "--pilot", "20", "--overlap", "0.5", "--workspace", root)
    assert ran.code == 0, ran.err
    return root


@pytest.fixture
def audit_workspace(_audit_workspace: Path, tmp_path: Path) -> Workspace:
    """A workspace of its own: 24 drawn dresses, 48 voted labels, a plan of 24, half seen twice."""
    root = tmp_path / "workspace"
    shutil.copytree(_audit_workspace, root)
    return Workspace(root)


@pytest.fixture(scope="session")
def mongo_uri(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URI of a real mongod with a folder of its own, that lasts as long as the tests."""
    pytest.importorskip("pymongo", reason=_NO_PYMONGO)
    workspace = Workspace(tmp_path_factory.mktemp("mongo"))
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("FIFTYONE_DATABASE_URI", raising=False)
        with served(workspace) as address:
            yield address.uri


@pytest.fixture
def shared_mongo(mongo_uri: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Name that mongod, with a database of this test's own, as a user names a MongoDB of theirs."""
    name = f"test-{uuid.uuid4().hex[:12]}"
    monkeypatch.setenv("FIFTYONE_DATABASE_URI", mongo_uri)
    monkeypatch.setenv("FIFTYONE_DATABASE_NAME", name)
    return name


def _port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def free_port() -> Callable[[], int]:
    """Return a port that nobody listens on."""
    return _port


@pytest.fixture(scope="session")
def open_app(mongo_uri: str) -> Iterator[Callable[..., Any]]:
    """Open audits in real App servers that last as long as the tests: some ten seconds each.

    ``open_app(workspace, "attributes", "ana", **options of open_audit)`` gives the OpenAudit; its
    database is ``opened.what``'s dataset in the mongod of ``mongo_uri``, in a database of its own.
    """
    if find_spec("fiftyone") is None:  # importing it would take seconds and open a database
        pytest.skip(_NO_FIFTYONE)
    with ExitStack() as stack:

        def open_one(workspace: Workspace, audit: Any, auditor: str, **options: Any) -> Any:
            options.setdefault("port", _port())
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("FIFTYONE_DATABASE_URI", mongo_uri)
                patch.delenv("FIFTYONE_DATABASE_NAME", raising=False)  # one by the workspace
                return stack.enter_context(open_audit(workspace, audit, auditor, **options))

        yield open_one


@pytest.fixture(scope="session")
def opened_attributes(
    open_app: Callable[..., Any], _audit_workspace: Path, tmp_path_factory: pytest.TempPathFactory
) -> SimpleNamespace:
    """An attribute audit that ana has open: ``.opened`` (its ``.url``), ``.workspace``."""
    root = tmp_path_factory.mktemp("opened") / "workspace"
    shutil.copytree(_audit_workspace, root)
    workspace = Workspace(root)
    return SimpleNamespace(opened=open_app(workspace, "attributes", "ana"), workspace=workspace)


def audit_task(number: int, **more: Any) -> Task:
    """Return a task about the label colour/red of a picture that is named by a number."""
    image_id = f"{number:016x}"
    said: dict[str, Any] = {
        "task_id": f"task-{number}",
        "kind": "attributes",
        "image_id": image_id,
        "thing": Thing(image_id, None, None, "colour/red"),
        "before": "yes",
        "stratum": "colour/high",
        "probability": 0.5,
        "facets": {"type": "colour", "value": "red", "margin": number / 100},
        "shown": {"question": "Is it red?"},
    }
    return Task(**{**said, **more})


def _declared(declaration: Declaration, environment: Mapping[str, str]) -> None:
    """Do as FiftyOne does, as far as what does without it can see."""
    from pymongo import MongoClient  # noqa: PLC0415  # of an extra

    with MongoClient(environment["FIFTYONE_DATABASE_URI"]) as client:
        datasets = client[environment["FIFTYONE_DATABASE_NAME"]]["datasets"]
        before = datasets.find_one({"name": declaration.name}) or {"info": {}}
        made = {
            "sample_collection_name": f"samples.{declaration.name}",
            "info": {"total": 0, **before["info"], **declaration.info()},
        }
        datasets.update_one({"name": declaration.name}, {"$set": made}, upsert=True)


@pytest.fixture
def filled(
    audit_workspace: Workspace, shared_mongo: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Any]]:
    """Fill audits without FiftyOne, which would take six seconds each: all else is real.

    ``filled(tasks, name=, kind=, judged_by=, auditor=)``; pictures are those of the workspace, in
    turn.
    """
    from labeling.audits.app.filling import AuditTasks, fill_audit  # noqa: PLC0415

    monkeypatch.setattr("labeling.audits.app.filling.declare_dataset", _declared)
    table = store.read_table(audit_workspace.catalog, "items-*.parquet", ["image_id"])
    pictures = table.column("image_id").to_pylist()

    def fill(tasks: Iterable[Task], **more: Any) -> Any:
        placed = [
            replace(task, image_id=pictures[number % len(pictures)])
            for number, task in enumerate(tasks)
        ]
        auditor = more.pop("auditor", "ana")
        said = {"name": "attributes", "kind": "attributes", "blind": False, "judged_by": {}}
        wanted = AuditTasks(tasks=placed, **{**said, **more})
        return fill_audit(audit_workspace, address, database, wanted, auditor)

    with served(audit_workspace) as address, opened(address) as database:
        yield fill


def audit_slot(auditor: str, verdict: Verdict = "confirmed", **more: Any) -> Slot:
    """Return a slot that is judged now."""
    from labeling.audits.app.judging import now  # noqa: PLC0415

    return Slot(**{"auditor": auditor, "verdict": verdict, "at": now(), "seconds": 2.0, **more})


@pytest.fixture(scope="session")
def app_kit() -> SimpleNamespace:
    """The functions above, for tests."""
    return SimpleNamespace(task=audit_task, slot=audit_slot)
