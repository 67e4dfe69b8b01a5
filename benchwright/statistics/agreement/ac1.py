"""Gwet's AC1, any number of raters, some of their codes missing."""

import numpy as np

from benchwright.statistics.agreement.coefficient import (
    Coefficient,
    coefficient,
    quotient,
    undefined,
)
from benchwright.statistics.agreement.exact import agreeing
from benchwright.statistics.agreement.judgements import Judgements, Reals
from benchwright.statistics.bootstrap import Resample
from benchwright.statistics.draws import DRAWS


def gwets_ac1(
    judgements: Judgements, seed: int = 0, draws: int = DRAWS, confidence: float = 0.95
) -> Coefficient:
    """Return Gwet's AC1: (p_a − p_e) / (1 − p_e).

    p_a is the exact agreement. p_e = Σ π (1 − π) / (q − 1) over the q categories that could be
    given, with π the mean over items of the share of an item's raters that give the category
    (Gwet 2008, Computing inter-rater reliability and its variance in the presence of high
    agreement, British Journal of Mathematical and Statistical Psychology 61, 29-48). p_e is at
    most 1 / q, so AC1 is defined wherever two raters judged one item, and 1 where all agree.
    With codes missing, an item that one rater judged counts in π and not in p_a (Gwet 2014,
    Handbook of inter-rater reliability, 4th edition, chapter 5). At least -1; up to 1.
    """
    known = judgements.by_any()
    if not known.judged:
        return undefined(0, judgements.left_out)
    resample = Resample(known.clusters, seed, draws)
    shares = known.weights[:, None] * known.counts / known.times[:, None]
    codes = [resample.by_cluster(column) for column in shares.T]
    several = known.weights * (known.times >= 2)
    table = np.hstack(
        [
            resample.by_cluster(several * (1 - agreeing(known))),
            resample.by_cluster(several),
            *codes,
        ]
    )
    return coefficient(resample, table, _ac1, known.judged, judgements.left_out, confidence)


def _ac1(sums: Reals) -> Reals:
    apart, several, codes = sums[:, 0], sums[:, 1], sums[:, 2:]
    share = codes / codes.sum(axis=1, keepdims=True)
    by_chance = (share * (1 - share)).sum(axis=1) / (codes.shape[1] - 1)
    found: Reals = 1 - quotient(apart, several) / (1 - by_chance)
    return found
