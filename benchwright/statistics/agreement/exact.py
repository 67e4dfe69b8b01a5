"""Exact agreement: how often two raters say the same."""

import numpy as np

from benchwright.statistics.agreement.coefficient import Coefficient, undefined
from benchwright.statistics.agreement.judgements import Judgements, Reals
from benchwright.statistics.intervals import weighted_share


def agreeing(judgements: Judgements) -> Reals:
    """Return the share of pairs of raters that say the same of each item, 0 to 1, (items,).

    An item that fewer than two judged has 0.
    """
    counts, times = judgements.counts, judgements.times
    pairs = times * (times - 1)
    same = (counts * (counts - 1)).sum(axis=1)
    share: Reals = np.divide(same, pairs, out=np.zeros(len(pairs)), where=pairs > 0)
    return share


def exact_agreement(judgements: Judgements, confidence: float = 0.95) -> Coefficient:
    """Return the weighted mean over items of the share of pairs of raters that say the same.

    Of two raters it is the share of items on which they agree. Null without an item that two
    judged. It is a share, so its interval is Wilson's at the effective size between clusters
    (``weighted_share``), which says something even where all agree.
    """
    several = judgements.by_several()
    if not several.judged:
        return undefined(0, judgements.left_out)
    found = weighted_share(agreeing(several), several.weights, several.clusters, confidence)
    return Coefficient(
        value=found.share,
        low=found.low,
        high=found.high,
        judged=several.judged,
        left_out=judgements.left_out,
    )
