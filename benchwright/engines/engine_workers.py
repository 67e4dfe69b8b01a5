"""The workers of either engine, for steps that do not care which it is."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from benchwright.engines.engine import Engine
from benchwright.engines.ray_cluster import connected
from benchwright.engines.ray_pool import RayPool
from benchwright.errors import UsageError
from benchwright.workers import Workers, pool
from benchwright.workspace import Workspace


@contextmanager
def workers_of(engine: Engine, workspace: Workspace, workers: int | None) -> Iterator[Workers]:
    """Give the workers of an engine: that many processes of this machine, or a Ray cluster's.

    Raises UsageError where a number is given for a cluster, and as ``connected`` does.
    """
    if engine.name == "local":
        with pool(workers) as processes:
            yield processes
        return
    refuse_number(workers, "--workers")
    with connected(engine, workspace) as cluster:
        yield RayPool(cluster=cluster)


def one_a_node(workers: Workers) -> Workers | None:
    """Return those workers of a cluster that have a node each to themselves; null for others."""
    return replace(workers, whole_nodes=True) if isinstance(workers, RayPool) else None


def refuse_number(workers: int | None, option: str) -> None:
    """Raise UsageError where a number of workers was given for a Ray cluster."""
    if workers is not None:
        raise UsageError(
            f"{option} {workers} is of --engine local; a Ray cluster has a worker for each"
            " processor that its nodes lend: ray start --num-cpus N"
        )
