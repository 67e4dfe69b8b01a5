"""Krippendorff's alpha for nominal codes, any number of raters, some of them missing."""

import numpy as np

from benchwright.statistics.agreement.coefficient import (
    Coefficient,
    coefficient,
    quotient,
    undefined,
)
from benchwright.statistics.agreement.judgements import Judgements, Reals
from benchwright.statistics.bootstrap import Resample
from benchwright.statistics.draws import DRAWS


def krippendorffs_alpha(
    judgements: Judgements, seed: int = 0, draws: int = DRAWS, confidence: float = 0.95
) -> Coefficient:
    """Return Krippendorff's α of nominal codes, on the items that two raters or more judged.

    α = 1 − D_o / D_e. D_o is how often two codes of one item differ, D_e how often any two
    codes differ, be they of one item or not (Krippendorff 2011, Computing Krippendorff's
    alpha-reliability, section on nominal data with any number of observers and missing values).
    Items count by their weight; in D_e a pair of codes counts by the product of its weights,
    which with equal weights is his n (n − 1). Up to 1, and under 0 where raters agree less than
    by chance; null where all codes are the same.
    """
    several = judgements.by_several()
    if not several.judged:
        return undefined(0, judgements.left_out)
    resample = Resample(several.clusters, seed, draws)
    table = _sums(several, resample)
    return coefficient(resample, table, _alpha, several.judged, judgements.left_out, confidence)


def _sums(several: Judgements, resample: Resample) -> Reals:
    """Return by cluster: weight of disagreement, squares of the codes' weights, each code's."""
    counts, times, weights = several.counts, several.times, several.weights
    apart = (counts * (times[:, None] - counts)).sum(axis=1) / (times - 1)
    codes = [resample.by_cluster(weights * column) for column in counts.T]
    return np.hstack(
        [
            resample.by_cluster(weights * apart),
            resample.by_cluster(weights**2 * times),
            *codes,
        ]
    )


def _alpha(sums: Reals) -> Reals:
    apart, squares, codes = sums[:, 0], sums[:, 1], sums[:, 2:]
    total = codes.sum(axis=1)
    differing = (codes * (total[:, None] - codes)).sum(axis=1)
    return 1 - quotient(apart * (total**2 - squares), total * differing)
