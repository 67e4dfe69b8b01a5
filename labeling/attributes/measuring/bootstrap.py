"""Balanced accuracies of bootstrap draws of pictures."""

import numpy as np

from benchwright.statistics.bootstrap import Resample
from benchwright.statistics.draws import DRAWS
from labeling.attributes.deciding.codes import Bytes, Mask, Reals
from labeling.attributes.measuring.cells import Cells


class Resampled:
    """Balanced accuracies of the same draws for whatever answers the cells: paired."""

    def __init__(self, cells: Cells, seed: int, draws: int = DRAWS) -> None:
        """Draw among the pictures that have a cell."""
        self._cells = cells
        self._resample = Resample(cells.pictures, seed, draws)
        self._total = self._sums(cells.weights)

    def balanced(self, answers: Bytes) -> Reals:
        """Return (draws, values), NaN where a draw has no known yes or no known no of a value."""
        rights = self._sums(self._cells.weights * self._cells.credits(answers))
        shares = np.full_like(rights, np.nan)
        np.divide(rights, self._total, out=shares, where=self._total > 0)
        balanced: Reals = shares.reshape(len(shares), 2, self._cells.values).mean(axis=1)
        return balanced

    def _sums(self, figures: Reals) -> Reals:
        """Return the sums of figures by draw and group."""
        groups, wide = self._cells.groups, 2 * self._cells.values
        return self._resample.totals(self._resample.by_cluster(figures, groups, wide))


def mean_over(shares: Reals, values: Mask) -> Reals:
    """Return the mean over these values along the last axis, NaN left out; NaN where all are."""
    chosen = shares[..., values]
    known = ~np.isnan(chosen)
    count = known.sum(axis=-1)
    mean = np.full(count.shape, np.nan)
    np.divide(np.where(known, chosen, 0).sum(axis=-1), count, out=mean, where=count > 0)
    return mean
