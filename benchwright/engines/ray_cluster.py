"""A Ray cluster to work on: connected to, looked at, left as it was found.

Ray tells nobody of its use here, and says nothing itself but what stops the work.
"""

import logging
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from benchwright.engines.engine import Engine
from benchwright.engines.ray_address import check_address, named
from benchwright.engines.ray_nodes import Ready, check_nodes, token_in
from benchwright.errors import UsageError
from benchwright.workspace import Workspace

INSTALL = "pip install 'benchwright[ray]'"
_SETTINGS = {  # of Ray, read when it is imported or started
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # else a task that asks for no GPU sees none
    "RAY_DEDUP_LOGS": "1",
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",  # Ray's way to leave lines out: here all of them
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A machine of the cluster that takes tasks, and how many processors it lends."""

    node_id: str
    name: str
    cpus: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """A cluster that is connected to; its nodes are those that lived when that was done.

    ``ready`` is what a worker process checks before its first task, for nodes that came later.
    """

    nodes: tuple[Node, ...]
    ready: Ready


@contextmanager
def connected(engine: Engine, workspace: Workspace) -> Iterator[Cluster]:
    """Connect to the cluster of an engine of the name ray; start one where it has no address.

    Each node must run the packages of this machine and see the folder of the workspace under the
    same path. Raises UsageError, one line, where Ray is not installed, nobody answers at the
    address, Ray does not start here or a node is not fit.
    """
    ray = _imported()
    if ray.is_initialized():
        raise RuntimeError("this process is connected to a Ray cluster already")
    try:
        with _signals_kept():
            _start(ray, engine.address)
        with token_in(workspace) as ready:
            yield Cluster(nodes=_fit(_nodes(ray), ready), ready=ready)
    finally:
        ray.shutdown()


def _imported() -> Any:
    os.environ.update({name: os.environ.get(name, value) for name, value in _SETTINGS.items()})
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    try:
        import ray  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise UsageError(f"--engine ray needs Ray, which is not installed: {INSTALL}") from error
    for name in ("ray", "ray._private", "ray.util"):
        logging.getLogger(name).setLevel(logging.ERROR)
    return ray


def _start(ray: Any, address: str | None) -> None:
    quiet = {"configure_logging": False, "log_to_driver": False}
    if address is None:
        try:
            ray.init("local", include_dashboard=False, _node_ip_address="127.0.0.1", **quiet)
        except Exception as error:  # Ray raises whatever, and says it at length
            raise UsageError(
                f"Ray does not start on this machine ({first_line(error)}); it wants room in"
                " /dev/shm and in RAY_TMPDIR, else /tmp, whose path must be short"
            ) from error
        return
    check_address(address)
    try:
        ray.init(address, **quiet)
    except Exception as error:  # Ray raises whatever, and says it at length
        raise UsageError(
            f"{named(address)}: no Ray cluster of this machine's ({first_line(error)}); this"
            " machine must be a node of it: ray start --address HOST:PORT"
        ) from error


def _nodes(ray: Any) -> list[Node]:
    """Return the nodes that take tasks, in the order of their ids."""
    found = [
        Node(
            node_id=one["NodeID"],
            name=f"{one['NodeManagerHostname']} ({one['NodeManagerAddress']})",
            cpus=int(one["Resources"].get("CPU", 0)),
        )
        for one in ray.nodes()
        if one["Alive"]
    ]
    return sorted((one for one in found if one.cpus), key=lambda one: one.node_id)


def _fit(nodes: list[Node], ready: Ready) -> tuple[Node, ...]:
    fit = check_nodes({node.node_id: node.name for node in nodes}, ready)
    if not fit:
        raise UsageError("no node of the Ray cluster lends a processor; start one: ray start")
    return tuple(node for node in nodes if node.node_id in fit)


def first_line(error: Exception) -> str:
    """Return what an error of Ray says, without the pages that follow."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


@contextmanager
def _signals_kept() -> Iterator[None]:
    """Put the handlers of Ctrl-C and SIGTERM back that Ray replaces with its own."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)
