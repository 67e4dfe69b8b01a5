"""Pools: for each target the most similar pictures, value by value (AMIGO, section 3.2).

The pool of a target t holds, for each value of Attr(t), the first ``per_value`` other pictures
that share the value and reach τ, in one total order: overlap descending, then a seeded hash of
both ids, then the id. Walking the order, a picture whose group is t's, or already taken for that
value, is skipped; after the merge one picture of a group remains, the first in the order.

The counting is in bitplanes.py, the walk through the order in selection.py.
"""

import hashlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from benchwright.knowledge import Knowledge
from galleries.bitplanes import Planes, build_planes
from galleries.selection import search_all, search_limited
from galleries.tau import Tau

_CHUNK = 256  # targets that pass over a block together, while it lies in the cache


@dataclass(frozen=True, slots=True, kw_only=True)
class Pools:
    """The pools of some targets, as rows of the knowledge.

    The pool of ``targets[i]`` is ``rows[indptr[i]:indptr[i + 1]]`` in the total order, and
    ``overlaps`` holds |Attr(t) ∩ Attr(row)| beside each.
    """

    targets: np.ndarray
    indptr: np.ndarray
    rows: np.ndarray
    overlaps: np.ndarray

    def pool(self, at: int) -> slice:
        """Return where the pool of ``targets[at]`` stands in rows and overlaps."""
        return slice(int(self.indptr[at]), int(self.indptr[at + 1]))

    def sizes(self) -> np.ndarray:
        """Return the number of distractors for each target."""
        return np.diff(self.indptr)


def find_pools(
    knowledge: Knowledge,
    tau: Tau,
    *,
    per_value: int = 7,
    seed: int = 0,
    targets: np.ndarray | None = None,
    threads: int | None = None,
) -> Pools:
    """Return the exact pools of the target rows (all rows where none are given).

    ``per_value`` 0 means no limit. A target without any value has an empty pool. The result does
    not depend on the number of threads or on the order of the rows.
    """
    chosen = np.arange(len(knowledge.ids)) if targets is None else np.asarray(targets)
    planes = build_planes(knowledge.indptr, knowledge.yes, len(knowledge.values))
    sizes = np.diff(knowledge.indptr)
    needed = np.array([tau.needed(size) for size in range(int(sizes.max(initial=0)) + 1)])
    order = _Order(
        ids=knowledge.ids,
        groups=knowledge.groups if knowledge.has_groups else knowledge.groups[:0],
        salt=np.uint64(int.from_bytes(hashlib.sha256(f"pool {seed}".encode()).digest()[:8], "big")),
    )

    def search(chunk: np.ndarray) -> Pools:
        return _search(planes, knowledge, order, chunk, needed, per_value)

    chunks = [chosen[start : start + _CHUNK] for start in range(0, len(chosen), _CHUNK)]
    with ThreadPoolExecutor(threads or os.cpu_count()) as executor:
        return concatenate(list(executor.map(search, chunks)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """What the total order is made of, beside the overlap."""

    ids: np.ndarray
    groups: np.ndarray
    salt: np.uint64


def _search(
    planes: Planes,
    knowledge: Knowledge,
    order: _Order,
    chunk: np.ndarray,
    needed: np.ndarray,
    per_value: int,
) -> Pools:
    data = (planes, knowledge.indptr, knowledge.yes, order.ids, order.groups, order.salt)
    if per_value:
        most = per_value * (len(needed) - 1)
        found = search_limited(*data, chunk, needed, per_value, most)
        rows, overlaps, sizes = found
    else:
        pools = [search_all(*data, target, needed) for target in chunk]
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
