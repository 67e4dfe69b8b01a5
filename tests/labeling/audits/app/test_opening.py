"""Audits as users open them: real mongods, real App servers, kills in the middle."""

import html
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.errors import UsageError, WorkspaceError
from benchwright.workspace import Workspace
from labeling.audits.app import mongod, opening
from labeling.audits.app.database import (
    Address,
    connected,
    database_folder,
    workspace_digest,
)
from labeling.audits.app.environment import fiftyone_environment
from labeling.audits.app.opening import open_audit

pytest.importorskip("pymongo", reason="pymongo IS NOT INSTALLED: NO AUDIT WAS OPENED IN THIS RUN")

from labeling.audits.app.judging import judge, next_task
from labeling.audits.app.reading import read_slots
from labeling.audits.app.stored import stored_audit

# what FiftyOne itself makes of an audit: of our samples, and of one that it writes
_READ = """
import json
from datetime import UTC, datetime
import fiftyone as fo
from benchwright.decisions.standing import Thing
from labeling.audits.app.documents import TaskPicture, sample_document, shown_text
from labeling.audits.tasks.task import Task, TaskBox

dataset = fo.load_dataset("attributes")
first = dataset.first()
said = {
    "media_type": dataset.media_type,
    "persistent": dataset.persistent,
    "views": {name: len(dataset.load_saved_view(name)) for name in dataset.list_saved_views()},
    "iterated": sum(1 for sample in dataset.iter_samples() if sample.to_dict()["task_id"]),
    "verdicts": dataset.match(fo.ViewField("slot_1.verdict") == "confirmed").values("task_id"),
    "groups": {group.name: group.paths for group in dataset.app_config.sidebar_groups},
    "schema": sorted(dataset.get_field_schema(flat=True)),
}
box = TaskBox(label="dress", bbox=(0, 10, 20, 30), is_target=True)
task = Task(task_id="ours", kind="attributes", image_id="i", before=None, boxes=(box,), shown={},
            thing=Thing("i", None, None, "a/b"))
picture = TaskPicture(path=first.filepath, width=100, height=200)
facets = dataset.info["facets"]
ours = sample_document(task, shown_text(task), 0, picture, facets=facets,
                       dataset_id=dataset._doc.id, made=datetime.now(UTC))
dataset._sample_collection.insert_one(ours)
read = dataset[str(ours["_id"])]
(found,) = read.boxes.detections
said["read"] = [read.metadata.height, found.label, found.bounding_box, found.is_target]
written = fo.Sample(
    filepath=first.filepath,
    metadata=fo.ImageMetadata(width=100, height=200),
    boxes=fo.Detections(detections=[
        fo.Detection(label="dress", bounding_box=[0, 0.05, 0.2, 0.15], is_target=True)
    ]),
    judged_by=[],
)
dataset.add_sample(written)
theirs = dataset._sample_collection.find_one({"_id": written._id})

def shape(document):
    if isinstance(document, dict):
        return {name: shape(value) for name, value in document.items() if value is not None}
    if isinstance(document, list) and document and isinstance(document[0], dict):
        return [shape(each) for each in document]
    return type(document).__name__

ours = dataset._sample_collection.find_one({"_id": ours["_id"]})
ours, theirs = shape(ours), shape(theirs)
schema = dataset.get_field_schema()
ours["metadata"].pop("_cls"), theirs["metadata"].pop("_cls")
for one in (ours["boxes"]["detections"][0], theirs["boxes"]["detections"][0]):
    one.pop("bounding_box")
said["theirs"] = theirs
said["ours"] = {name: kind for name, kind in ours.items() if name in theirs or name not in schema}
dataset.delete_samples([read.id, written.id])
print(json.dumps(said))
"""


def _environment(workspace: Workspace, uri: str) -> dict[str, str]:
    name = f"benchwright-{workspace_digest(workspace)[:12]}"
    address = Address(uri=uri, name=name)
    return dict(fiftyone_environment(address, workspace, "ana", dataset="attributes"))


def test_an_opened_audit_answers(opened_attributes: SimpleNamespace) -> None:
    opened = opened_attributes.opened
    with urllib.request.urlopen(opened.url, timeout=60) as page:
        assert b"FiftyOne" in page.read()
    assert opened.what.added == opened.what.left == 24
    assert re.fullmatch(
        r"http://127\.0\.0\.1:\d+/datasets/attributes\?id=[0-9a-f]{24}&next=1", opened.url
    )
    assert f'src="{html.escape(opened.url)}"' in opened._repr_html_()


def test_fiftyone_finds_what_it_would_have_written(
    opened_attributes: SimpleNamespace,
    mongo_uri: str,
    monkeypatch: pytest.MonkeyPatch,
    app_kit: SimpleNamespace,
) -> None:
    workspace = opened_attributes.workspace
    monkeypatch.setenv("FIFTYONE_DATABASE_URI", mongo_uri)
    with connected(workspace) as database:
        audit = stored_audit(database, "attributes")
        judge(audit, str(next_task(audit, "zoe")), app_kit.slot("zoe", boxes=("b",), note="n"))
        ((key, _),) = read_slots(database, "attributes")
    done = subprocess.run(
        [sys.executable, "-c", _READ],
        env=_environment(workspace, mongo_uri),
        capture_output=True,
        text=True,
        check=True,
    )
    said = json.loads(done.stdout.splitlines()[-1])
    assert said["ours"] == said["theirs"]
    assert said["read"] == [200, "dress", [0, 0.05, 0.2, 0.15], True]
    assert (said["media_type"], said["persistent"], said["iterated"]) == ("image", True, 24)
    assert said["verdicts"] == [key.task_id]
    assert said["views"].pop("by ana") == 0
    assert said["views"].pop("undecided") in (23, 24)  # some want two
    assert said["views"].pop("disagreements") == 0
    assert said["views"].pop("low margin") == 24
    assert sum(said["views"].values()) == 24
    assert set(said["views"]) == {"type: colour", "type: trim"}
    assert "task" in said["groups"]["behind the scenes"]
    assert {"type", "value", "margin"} <= set(said["groups"]["task"])
    # what another auditor said is no field that the App could show or filter by
    assert said["groups"]["judged"] == ["open", "disputed", "auditors"]
    assert not [path for path in said["schema"] if path.startswith(("slot_1.", "slot_2."))]


@pytest.mark.parametrize(
    ("audit", "options", "said"),
    [
        ("attributes", ["--run", "x"], "--run changes nothing of an audit of attributes"),
        ("responses", ["--run", "y"], "y: no run there, and none of that name in "),
        ("galleries", ["--voters", "FILE"], "--voters changes nothing of an audit of galleries"),
        ("disagreements", ["--blind"], "--blind changes nothing of an audit of disagreements"),
        ("disagreements", ["--limit", "3"], "--limit changes nothing of an audit of disagreements"),
        ("false-premise", ["--only", "x"], "--only names a model of --voters FILE"),
    ],
)
def test_options_that_would_change_nothing(
    run: Any, tmp_path: Path, audit: str, options: list[str], said: str
) -> None:
    voters = tmp_path / "voters.yaml"
    voters.write_text("voters: [{name: one, model: m, base_url: 'http://127.0.0.1:1/v1'}]")
    (tmp_path / "workspace" / "runs" / "x").mkdir(parents=True)
    given = [str(voters) if each == "FILE" else each for each in options]
    command = ("review-labels", "open", "--audit", audit, "--auditor", "ana")
    ran = run(*command, *given, "--workspace", tmp_path / "workspace")
    assert ran.code == 1
    assert ran.err.startswith(f"error: {said}")
    assert ran.err.count("\n") == 1


class _Command:
    """``review-labels open`` in a process of its own."""

    def __init__(self, workspace: Workspace, auditor: str, port: int) -> None:
        command = "from labeling.audits.cli import main; main()"
        arguments = ["open", "--audit", "attributes", "--auditor", auditor, "--port", str(port)]
        self.process = subprocess.Popen(
            [sys.executable, "-c", command, *arguments, "--workspace", str(workspace.root)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.port = port
        self.said: list[str] = []

    def wait_for(self, text: str) -> str:
        """Read on until a line holds a text; return it."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line)
            if text in line:
                return line
        raise AssertionError(f"{text} was not said: {self.said}")

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/fiftyone", timeout=10):
                return True
        except OSError:
            return False

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


def _wait_until(is_so: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def _server_of(command: _Command) -> int:
    """Return the id of the App server that a command started."""
    children = Path(f"/proc/{command.process.pid}/task").glob("*/children")
    found = {int(each) for path in children for each in path.read_text().split()}
    for child in sorted(found):
        if b"labeling.audits.app.serving" in Path(f"/proc/{child}/cmdline").read_bytes():
            return child
    raise AssertionError("no server")


def _judge_next(workspace: Workspace, kit: SimpleNamespace, auditor: str) -> tuple[str, str]:
    with connected(workspace) as database:
        audit = stored_audit(database, "attributes")
        sample_id = next_task(audit, auditor)
        assert sample_id is not None
        judge(audit, sample_id, kit.slot(auditor))
        return auditor, sample_id


def _judged(workspace: Workspace) -> set[tuple[str, str]]:
    with connected(workspace) as database:
        samples = stored_audit(database, "attributes").samples.find()
        return {
            (sample[slot]["auditor"], str(sample["_id"]))
            for sample in samples
            for slot in ("slot_1", "slot_2")
            if sample[slot] is not None
        }


@pytest.mark.heavy
@pytest.mark.timeout(400)
def test_two_auditors_through_kills(
    audit_workspace: Workspace,
    app_kit: SimpleNamespace,
    free_port: Callable[[], int],
    monkeypatch: pytest.MonkeyPatch,
    opened_attributes: SimpleNamespace,  # so that it is skipped where that is
) -> None:
    monkeypatch.delenv("FIFTYONE_DATABASE_URI", raising=False)
    folder = database_folder(audit_workspace)
    ana = _Command(audit_workspace, "ana", free_port())
    bo = None
    try:
        assert "24 tasks are new" in ana.wait_for("tasks are new")
        assert "/datasets/attributes?id=" in ana.wait_for("judges at")
        ana.wait_for("ssh -L")
        bo = _Command(audit_workspace, "bo", free_port())
        assert "0 tasks are new, 24 were there" in bo.wait_for("tasks are new")
        bo.wait_for("judges at")
        stored = {_judge_next(audit_workspace, app_kit, name) for name in ("ana", "bo")}

        os.kill(_server_of(ana), signal.SIGKILL)
        ana.wait_for("the App server died (exit code -9); it is started again")
        os.kill(int((folder / "mongod.pid").read_text()), signal.SIGKILL)
        bo_or_ana_starts_it = mongod.running_at
        _wait_until(lambda: bo_or_ana_starts_it(folder) is not None)
        assert _judged(audit_workspace) == stored
        stored.add(_judge_next(audit_workspace, app_kit, "ana"))
        _wait_until(ana.answers)

        server = _server_of(ana)
        ana.process.kill()  # its server ends with it, the mongod goes on
        _wait_until(lambda: not Path(f"/proc/{server}").exists())
        assert not ana.answers()
        assert bo.answers()
        bo.process.send_signal(signal.SIGINT)
        bo.wait_for("closed; every decision is stored")
        assert bo.process.wait(60) == 0
        assert mongod.running_at(folder) is None
        assert _judged(audit_workspace) == stored
    finally:
        ana.end()
        if bo is not None:
            bo.end()


def test_what_cannot_be_opened(
    audit_workspace: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    run: Any,
    opened_attributes: SimpleNamespace,
) -> None:
    where = ("--workspace", audit_workspace.root)
    taken = str(opened_attributes.opened.server.port)
    command = ("review-labels", "open", "--audit", "attributes")
    ran = run(*command, "--auditor", "ana", "--port", taken, *where)
    assert ran.code == 1
    assert ran.err.startswith(f"error: port {taken} of 127.0.0.1 cannot be used")
    assert ran.err.count("\n") == 1
    ran = run(*command, "--auditor", "  ", *where)
    assert "1 to 64 printable characters" in ran.err
    ran = run(*command, "--auditor", "ana", "--port", "70000", *where)
    assert ran.code == 2 or "70000" in ran.err
    ran = run(*command, "--auditor", "ana", "--address", "0.0.0.0", "--port", taken, *where)
    assert ran.err.startswith("warning: the App has no password")
    monkeypatch.setattr("labeling.audits.app.environment.version", lambda _: "1.21.0")
    ran = run(*command, "--auditor", "ana", *where)
    assert "wants FiftyOne 1.22, 1.21.0 is installed" in ran.err


def test_nothing_to_judge(
    audit_workspace: Workspace,
    shared_mongo: str,
    free_port: Callable[[], int],
    opened_attributes: SimpleNamespace,
) -> None:
    (audit_workspace.audits / "plan.json").unlink()
    with pytest.raises(WorkspaceError, match="run review-labels plan first"):
        open_audit(audit_workspace, "attributes", "ana", port=free_port())
    with pytest.raises(WorkspaceError, match="nothing wants a third look"):
        open_audit(audit_workspace, "disagreements", "ana", port=free_port())
    with pytest.raises(UsageError, match="printable"):
        open_audit(audit_workspace, "attributes", "a\nb", port=free_port())


def test_a_bug_does_not_end_the_watch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    calls: list[str] = []

    def mend() -> None:
        calls.append("mend")
        if len(calls) < 4:
            raise ValueError("a bug")

    monkeypatch.setattr(opening, "_PULSE", 0.01)
    monkeypatch.setattr(opening, "revive", lambda *_: False)
    server: Any = SimpleNamespace(mend=mend)
    with opening._Watch(Workspace(tmp_path), Address(uri="", name=""), server):
        _wait_until(lambda: len(calls) > 5)
    (told,) = caplog.records  # once, with its traceback
    assert told.exc_info
    assert "a bug" in str(told.exc_info[1])
