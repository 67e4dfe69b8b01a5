"""Pools: for each target the most similar pictures, value by value (AMIGO, section 3.2).

The pool of a target t holds, for each value of Attr(t), the first ``per_value`` other pictures
that share the value and reach τ, in one total order: overlap descending, then a seeded hash of
both ids, which no two others have in common. Walking the order, a picture whose group is t's, or
already taken for that value, is skipped; after the merge one picture of a group remains, the
first in the order.

The counting is in bitplanes.py, the walk through the order in selection.py, the search that puts
both together in search.py.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

import numpy as np

from benchwright.knowledge import Knowledge
from benchwright.threads import threads as open_threads
from benchwright.workers import Workers
from galleries.bitplanes import Ints, Longs, build_planes
from galleries.search import search_all, search_limited
from galleries.selection import Search, buffer_bytes
from galleries.tau import Tau

_CHUNK = 1024  # targets that pass over a block together, while it lies in the cache
_BUFFERS = 2**26  # bytes that the buffers of a chunk may take


@dataclass(frozen=True, slots=True, kw_only=True)
class Pools:
    """The pools of some targets, as rows of the knowledge.

    The pool of ``targets[i]`` is ``rows[indptr[i]:indptr[i + 1]]`` in the total order, and
    ``overlaps`` holds |Attr(t) ∩ Attr(row)| beside each.
    """

    targets: Longs
    indptr: Longs
    rows: Ints
    overlaps: Ints

    def pool(self, at: int) -> slice:
        """Return where the pool of ``targets[at]`` stands in rows and overlaps."""
        return slice(int(self.indptr[at]), int(self.indptr[at + 1]))

    def of_one(self, at: int) -> "Pools":
        """Return the pool of ``targets[at]`` alone."""
        part = self.pool(at)
        return Pools(
            targets=self.targets[at : at + 1],
            indptr=np.array([0, part.stop - part.start]),
            rows=self.rows[part],
            overlaps=self.overlaps[part],
        )

    def sizes(self) -> Longs:
        """Return the number of distractors for each target."""
        return np.diff(self.indptr)


def find_pools(
    knowledge: Knowledge,
    tau: Tau,
    *,
    per_value: int = 7,
    seed: int = 0,
    targets: Longs | None = None,
    threads: int | None = None,
) -> Pools:
    """Return the exact pools of the target rows (all rows where none are given).

    ``per_value`` 0 means no limit. A target without any value has an empty pool. The result does
    not depend on the number of threads or on the order of the rows.
    """
    chosen = np.arange(len(knowledge.ids)) if targets is None else np.asarray(targets, np.int64)
    search = prepare_search(knowledge, tau, per_value=per_value, seed=seed)
    with open_threads(threads) as workers:
        return next(search_parts(search, [chosen], workers))


def search_parts(search: Search, parts: Sequence[Longs], workers: Workers) -> Iterator[Pools]:
    """Yield the pools of each part of the targets, in their order, whoever does the work.

    The workers have turned to the next parts before one is yielded.
    """
    step = _step(search, max(map(len, parts), default=0), workers.count)
    chunks = [part[start : start + step] for part in parts for start in range(0, len(part), step)]
    found = workers.map_ordered(partial(_search, workers.share(search)), chunks)
    for part in parts:
        yield concatenate(list(islice(found, -(-len(part) // step))))


def _step(search: Search, targets: int, workers: int) -> int:
    """Return how many targets to search for together: few enough that every worker has some."""
    fitting = _BUFFERS // buffer_bytes(len(search.needed) - 1, search.per_value)
    return max(1, min(_CHUNK, fitting, -(-targets // workers)))


def prepare_search(knowledge: Knowledge, tau: Tau, *, per_value: int, seed: int) -> Search:
    """Return what the compiled search takes, always of the same types: it is compiled once.

    Its arrays are read-only, as they are in the memory that workers of a cluster share.
    """
    indptr = np.ascontiguousarray(knowledge.indptr, np.int64)
    values = np.ascontiguousarray(knowledge.yes, np.int32)
    largest = int(np.diff(indptr).max(initial=0))
    groups = np.ascontiguousarray(knowledge.groups, np.int64)
    return Search(
        planes=_read_only(build_planes(indptr, values, len(knowledge.values))),
        indptr=_read_only(indptr),
        values=_read_only(values),
        ids=_read_only(np.ascontiguousarray(knowledge.ids, np.uint64)),
        groups=_read_only(groups if _any_repeated(groups) else groups[:0]),
        salt=np.uint64(int.from_bytes(hashlib.sha256(f"pool {seed}".encode()).digest()[:8], "big")),
        needed=_read_only(np.array([tau.needed(size) for size in range(largest + 1)], np.int64)),
        per_value=min(per_value, len(indptr) - 1),  # as good as more, and the buffers fit
    )


def _read_only(array: np.ndarray) -> np.ndarray:
    seen = array.view()
    seen.flags.writeable = False
    return seen


def _any_repeated(numbers: Longs) -> bool:
    ordered = np.sort(numbers)  # many times faster than np.unique
    return bool((ordered[1:] == ordered[:-1]).any())


def _search(shared: Callable[[], Search], targets: Longs) -> Pools:
    search, chunk = shared(), targets.copy()  # which may be read-only, and another type then
    if search.per_value:
        rows, overlaps, sizes = search_limited(search, chunk)
    else:
        pools = [search_all(search, target) for target in chunk]
        rows = np.concatenate([pool[0] for pool in pools])
        overlaps = np.concatenate([pool[1] for pool in pools])
        sizes = np.array([len(pool[0]) for pool in pools])
    indptr = np.concatenate([[0], np.cumsum(sizes)])
    return Pools(targets=chunk, indptr=indptr, rows=rows, overlaps=overlaps)


def concatenate(parts: Sequence[Pools]) -> Pools:
    """Return the pools of several runs as one, in the order given."""
    sizes = np.concatenate([np.zeros(0, np.int64), *(part.sizes() for part in parts)])
    return Pools(
        targets=np.concatenate([np.zeros(0, np.int64), *(part.targets for part in parts)]),
        indptr=np.concatenate([[0], np.cumsum(sizes)]),
        rows=np.concatenate([np.zeros(0, np.int32), *(part.rows for part in parts)]),
        overlaps=np.concatenate([np.zeros(0, np.int32), *(part.overlaps for part in parts)]),
    )
