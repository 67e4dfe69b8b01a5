"""The bootstrap over clusters: what belongs to one picture is drawn together or not at all.

Efron & Tibshirani 1993, An introduction to the bootstrap.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Self

import numpy as np
import numpy.typing as npt

from benchwright.statistics.draws import DRAWS

_AT_ONCE = 1 << 21  # counts that are worked on as floating point numbers

Counts = npt.NDArray[np.uint8]
Reals = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A mean, a difference of two or another statistic of a sample, with its interval."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, mean: float, draws: Reals, confidence: float = 0.95) -> Self:
        """Return the percentile interval of bootstrap draws around the statistic of the sample.

        Its bounds are the smallest draws that at least (1 ∓ confidence) / 2 of all reach or
        stay below (section 13.3). Where the sample's own statistic lies outside, as happens when
        it is the least or the most that any draw can give, the interval reaches to it. Draws of
        NaN, in which nothing could be measured, are left out.
        """
        measured = np.sort(draws[~np.isnan(draws)])
        count = len(measured)
        if not count:
            return cls(mean=mean, low=float("nan"), high=float("nan"))
        tail = (1 - confidence) / 2
        # rounded, for 0.025 · 2,000 must not come to a little more than 50
        first, last = (ceil(round(share * count, 6)) - 1 for share in (tail, 1 - tail))
        low, high = float(measured[first]), float(measured[last])
        return cls(mean=mean, low=min(low, mean), high=max(high, mean))


# one after the other, several statistics are drawn from the same clusters
@lru_cache(maxsize=1)
def cluster_counts(clusters: int, seed: int, draws: int = DRAWS) -> Counts:
    """Return how often each cluster is in each draw, (draws, clusters); each draw has as many.

    The draws come from SHAKE-256 of seed and number, so that no version of a library changes
    them. A cluster is in a draw 255 times at most in any case that can happen: with more
    clusters than that the chance of more is below 1e-500. The array cannot be written to.
    """
    counts = np.empty((draws, clusters), np.uint8)
    for at, row in enumerate(counts):
        bits = hashlib.shake_256(f"{seed}\0bootstrap over pictures\0{at}".encode())
        numbers = np.frombuffer(bits.digest(4 * clusters), "<u4").astype(np.uint64)
        places = (numbers * np.uint64(clusters)) >> np.uint64(32)
        row[:] = np.bincount(places.astype(np.int64), minlength=clusters)
    counts.flags.writeable = False
    return counts


class Resample:
    """Draws of clusters, the same for whatever is summed over them: paired.

    ``clusters`` (items,) are the clusters' numbers, one item or more each; their order decides
    which draws a cluster is in, so they should be numbered by their sorted ids.
    """

    def __init__(self, clusters: npt.ArrayLike, seed: int, draws: int = DRAWS) -> None:
        """Draw among the clusters that have an item."""
        met, self._places = np.unique(np.asarray(clusters), return_inverse=True)
        self.clusters = len(met)
        self._counts = cluster_counts(len(met), seed, draws)

    def by_cluster(
        self, figures: npt.ArrayLike, columns: npt.ArrayLike = 0, width: int = 1
    ) -> Reals:
        """Return the sums of figures (items,) by cluster and column, (clusters, width).

        ``columns`` says into which column, below ``width``, each item's figure goes.
        """
        cells = self._places * width + np.asarray(columns)
        table = np.bincount(cells, np.asarray(figures, float), self.clusters * width)
        return table.astype(float).reshape(self.clusters, width)

    def totals(self, table: Reals) -> Reals:
        """Return the sums of a table (clusters, width) over the clusters of each draw."""
        return np.concatenate([block @ table for block in self._blocks()])

    def _blocks(self) -> Iterator[Reals]:
        rows = max(1, _AT_ONCE // max(1, self.clusters))
        for start in range(0, len(self._counts), rows):
            yield self._counts[start : start + rows].astype(float)
