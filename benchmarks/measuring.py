"""One measurement in a process of its own: CPU-seconds, memory, and a digest of each pool.

Run by benchmarks.pools as ``python -m benchmarks.measuring CONTESTANT CATALOG TAU TARGETS``,
with one thread for every library; prints one line of JSON.
"""

import hashlib
import json
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numba import njit

from benchmarks.contestants import CONTESTANTS, Job, Rows
from benchmarks.memory import peak, reset_peak
from benchmarks.synthetic import bench_catalog, load
from benchwright.knowledge import Knowledge
from galleries import bitplanes
from galleries.tau import Tau

REPEATS = 3  # of the fast ones, of which the least is taken: the machine is shared
TOGETHER = 1024  # targets that pass over a block, as many as in the search
DIGESTS = 1000  # pools that are compared at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What one process found out; seconds are CPU-seconds, user and system."""

    compile: float
    prepare: float
    search: float
    bare: float | None  # counting alone over the same targets, for the bit planes only
    targets: int
    memory: int  # bytes above what was resident before the job
    mean_pool: float
    digests: list[str]
    kernel: str


def measure(contestant: str, knowledge: Knowledge, tau: Tau, targets: Rows) -> Measured:
    """Return the cost of a contestant for some targets."""
    make = CONTESTANTS[contestant]
    began = time.process_time()
    small = Job(knowledge=bench_catalog(300), tau=tau)
    make(small)(np.arange(3))
    compiled = time.process_time() - began

    job = Job(knowledge=knowledge, tau=tau)
    before = reset_peak()
    began = time.process_time()
    search = make(job)
    prepared = time.process_time() - began
    ends, rows = search(targets)
    seconds = time.process_time() - began - prepared
    memory = peak() - before
    bare = None
    if contestant == "bit planes":
        bare = np.inf
        for _ in range(REPEATS):
            began = time.process_time()
            search(targets)
            seconds = min(seconds, time.process_time() - began)
            bare = min(bare, _bare(job, targets))
    return Measured(
        compile=compiled,
        prepare=prepared,
        search=seconds,
        bare=bare,
        targets=len(targets),
        memory=memory,
        mean_pool=len(rows) / len(targets),
        digests=[
            hashlib.sha256(pool.tobytes()).hexdigest()[:16]
            for pool in np.split(rows, ends)[: min(len(targets), DIGESTS)]
        ],
        kernel=_kernel(),
    )


def _bare(job: Job, targets: Rows) -> float:
    """Return the CPU-seconds of counting alone: no threshold is raised, no survivor listed."""
    known = job.knowledge
    planes = bitplanes.build_planes(known.indptr, known.yes, len(known.values))
    counters = np.zeros((16, bitplanes.WORDS), np.uint64)
    needed = job.needed()
    _count(planes, known.indptr, known.yes, targets[:1], needed, counters)  # compiles
    began = time.process_time()
    _count(planes, known.indptr, known.yes, targets, needed, counters)
    return time.process_time() - began


@njit(cache=True)
def _count(
    planes: bitplanes.Words,
    indptr: Rows,
    values: bitplanes.Ints,
    targets: Rows,
    needed: Rows,
    counters: bitplanes.Words,
) -> int:
    some = 0
    for start in range(0, len(targets), TOGETHER):
        for block in range(len(planes)):
            for target in targets[start : start + TOGETHER]:
                own = values[indptr[target] : indptr[target + 1]]
                bits = bitplanes.count_block(planes[block], own, needed[len(own)], counters)
                some += counters[bits, 0] != 0
    return some


def _kernel() -> str:
    from threadpoolctl import threadpool_info  # noqa: PLC0415

    blas = [each for each in threadpool_info() if each["user_api"] == "blas"]
    return ", ".join(
        f"{each['internal_api']} {each['version']} {each['architecture']}"
        f" ({each['num_threads']} thread)"
        for each in blas
    )


def main() -> None:
    contestant, catalog, tau, targets = sys.argv[1:]
    chosen = np.load(targets)
    measured = measure(contestant, load(Path(catalog)), Tau.parse(tau), chosen)
    print(json.dumps(asdict(measured)))


if __name__ == "__main__":
    main()
