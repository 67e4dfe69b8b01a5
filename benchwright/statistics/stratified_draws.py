"""Draws of so many units of each stratum, with and without putting them back.

A finding that holds in nearly all of them needs no more units than were drawn.
"""

import hashlib

import numpy as np
import numpy.typing as npt

from benchwright.statistics.bootstrap import Counts

DRAWS = 1_000
Longs = npt.NDArray[np.int64]


def stratified_counts(
    strata: npt.ArrayLike, size: int, seed: int, *, is_put_back: bool, draws: int = DRAWS
) -> Counts:
    """Return how often each unit is in each draw, (draws, units): ``size`` of each stratum.

    ``strata`` (units,) are numbers; units should be numbered by their sorted ids, which decide
    together with the seed who is in which draw. Of what is not put back, a draw of more units
    holds those of fewer. The draws come from SHAKE-256, as in the bootstrap. Raises ValueError for
    a size that is not 1 to 255, and where a stratum has fewer units and none is put back.
    """
    _, stratum = np.unique(np.asarray(strata, np.int64), return_inverse=True)
    sizes = np.bincount(stratum)
    if not 1 <= size <= 255 or (not is_put_back and len(sizes) and size > sizes.min()):
        raise ValueError(f"strata of {sizes.min(initial=0)} units and more have no {size} to draw")
    order = np.argsort(stratum, kind="stable")
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])  # of each stratum, in that order
    counts = np.zeros((draws, len(stratum)), np.uint8)
    for at, row in enumerate(counts):
        if is_put_back:
            numbers = _numbers(seed, "put back", at, len(sizes) * size).reshape(size, len(sizes))
            places = ((numbers * sizes.astype(np.uint64)) >> np.uint64(32)).astype(np.int64)
            chosen = order[(places + first).ravel()]
        else:
            keys = _numbers(seed, "not put back", at, len(stratum))
            by_key = np.lexsort((keys, stratum))
            places = np.arange(len(stratum)) - first[stratum[by_key]]
            chosen = by_key[places < size]
        row[:] = np.bincount(chosen, minlength=len(stratum))
    return counts


def _numbers(seed: int, how: str, draw: int, count: int) -> npt.NDArray[np.uint64]:
    """Return uniform numbers below 2**32."""
    bits = hashlib.shake_256(f"{seed}\0strata, {how}\0{draw}".encode())
    return np.frombuffer(bits.digest(4 * count), "<u4").astype(np.uint64)
