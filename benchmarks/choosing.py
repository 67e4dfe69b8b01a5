"""The end of the job, the same for every contestant: from candidates to the pool of a target.

It is compiled, so that a contestant is measured by how it finds pictures that reach τ and not by
how numpy sorts a hundred of them; it recounts every candidate in whole numbers, so that no
contestant owes its answer to floating point. Written apart from the search that is measured.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

Array = npt.NDArray[np.int64]
PER_VALUE = 7


@njit(cache=True)
def choose(
    indptr: Array,
    values: npt.NDArray[np.int32],
    ids: npt.NDArray[np.uint64],
    salt: np.uint64,
    needed: Array,
    target: int,
    candidates: Array,
) -> Array:
    """Return the pool of a target in the order: at most 7 of the candidates for each value."""
    own = values[indptr[target] : indptr[target + 1]]
    overlaps, hashes = _measure(indptr, values, ids, salt, target, candidates)
    order = np.argsort(hashes)
    order = order[np.argsort(-overlaps[order], kind="mergesort")]
    room = np.full(len(own), PER_VALUE)
    pool = np.empty(len(candidates), np.int64)
    found = 0
    for at in order:
        row = candidates[at]
        if row == target or overlaps[at] < needed[len(own)]:
            continue
        used = False
        for place in range(indptr[row], indptr[row + 1]):
            mine = np.searchsorted(own, values[place])
            if mine < len(own) and own[mine] == values[place] and room[mine] > 0:
                room[mine] -= 1
                used = True
        if used:
            pool[found] = row
            found += 1
    return pool[:found]


@njit(cache=True)
def _measure(
    indptr: Array,
    values: npt.NDArray[np.int32],
    ids: npt.NDArray[np.uint64],
    salt: np.uint64,
    target: int,
    candidates: Array,
) -> tuple[Array, npt.NDArray[np.uint64]]:
    """Return overlap and hash of every candidate."""
    overlaps = np.zeros(len(candidates), np.int64)
    hashes = np.empty(len(candidates), np.uint64)
    salted = _splitmix(salt ^ ids[target])
    for at, row in enumerate(candidates):
        hashes[at] = _splitmix(salted ^ ids[row])
        mine, its = indptr[target], indptr[row]
        while mine < indptr[target + 1] and its < indptr[row + 1]:
            overlaps[at] += values[mine] == values[its]
            if values[mine] <= values[its]:
                mine += 1
                its += values[mine - 1] == values[its]
            else:
                its += 1
    return overlaps, hashes


@njit(cache=True)
def _splitmix(x: np.uint64) -> np.uint64:
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
