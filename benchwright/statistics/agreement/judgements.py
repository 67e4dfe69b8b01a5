"""What raters said of items, as arrays."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

Longs = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Reals = npt.NDArray[np.float64]

MISSING = -1


@dataclass(frozen=True, kw_only=True)
class Judgements:
    """One code, 0 to ``categories`` - 1, by each rater of each item, or -1 where there is none.

    ``codes`` is (items, raters). ``categories`` counts what a rater could have said, used or
    not. ``clusters`` (items,) are numbers of what items are drawn by, such as pictures;
    ``weights`` (items,) are inverse inclusion probabilities, above 0.
    """

    categories: int
    codes: Longs
    clusters: Longs
    weights: Reals

    @classmethod
    def of(
        cls,
        codes: npt.ArrayLike,
        categories: int,
        clusters: npt.ArrayLike | None = None,
        weights: npt.ArrayLike | None = None,
    ) -> Self:
        """Return them, each item a cluster of its own and of weight 1 unless said otherwise.

        Raises ValueError for fewer than two raters or categories, for a code out of range, for
        arrays that do not fit and for weights that are not above 0 and finite.
        """
        table = np.asarray(codes, np.int64)
        if table.ndim != 2 or table.shape[1] < 2 or categories < 2:
            raise ValueError(
                f"agreement wants codes (items, raters) of 2 raters and 2 categories or more,"
                f" not {table.shape} of {categories} categories"
            )
        if table.size and not MISSING <= table.min() <= table.max() < categories:
            raise ValueError(f"codes are {MISSING} to {categories - 1}: {np.unique(table)}")
        among, weight = clusters_and_weights(len(table), clusters, weights)
        return cls(categories=categories, codes=table, clusters=among, weights=weight)

    @cached_property
    def counts(self) -> Longs:
        """How many raters gave each code to each item, (items, categories)."""
        said = self.codes != MISSING
        rows = np.nonzero(said)[0]
        cells = rows * self.categories + self.codes[said]
        found = np.bincount(cells, minlength=len(self.codes) * self.categories)
        return found.reshape(len(self.codes), self.categories)

    @cached_property
    def times(self) -> Longs:
        """How many raters judged each item, (items,)."""
        times: Longs = (self.codes != MISSING).sum(axis=1)
        return times

    @property
    def judged(self) -> int:
        """The number of items that two raters or more judged."""
        return int(np.count_nonzero(self.times >= 2))

    @property
    def left_out(self) -> int:
        """The number of items that one rater judged alone."""
        return int(np.count_nonzero(self.times == 1))

    def raters(self, *columns: int) -> "Judgements":
        """Return the judgements of some raters, in this order."""
        return self._with(self.codes[:, columns])

    def by_several(self) -> "Judgements":
        """Return the items that two raters or more judged."""
        return self._take(self.times >= 2)

    def by_any(self) -> "Judgements":
        """Return the items that a rater judged."""
        return self._take(self.times >= 1)

    def _with(self, codes: Longs) -> "Judgements":
        return Judgements(
            categories=self.categories, codes=codes, clusters=self.clusters, weights=self.weights
        )

    def _take(self, chosen: Mask) -> "Judgements":
        return Judgements(
            categories=self.categories,
            codes=self.codes[chosen],
            clusters=self.clusters[chosen],
            weights=self.weights[chosen],
        )


def clusters_and_weights(
    items: int, clusters: npt.ArrayLike | None, weights: npt.ArrayLike | None
) -> tuple[Longs, Reals]:
    """Return both as arrays (items,): each item a cluster by itself, weight 1, where not given.

    Raises ValueError for another number of them and for weights not above 0 and finite.
    """
    among = np.arange(items) if clusters is None else np.asarray(clusters, np.int64)
    weight = np.ones(items) if weights is None else np.asarray(weights, float)
    if among.shape != (items,) or weight.shape != (items,):
        raise ValueError(f"{items} items, {among.shape} clusters, {weight.shape} weights")
    if not (np.isfinite(weight) & (weight > 0)).all():
        raise ValueError("weights are inverse inclusion probabilities: above 0 and finite")
    return among, weight
