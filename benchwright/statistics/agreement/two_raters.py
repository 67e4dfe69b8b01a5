"""Agreement of raters two by two: kappa, agreement on one code, and who says yes alone."""

from dataclasses import dataclass
from itertools import combinations

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


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoByTwo:
    """Numbers of items, without weights, by what two raters said; the first only, and so on.

    ``left_out`` are the items that one judged alone, ``other`` those that both judged and one
    gave another code than yes or no.
    """

    both_yes: int
    first_only: int
    second_only: int
    both_no: int
    other: int
    left_out: int


def cohens_kappa(
    judgements: Judgements, seed: int = 0, draws: int = DRAWS, confidence: float = 0.95
) -> Coefficient:
    """Return Cohen's κ of two raters on the items that both judged (definition 24).

    κ = (p_o − p_e) / (1 − p_e), where p_e is the agreement expected of two raters who give each
    code as often as these two do, whatever the item (Cohen 1960, A coefficient of agreement for
    nominal scales, Educational and Psychological Measurement 20, 37-46). -1 to 1; null where p_e
    is 1, as where both give one and the same code to all. Raises ValueError for another number
    of raters.
    """
    both = _of_two(judgements)
    if not both.judged:
        return undefined(0, judgements.left_out)
    resample = Resample(both.clusters, seed, draws)
    table = _margins(both, resample)
    return coefficient(resample, table, _kappa, both.judged, judgements.left_out, confidence)


def lights_kappa(
    judgements: Judgements, seed: int = 0, draws: int = DRAWS, confidence: float = 0.95
) -> Coefficient:
    """Return the mean of Cohen's κ over all pairs of raters, of two raters Cohen's κ itself.

    Each pair counts by the weight of the items that both judged; pairs whose κ is null are left
    out, and without any other it is null. Raters who all judged all give the plain mean of Light
    (1971, Measures of response agreement for qualitative data: some generalizations and
    alternatives, Psychological Bulletin 76, 365-377). -1 to 1.
    """
    several = judgements.by_several()
    if not several.judged:
        return undefined(0, judgements.left_out)
    resample = Resample(several.clusters, seed, draws)
    pairs = combinations(range(several.codes.shape[1]), 2)
    tables = [_margins(several.raters(*pair), resample) for pair in pairs]

    def mean(sums: Reals) -> Reals:
        parts = np.split(sums, len(tables), axis=1)
        kappas = np.stack([_kappa(part) for part in parts])
        sizes = np.stack([part[:, 1 : 1 + several.categories].sum(axis=1) for part in parts])
        sizes[np.isnan(kappas)] = 0
        return quotient((np.nan_to_num(kappas) * sizes).sum(axis=0), sizes.sum(axis=0))

    return coefficient(
        resample, np.hstack(tables), mean, several.judged, judgements.left_out, confidence
    )


def specific_agreement(
    judgements: Judgements, code: int, seed: int = 0, draws: int = DRAWS
) -> Coefficient:
    """Return how often the other rater gives a code too, where one of the two gives it.

    That is 2 n_cc / (n_c. + n_.c), 0 to 1: of two codes, positive and negative agreement
    (Cicchetti & Feinstein 1990, High agreement but low kappa II, Journal of Clinical
    Epidemiology 43, 551-558). Null where neither gives it. Raises ValueError for another number
    of raters.
    """
    both = _of_two(judgements)
    if not both.judged:
        return undefined(0, judgements.left_out)
    resample = Resample(both.clusters, seed, draws)
    given = both.codes == code
    table = np.hstack(
        [
            resample.by_cluster(2 * both.weights * given.all(axis=1)),
            resample.by_cluster(both.weights * given.sum(axis=1)),
        ]
    )
    return coefficient(resample, table, _ratio, both.judged, judgements.left_out)


def two_by_two(judgements: Judgements, yes: int, no: int) -> TwoByTwo:
    """Return how many items have yes of both raters, of one alone, and no of both.

    Raises ValueError for another number of raters.
    """
    both = _of_two(judgements)
    first, second = both.codes.T

    def count(one: int, other: int) -> int:
        return int(np.count_nonzero((first == one) & (second == other)))

    four = count(yes, yes), count(yes, no), count(no, yes), count(no, no)
    return TwoByTwo(
        both_yes=four[0],
        first_only=four[1],
        second_only=four[2],
        both_no=four[3],
        other=both.judged - sum(four),
        left_out=judgements.left_out,
    )


def _of_two(judgements: Judgements) -> Judgements:
    if judgements.codes.shape[1] != 2:
        raise ValueError(f"two raters are wanted, not {judgements.codes.shape[1]}")
    return judgements.by_several()


def _margins(both: Judgements, resample: Resample) -> Reals:
    """Return by cluster the weight of disagreement, then of each code by either rater."""
    weights = np.where(both.times == 2, both.weights, 0.0)  # what one judged alone has none
    (first, second), width = np.maximum(both.codes, 0).T, both.categories
    return np.hstack(
        [
            resample.by_cluster(weights * (first != second)),
            resample.by_cluster(weights, first, width),
            resample.by_cluster(weights, second, width),
        ]
    )


def _kappa(sums: Reals) -> Reals:
    first, second = np.split(sums[:, 1:], 2, axis=1)
    total, other = first.sum(axis=1), second.sum(axis=1, keepdims=True)
    # as 1 - p_e, but exactly 0 where both give one code alone, whatever the weights
    by_chance = (first * (other - second)).sum(axis=1)
    return 1 - quotient(sums[:, 0] * total, by_chance)


def _ratio(sums: Reals) -> Reals:
    return quotient(sums[:, 0], sums[:, 1])
