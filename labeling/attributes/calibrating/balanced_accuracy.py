"""Balanced accuracy: the mean of sensitivity and specificity, so that rare values count as much.

One half is chance, however rare yes is (Brodersen et al. 2010, The balanced accuracy and its
posterior distribution).
"""

import numpy as np

from benchwright.statistics.intervals import Estimate

LEAST = 8  # known labels of either answer under which nothing can be told


def balanced(sensitivity: Estimate, specificity: Estimate) -> Estimate:
    """Return the mean of two independent shares with its interval.

    The distances to the bounds add as squares (as in Newcombe 1998, Interval estimation for the
    difference between independent proportions, method 10). Without a share of either it is NaN,
    0 to 1.
    """
    share = (sensitivity.share + specificity.share) / 2
    if not np.isfinite(share):
        return Estimate(share=float("nan"), low=0.0, high=1.0, size=0.0)
    below = np.hypot(sensitivity.share - sensitivity.low, specificity.share - specificity.low) / 2
    above = np.hypot(sensitivity.high - sensitivity.share, specificity.high - specificity.share) / 2
    return Estimate(
        share=share,
        low=max(0.0, share - float(below)),
        high=min(1.0, share + float(above)),
        size=sensitivity.size + specificity.size,
    )
