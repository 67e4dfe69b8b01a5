"""The ways to find, for every target, the pictures with Sim ≥ τ that are measured side by side.

A contestant takes the job and returns a function that gives the pools of some targets; what it
does before it returns is its preparation, which is measured once and not scaled.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmarks.choosing import PER_VALUE, choose
from benchwright.knowledge import Knowledge
from galleries.pools import find_pools
from galleries.tau import Tau

Rows = npt.NDArray[np.int64]
Pools = Iterator[Rows]
Found = tuple[Rows, Rows]  # where the pool of each target ends, and the pools joined
Search = Callable[[Rows], Found]

_CELLS = 2**24  # of one matrix product: 64 MB of float32


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """For every target and every one of its values, the best 7 others that reach τ."""

    knowledge: Knowledge
    tau: Tau

    @property
    def pictures(self) -> int:
        return len(self.knowledge.ids)

    @property
    def salt(self) -> int:
        return int.from_bytes(hashlib.sha256(b"pool 0").digest()[:8], "big")

    def needed(self) -> Rows:
        most = int(np.diff(self.knowledge.indptr).max())
        return np.array([self.tau.needed(size) for size in range(most + 1)])

    def thresholds(self, targets: Rows) -> Rows:
        indptr = self.knowledge.indptr
        thresholds: Rows = self.needed()[indptr[targets + 1] - indptr[targets]]
        return thresholds

    def blocks(self, targets: Rows) -> Iterator[Rows]:
        """Yield as many targets at a time as one matrix product may have."""
        step = min(256, max(1, _CELLS // self.pictures))
        for start in range(0, len(targets), step):
            yield targets[start : start + step]

    def chooser(self) -> Callable[[int, Rows], Rows]:
        """Return the end of the job that all but the naive ones share."""
        known, needed, salt = self.knowledge, self.needed(), np.uint64(self.salt)

        def of_target(target: int, candidates: Rows) -> Rows:
            pool: Rows = choose(
                known.indptr, known.yes, known.ids, salt, needed, target, candidates
            )
            return pool

        return of_target


def bit_planes(job: Job) -> Search:
    """Bit-sliced counting on bit planes: this package."""

    def search(targets: Rows) -> Found:
        pools = find_pools(job.knowledge, job.tau, per_value=PER_VALUE, targets=targets, threads=1)
        return pools.indptr[1:], pools.rows.astype(np.int64)

    return search


def naive_python(job: Job) -> Search:
    """Sets, a loop over all pairs, sorted()."""
    known = job.knowledge
    sets = [frozenset(known.attributes(row).tolist()) for row in range(job.pictures)]
    ids, needed, salt = known.ids.tolist(), job.needed().tolist(), job.salt

    def pools(targets: Rows) -> Pools:
        for target in targets.tolist():
            own, mixed = sets[target], _splitmix(salt ^ ids[target])
            order = sorted(
                (-len(own & its), _splitmix(mixed ^ ids[row]), row)
                for row, its in enumerate(sets)
                if len(own & its) >= needed[len(own)] and row != target
            )
            room = dict.fromkeys(own, PER_VALUE)
            pool = []
            for _, _, row in order:
                having = [value for value in own & sets[row] if room[value]]
                for value in having:
                    room[value] -= 1
                if having:
                    pool.append(row)
            yield np.array(pool, np.int64)

    return _joined(pools)


def _splitmix(x: int) -> int:
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
    x = (x ^ x >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
    return x ^ x >> 31


def pandas_groupby(job: Job) -> Search:
    """A long table indexed by value; group by picture, sort, the head of each value."""
    import pandas as pd  # noqa: PLC0415

    known = job.knowledge
    rows = np.repeat(np.arange(job.pictures), np.diff(known.indptr))
    by_value = pd.DataFrame({"value": known.yes, "row": rows}).set_index("value").sort_index()
    needed, salt = job.needed(), job.salt

    def pools(targets: Rows) -> Pools:
        for target in targets.tolist():
            own = known.attributes(target)
            shared = by_value.loc[own].reset_index()
            shared["overlap"] = shared.groupby("row")["value"].transform("size")
            shared = shared[(shared["overlap"] >= needed[len(own)]) & (shared["row"] != target)]
            mixed = _splitmix(salt ^ int(known.ids[target]))
            hashes = [_splitmix(mixed ^ int(each)) for each in known.ids[shared["row"]]]
            shared = shared.assign(hash=np.array(hashes, np.uint64))
            ordered = shared.sort_values(["overlap", "hash"], ascending=[False, True])
            best = ordered.groupby("value").head(PER_VALUE)
            yield best["row"].drop_duplicates().to_numpy(np.int64)

    return _joined(pools)


def scipy_sparse(job: Job) -> Search:
    """Products of blocks of rows with the transposed matrix, all in CSR."""
    from scipy.sparse import csr_array  # noqa: PLC0415

    known = job.knowledge
    shape = (job.pictures, len(known.values))
    matrix = csr_array((np.ones(len(known.yes), np.int16), known.yes, known.indptr), shape=shape)
    transposed = matrix.T.tocsr()
    pool_of = job.chooser()

    def pools(targets: Rows) -> Pools:
        for block in job.blocks(targets):
            product = matrix[block] @ transposed
            reach = product.data >= np.repeat(job.thresholds(block), np.diff(product.indptr))
            ends = np.concatenate([[0], np.cumsum(reach)])[product.indptr]
            columns = product.indices[reach].astype(np.int64)
            for at, target in enumerate(block.tolist()):
                yield pool_of(target, columns[ends[at] : ends[at + 1]])

    return _joined(pools)


def dense_product(job: Job) -> Search:
    """Products of blocks of rows with the transposed matrix in float32 (BLAS)."""
    dense = _multi_hot(job)
    pool_of = job.chooser()

    def pools(targets: Rows) -> Pools:
        for block in job.blocks(targets):
            product = dense[block] @ dense.T  # small whole numbers: exact in float32
            thresholds = job.thresholds(block).astype(np.float32)
            for at, target in enumerate(block.tolist()):
                yield pool_of(target, np.flatnonzero(product[at] >= thresholds[at]))

    return _joined(pools)


def faiss_range(job: Job) -> Search:
    """IndexFlatIP.range_search on the scaled multi-hot rows, a hair under τ, then a recount."""
    import faiss  # noqa: PLC0415

    dense = _multi_hot(job)
    index = faiss.IndexFlatIP(dense.shape[1])
    index.add(dense)
    radius = job.tau.numerator / job.tau.denominator - 1e-4
    pool_of = job.chooser()

    def pools(targets: Rows) -> Pools:
        for block in job.blocks(targets):
            queries = dense[block] / dense[block].sum(axis=1, keepdims=True)
            ends, _, found = index.range_search(queries, radius)
            for at, target in enumerate(block.tolist()):
                yield pool_of(target, found[ends[at] : ends[at + 1]].astype(np.int64))

    return _joined(pools)


def set_similarity_search(job: Job) -> Search:
    """SetSimilaritySearch, containment, a hair under τ, then a recount."""
    from SetSimilaritySearch import SearchIndex  # noqa: PLC0415

    known = job.knowledge
    sets = [known.attributes(row).tolist() for row in range(job.pictures)]
    index = SearchIndex(
        sets,
        similarity_func_name="containment",
        similarity_threshold=job.tau.numerator / job.tau.denominator - 1e-9,
    )
    pool_of = job.chooser()

    def pools(targets: Rows) -> Pools:
        for target in targets.tolist():
            found = np.array([row for row, _ in index.query(sets[target])], np.int64)
            yield pool_of(target, found)

    return _joined(pools)


def _joined(pools: Callable[[Rows], Pools]) -> Search:
    def search(targets: Rows) -> Found:
        each = list(pools(targets))
        return np.cumsum([len(pool) for pool in each]), np.concatenate(each)

    return search


def _multi_hot(job: Job) -> npt.NDArray[np.float32]:
    known = job.knowledge
    dense = np.zeros((job.pictures, len(known.values)), np.float32)
    dense[np.repeat(np.arange(job.pictures), np.diff(known.indptr)), known.yes] = 1
    return dense


CONTESTANTS: dict[str, Callable[[Job], Search]] = {
    "bit planes": bit_planes,
    "dense product": dense_product,
    "faiss range_search": faiss_range,
    "scipy.sparse": scipy_sparse,
    "naive Python": naive_python,
    "pandas": pandas_groupby,
    "SetSimilaritySearch": set_similarity_search,
}
