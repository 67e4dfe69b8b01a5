"""Agreement of sets: precision, recall and F1 of one rater's sets against another's."""

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from benchwright.statistics.agreement.coefficient import Coefficient, coefficient, undefined
from benchwright.statistics.agreement.judgements import Longs, Reals, clusters_and_weights
from benchwright.statistics.bootstrap import Resample
from benchwright.statistics.draws import DRAWS


@dataclass(frozen=True, kw_only=True)
class SetPairs:
    """Sizes of two raters' sets on the items that both judged, all (items,).

    ``matched`` is how many elements of the one have their partner in the other: the intersection
    of sets of names, or matched boxes. ``left_out`` counts the items that one judged alone.
    """

    matched: Longs
    first: Longs
    second: Longs
    clusters: Longs
    weights: Reals
    left_out: int = 0

    @classmethod
    def counted(
        cls,
        matched: npt.ArrayLike,
        first: npt.ArrayLike,
        second: npt.ArrayLike,
        clusters: npt.ArrayLike | None = None,
        weights: npt.ArrayLike | None = None,
        left_out: int = 0,
    ) -> Self:
        """Return pairs whose sizes are known, each item a cluster and of weight 1 by default.

        Raises ValueError for arrays that do not fit and for more matched than there are.
        """
        both, one, other = (np.asarray(sizes, np.int64) for sizes in (matched, first, second))
        if not both.shape == one.shape == other.shape == (len(both),):
            raise ValueError(f"sizes differ in shape: {both.shape}, {one.shape}, {other.shape}")
        if (both < 0).any() or (both > np.minimum(one, other)).any():
            raise ValueError("a set has fewer elements than are matched, or fewer than none")
        among, weight = clusters_and_weights(len(both), clusters, weights)
        return cls(
            matched=both,
            first=one,
            second=other,
            clusters=among,
            weights=weight,
            left_out=left_out,
        )

    @classmethod
    def of(
        cls,
        first: Sequence[Collection[Hashable] | None],
        second: Sequence[Collection[Hashable] | None],
        clusters: npt.ArrayLike | None = None,
        weights: npt.ArrayLike | None = None,
    ) -> Self:
        """Return pairs of sets; None is a set that the rater did not judge, unlike an empty one.

        Raises ValueError for arrays that do not fit.
        """
        rows = list(zip(first, second, strict=True))
        among, weight = clusters_and_weights(len(rows), clusters, weights)
        both = [
            (at, set(one), set(other))
            for at, (one, other) in enumerate(rows)
            if one is not None and other is not None
        ]
        chosen = np.array([at for at, _, _ in both], np.int64)
        return cls.counted(
            [len(one & other) for _, one, other in both],
            [len(one) for _, one, _ in both],
            [len(other) for _, _, other in both],
            among[chosen],
            weight[chosen],
            left_out=sum((one is None) != (other is None) for one, other in rows),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SetScores:
    """Precision, recall and F1, each 0 to 1."""

    precision: Coefficient
    recall: Coefficient
    f1: Coefficient


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAgreement:
    """The scores as means over items, and pooled: of the sums over items, large sets more."""

    mean: SetScores
    pooled: SetScores


def set_agreement(
    pairs: SetPairs, seed: int = 0, draws: int = DRAWS, confidence: float = 0.95
) -> SetAgreement:
    """Return precision, recall and F1 of the first rater's sets against the second's.

    Precision is matched / |first|, recall matched / |second|, F1 their harmonic mean, 2 matched /
    (|first| + |second|). Empty against empty is 1; against a set that is not empty, 0 (as in
    definition 20). The mean F1 is the mean of the items' F1, not the harmonic mean of the other
    two means. Changing the raters about changes precision and recall about and leaves F1. Null
    without an item that both judged. Both kinds are of the same draws.
    """
    judged = len(pairs.matched)
    if not judged:
        none = undefined(0, pairs.left_out)
        nothing = SetScores(precision=none, recall=none, f1=none)
        return SetAgreement(mean=nothing, pooled=nothing)
    resample = Resample(pairs.clusters, seed, draws)
    sizes = np.stack([pairs.matched, pairs.first, pairs.second], axis=1).astype(float)
    columns = np.hstack([_scores(sizes), np.ones((judged, 1)), sizes]) * pairs.weights[:, None]
    table = np.hstack([resample.by_cluster(column) for column in columns.T])

    def scores(*, pooled: bool) -> SetScores:
        def one(column: int) -> Coefficient:
            def statistic(sums: Reals) -> Reals:
                shares = _scores(sums[:, 4:]) if pooled else sums[:, :3] / sums[:, 3:4]
                return shares[:, column]

            return coefficient(resample, table, statistic, judged, pairs.left_out, confidence)

        return SetScores(precision=one(0), recall=one(1), f1=one(2))

    return SetAgreement(mean=scores(pooled=False), pooled=scores(pooled=True))


def _scores(sizes: Reals) -> Reals:
    """Return precision, recall and F1 (rows, 3) of sizes matched, first, second (rows, 3)."""
    matched, first, second = sizes.T
    above = np.stack([matched, matched, 2 * matched], axis=1)
    below = np.stack([first, second, first + second], axis=1)
    scores: Reals = np.repeat((first + second == 0).astype(float)[:, None], 3, axis=1)
    np.divide(above, below, out=scores, where=below > 0)
    return scores
