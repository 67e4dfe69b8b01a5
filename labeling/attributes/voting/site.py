"""Where the work of asking is done: on this machine, or on the nodes of a Ray cluster."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from benchwright.asking.sending import Connect, LocalSender
from benchwright.clip.embedder import Embedder
from benchwright.clip.spreading import Spread
from benchwright.engines.engine import Engine
from benchwright.workers import Workers
from benchwright.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Who sends requests, and who embeds pictures: ``nodes``, or this process where it is null."""

    connect: Connect = LocalSender
    nodes: Workers | None = None

    def spread(self, load: Callable[[], Embedder], identity: str) -> Spread | None:
        """Return what embeds pictures by the model that ``load`` gives; null: this process."""
        if self.nodes is None:
            return None
        return Spread(workers=self.nodes, load=load, identity=identity)


HERE = Site()


@contextmanager
def site_of(engine: Engine, workspace: Workspace) -> Iterator[Site]:
    """Give the site of an engine; raise UsageError as ``connected`` does."""
    if engine.name == "local":
        yield HERE
        return
    from benchwright.asking.askers import Askers  # noqa: PLC0415  # what --engine local needs not
    from benchwright.engines.ray_cluster import connected  # noqa: PLC0415
    from benchwright.engines.ray_pool import RayPool  # noqa: PLC0415

    with connected(engine, workspace) as cluster:
        askers = Askers(cluster)
        try:
            yield Site(connect=askers.sender, nodes=RayPool(cluster=cluster, whole_nodes=True))
        finally:
            askers.close()
