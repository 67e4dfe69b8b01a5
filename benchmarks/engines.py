"""What a Ray cluster costs and brings: ``python -m benchmarks.engines`` (extra ray).

Three jobs, each as a stage hands it over: fingerprints of pictures (decode and hash), the search
for pools, the making of episodes. Each is done by one worker of this process, by Ray on one node
that lends one processor, and by Ray on two such nodes, all on this machine. Printed are wall and
CPU-seconds (of this process and all that it started, so also Ray's own) and their ratios; of
three turns the fastest. The start, which every command pays once, is measured by itself. Exits
with 1 when two engines differ in a result.
"""

import hashlib
import os
import pickle
import platform
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.contest import Disagreement
from benchmarks.synthetic import bench_catalog
from benchwright.engines.engine import Engine
from benchwright.engines.ray_cluster import connected
from benchwright.engines.ray_pool import RayPool
from benchwright.knowledge import Knowledge
from benchwright.workers import Workers, pool
from benchwright.workspace import Workspace
from builders.duplicates.dedup import pictured
from builders.duplicates.hashes import fingerprint_stored
from builders.sample.build import build_sample
from galleries.episodes import Wish, make_wished
from galleries.pools import Pools, find_pools, prepare_search, search_parts
from galleries.tau import Tau
from stand_ins.processes import with_all_under

PICTURES, KNOWN, TARGETS, EPISODES = 300, 200_000, 16_384, 4_000
TAU = Tau.parse("0.6")
TURNS = 3
Job = Callable[[Workers], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The fastest of some turns, and what came out."""

    wall: float
    cpu: float
    digest: str


def digest_of(results: Any) -> str:
    return hashlib.sha256(pickle.dumps(list(results))).hexdigest()


def fingerprints(stored: list[tuple[str, Path]], workers: Workers) -> str:
    return digest_of(map(repr, workers.map_ordered(fingerprint_stored, stored, batch=4)))


def search(known: Knowledge, workers: Workers) -> str:
    prepared = prepare_search(known, TAU, per_value=7, seed=0)
    parts = [np.arange(start, start + TARGETS) for start in (0, TARGETS)]
    found = search_parts(prepared, parts, workers)
    return digest_of((one.rows.tobytes(), one.overlaps.tobytes()) for one in found)


def episodes(known: Knowledge, pools: Pools, workers: Workers) -> str:
    large = np.nonzero(pools.sizes() >= 5)[0][:EPISODES]
    wishes = (
        Wish(pools={TAU: pools.of_one(int(at))}, size=int(pools.sizes()[at]) + 1) for at in large
    )
    work = partial(make_wished, workers.share(known), 0)
    return digest_of(map(repr, workers.map_ordered(work, wishes, batch=32)))


def jobs(folder: Path) -> dict[str, Job]:
    workspace = Workspace(folder / "pictures")
    build_sample(workspace, n=PICTURES)
    known = bench_catalog(KNOWN)
    pools = find_pools(known, TAU, targets=np.arange(TARGETS))
    stored = sorted(pictured(workspace).files.items())
    return {
        f"{PICTURES:,} fingerprints": partial(fingerprints, stored),
        f"pools of {2 * TARGETS:,} of {KNOWN:,}": partial(search, known),
        f"{EPISODES:,} episodes": partial(episodes, known, pools),
    }


def cpu_seconds() -> float:
    """Return the CPU-seconds of this process and of all under it, ended ones included."""
    return sum(one.seconds + one.ended for one in with_all_under(os.getpid()))


def measure(job: Job, workers: Workers) -> Measured:
    turns = []
    for _ in range(TURNS):
        began, used = time.perf_counter(), cpu_seconds()
        digest = job(workers)
        turns.append(
            Measured(wall=time.perf_counter() - began, cpu=cpu_seconds() - used, digest=digest)
        )
    return min(turns, key=lambda one: one.wall)


@contextmanager
def ray_of(nodes: int, folder: Path) -> Iterator[tuple[Workers, float]]:
    """Give the workers of a cluster of so many nodes, and the seconds to its first result."""
    from ray.cluster_utils import Cluster  # noqa: PLC0415  # an extra

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        for _ in range(nodes - 1):
            cluster.add_node(num_cpus=1)
        began = time.perf_counter()
        engine = Engine(name="ray", address=cluster.address)
        with connected(engine, Workspace(folder)) as found:
            workers = RayPool(cluster=found)
            list(workers.map_ordered(_warm, range(8 * nodes)))
            yield workers, time.perf_counter() - began
    finally:
        cluster.shutdown()  # type: ignore[no-untyped-call]


def _warm(_: int) -> None:
    """Import what the jobs need, and load the compiled code."""
    find_pools(bench_catalog(300), TAU, targets=np.arange(3), threads=1)
    time.sleep(0.2)  # so that every worker is given some


def lines(folder: Path) -> Iterator[str]:
    all_jobs = jobs(folder)
    _warm(0)
    found: dict[str, dict[str, Measured]] = {}
    starts = {}
    with pool(1) as here:
        found["local"] = {name: measure(job, here) for name, job in all_jobs.items()}
    for nodes in (1, 2):
        with ray_of(nodes, folder) as (workers, start):
            starts[nodes] = start
            found[f"{nodes}"] = {name: measure(job, workers) for name, job in all_jobs.items()}
    yield (
        "| job | local: wall, CPU (s) | Ray, 1 node: wall, CPU (s) | of local: wall, CPU"
        " | 2 nodes: wall, CPU (s) | faster than 1 node |"
    )
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for name in all_jobs:
        local, one, two = (found[engine][name] for engine in ("local", "1", "2"))
        if not local.digest == one.digest == two.digest:
            raise Disagreement(f"{name}: the engines differ")
        yield (
            f"| {name} | {local.wall:.2f}, {local.cpu:.2f} | {one.wall:.2f}, {one.cpu:.2f}"
            f" | {one.wall / local.wall:.2f}, {one.cpu / local.cpu:.2f}"
            f" | {two.wall:.2f}, {two.cpu:.2f} | {one.wall / two.wall:.2f} |"
        )
    yield ""
    yield "All engines gave the same results."
    shown = ", ".join(f"{seconds:.1f} s with {nodes}" for nodes, seconds in starts.items())
    yield f"From connecting to all workers warm (nodes): {shown}."
    load = " ".join(f"{one:.1f}" for one in os.getloadavg())
    yield f"{os.cpu_count()} processors, load {load}; Python {platform.python_version()}, " + (
        ", ".join(f"{name} {version(name)}" for name in ("ray", "numpy", "numba", "pillow"))
    )


def main() -> None:
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled"}
    with tempfile.TemporaryDirectory() as folder:
        for line in lines(Path(folder)):
            print(line, flush=True)


if __name__ == "__main__":
    # under the name that workers on other nodes import it by
    from benchmarks import engines

    engines.main()
