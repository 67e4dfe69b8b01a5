"""Whether the nodes of a cluster are fit: the same packages, the same folder of the workspace.

Other versions of what decodes and stores pictures would make other bytes, and a node that does
not see the workspace would write into a folder of its own.
"""

import hashlib
import os
import platform
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import benchwright
from benchwright.errors import UsageError
from benchwright.workspace import Workspace

_PACKAGES = ("imagehash", "numba", "numpy", "pillow", "pyarrow", "scipy")  # they make our bytes
_PATIENCE = 60.0  # seconds that a node may take to start its first process


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """What a fit node finds: this token in a file of the workspace, and these versions.

    ``place`` is the folder that this process works in, which relative paths start from.
    """

    place: str
    folder: str
    file: str
    token: str
    versions: tuple[tuple[str, str], ...]


@contextmanager
def token_in(workspace: Workspace) -> Iterator[Ready]:
    """Write a token into the workspace, for other machines to find, and remove it afterwards.

    Tokens of processes of this machine that were killed are removed as well.
    """
    folder = workspace.root.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    token = secrets.token_hex(16)
    host = hashlib.sha256(platform.node().encode()).hexdigest()[:8]
    for left in folder.glob(f".engine-{host}-*"):
        if not _lives(left.name.rpartition("-")[2]):
            left.unlink(missing_ok=True)
    path = folder / f".engine-{host}-{os.getpid()}"
    path.write_text(token, "ascii")
    try:
        yield Ready(
            place=str(Path.cwd()),
            folder=str(folder),
            file=path.name,
            token=token,
            versions=_versions(),
        )
    finally:
        path.unlink(missing_ok=True)


def _lives(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, ValueError, OverflowError):  # another user's, or no token of ours
        return True
    return True


def _versions() -> tuple[tuple[str, str], ...]:
    found = [("benchwright", benchwright.__version__)]
    for name in _PACKAGES:
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            found.append((name, "none"))
    return tuple(found)


@cache
def unfit(ready: Ready) -> str | None:
    """Return why this machine is not fit, null where it is; looked at once in each process."""
    ours = dict(_versions())
    for name, wanted in ready.versions:
        if ours[name] != wanted:
            return f"it has {name} {ours[name]}, not {wanted}: install the same versions there"
    try:
        found = Path(ready.folder, ready.file).read_text("ascii")
    except (OSError, ValueError):
        found = ""
    if found != ready.token:
        return (
            f"it does not see the workspace {ready.folder}: put it on a folder that all nodes"
            " share, under one path"
        )
    return None


def check_nodes(names: Mapping[str, str], ready: Ready) -> set[str]:
    """Look at each node, given by its id with its name; return those that have not gone meanwhile.

    Raises UsageError for a node that is not fit.
    """
    import ray  # noqa: PLC0415  # an extra
    from ray.exceptions import NodeDiedError, TaskUnschedulableError  # noqa: PLC0415
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy  # noqa: PLC0415

    look = ray.remote(unfit.__wrapped__)
    asked: dict[str, Any] = {
        node: look.options(
            num_cpus=0, scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False)
        ).remote(ready)
        for node in names
    }
    found = set()
    for node, answer in asked.items():
        try:
            problem = ray.get(answer, timeout=_PATIENCE)
        except (NodeDiedError, TaskUnschedulableError):
            continue
        except Exception as error:  # noqa: BLE001  # whatever: a node that cannot do this is no use
            lines = str(error).strip().splitlines() or [type(error).__name__]
            problem = f"it does not run benchwright ({lines[-1]})"
        if problem is not None:
            raise UsageError(f"node {names[node]} of the Ray cluster: {problem}")
        found.add(node)
    return found
