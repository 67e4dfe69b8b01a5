"""The database of a workspace: a mongod that all of its auditors share, or one of the user's own.

The mongod of a workspace is started by the first process that wants it and stopped by the last.
Each process holds a shared lock while it uses it; who can take the lock alone is the last. Locks
die with their processes, so that a kill leaves nothing that has to be cleared away.
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchwright.errors import UsageError, WorkspaceError
from benchwright.workspace import Workspace
from labeling.audits.app import mongod

if TYPE_CHECKING:
    from pymongo.database import Database

INSTALL_REVIEW = "pip install 'benchwright[review]'"
_OWN_NAME = "benchwright"
_INVALID_NAMESPACE = 73  # a code of MongoDB's
_NO_NAME = "FIFTYONE_DATABASE_NAME is no name of a database; choose another"
_PATIENCE = 10_000  # milliseconds, for a server to answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a database answers; ``uri`` may hold a password: it is never printed or stored.

    ``is_own``: it is the workspace's, and goes where the workspace goes.
    """

    uri: str = field(repr=False)
    name: str
    is_own: bool = False


def database_folder(workspace: Workspace) -> Path:
    """Return the folder of the workspace's own database."""
    return workspace.audits / "database"


def has_database(workspace: Workspace) -> bool:
    """Say whether an audit may have been opened: there is a folder, or a MongoDB is named."""
    return bool(_named_uri()) or database_folder(workspace).is_dir()


@contextmanager
def served(workspace: Workspace) -> Iterator[Address]:
    """Start or join the database of a workspace while the block lasts.

    A MongoDB that FIFTYONE_DATABASE_URI names is joined and never stopped. Raises UsageError
    where no mongod or pymongo is installed, or the named one cannot be used; WorkspaceError where
    the mongod of the workspace does not come up.
    """
    _require_pymongo()
    uri = _named_uri()
    if uri:
        named = os.environ.get("FIFTYONE_DATABASE_NAME", "").strip()
        address = Address(uri=uri, name=named or f"benchwright-{workspace_digest(workspace)[:12]}")
        _check_named(address)
        yield address
        return
    with _own(workspace) as port:
        yield Address(uri=f"mongodb://127.0.0.1:{port}", name=_OWN_NAME, is_own=True)


@contextmanager
def connected(workspace: Workspace) -> Iterator["Database[dict[str, Any]]"]:
    """Start or join the database of a workspace and yield it; raises as ``served`` does."""
    with served(workspace) as address, opened(address) as database:
        yield database


def revive(workspace: Workspace, address: Address) -> bool:
    """Start the mongod of a workspace again if it died; say whether it had.

    For processes that are within ``served``, which gave the address. A MongoDB of the user's own
    is left alone. Raises WorkspaceError where it does not come up.
    """
    if not address.is_own:
        return False
    folder = database_folder(workspace)
    if mongod.seems_up(folder):
        return False
    with alone(folder):
        if mongod.running_at(folder):  # another process of ours was faster
            return False
        mongod.start_mongod(folder)
    return True


@contextmanager
def opened(address: Address) -> Iterator["Database[dict[str, Any]]"]:
    """Connect to a database that answers."""
    from pymongo import MongoClient  # noqa: PLC0415  # of an extra

    with MongoClient(address.uri, serverSelectionTimeoutMS=_PATIENCE) as client:
        yield client[address.name]


def workspace_digest(workspace: Workspace) -> str:
    """Return what tells workspaces apart in a database that they share."""
    return hashlib.sha256(os.fsencode(workspace.root.resolve())).hexdigest()


def _named_uri() -> str:
    return os.environ.get("FIFTYONE_DATABASE_URI", "").strip()


def _require_pymongo() -> None:
    try:
        import pymongo  # noqa: F401, PLC0415
    except ImportError as error:
        raise UsageError(
            f"audits want pymongo, which is not installed; run {INSTALL_REVIEW}"
        ) from (error)


def _check_named(address: Address) -> None:
    """Refuse a MongoDB that cannot be used; what the driver says may hold the password."""
    from pymongo.errors import (  # noqa: PLC0415
        ConfigurationError,
        InvalidName,
        OperationFailure,
        PyMongoError,
    )

    try:
        with opened(address) as database:
            database.command("ping")
            database.list_collection_names()
            return
    except OperationFailure as error:
        what = (
            _NO_NAME
            if error.code == _INVALID_NAMESPACE
            else f"it refuses us (code {error.code}); mend user, password or rights"
        )
    except InvalidName:
        what = _NO_NAME
    except (ConfigurationError, ValueError):
        what = "it is no URI of a MongoDB; write mongodb://host:port"
    except PyMongoError:
        what = "nobody answers there; start it, or unset the variable to use a mongod of ours"
    raise UsageError(f"the MongoDB of FIFTYONE_DATABASE_URI: {what}")


@contextmanager
def _own(workspace: Workspace) -> Iterator[int]:
    if os.name != "posix":
        raise UsageError(
            "a mongod of our own runs on Linux and macOS alone; start a MongoDB and name it in"
            " FIFTYONE_DATABASE_URI"
        )
    import fcntl  # noqa: PLC0415  # does not exist elsewhere

    folder = database_folder(workspace)
    if not workspace.root.is_dir():
        raise WorkspaceError(f"{workspace.root}: is no workspace; make one with build-catalog")
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".users").open("w") as users:
        with alone(folder):
            fcntl.flock(users, fcntl.LOCK_SH)
            port = mongod.running_at(folder) or mongod.start_mongod(folder)
        try:
            yield port
        finally:
            with alone(folder):
                _leave(folder, users.fileno(), port)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Wait until no other process of ours starts, fills or stops the database of a folder."""
    import fcntl  # noqa: PLC0415

    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".turn").open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def _leave(folder: Path, users: int, port: int) -> None:
    import fcntl  # noqa: PLC0415

    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:  # others use it
        return
    # if it was killed and started again, the port is another now
    mongod.stop_mongod(folder, mongod.running_at(folder) or port)
