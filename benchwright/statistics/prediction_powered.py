"""A share that machines predict everywhere and people judged in a sample of: both put together.

Machines are cheap and biased, people right and few. The mean of the predictions is corrected by
what people's judgements differ from them (Angelopoulos, Bates, Fannjiang, Jordan & Zrnic 2023,
Prediction-powered inference, Science 382, 669-674), and predictions that say little are taken for
little (Angelopoulos, Duchi & Zrnic 2023, PPI++, arXiv 2311.01453: power tuning), here of a
stratified sample. Judged items are among those that are predicted.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchwright.statistics.intervals import Estimate, Reals, estimate

Longs = npt.NDArray[np.int64]
_SHARED = 2.0  # judgements that each stratum borrows of the whole sample
_UNITS = np.array([1.0, 0.0])  # judged yes and predicted no, judged no and predicted yes


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionPowered:
    """A share by predictions alone, by judgements alone, and by both.

    ``weight``, 0 to 1, is how much the predictions count: λ of PPI++.
    """

    predicted: float
    judged: Estimate
    corrected: Estimate
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sample:
    """The judged items: what people say, what was predicted, and weights (strata, items).

    ``means`` are the weights of the items in the whole, ``share`` those of the strata. ``points``
    are the weights with which each stratum's spread is taken of the items and of two made up ones
    that stand behind them, ``of_each`` how much a stratum adds to the variance.
    """

    said: Reals
    predicted: Reals
    means: Reals
    share: Reals
    points: Reals
    of_each: Reals

    def covariance(self, one: Reals, other: Reals) -> float:
        """Return the covariance of two figures, summed over strata as it adds to the variance."""
        apart = self.mean(one * other) - self.mean(one) * self.mean(other)
        return float(self.of_each @ apart)

    def mean(self, figures: Reals) -> Reals:
        """Return the mean of each stratum, the points behind it among its items."""
        means: Reals = self.points @ figures / self.points.sum(axis=1)
        return means


@dataclass(frozen=True, slots=True, kw_only=True)
class _Values:
    """A share by a weight of the predictions: what people say ``off`` the predictions, and it.

    ``smooth`` is 0 to 1, with the made up items.
    """

    off: Reals
    value: float
    smooth: float


def prediction_powered_share(
    predicted: npt.ArrayLike,
    judged: npt.ArrayLike,
    strata: npt.ArrayLike,
    clusters: npt.ArrayLike,
    confidence: float = 0.95,
) -> PredictionPowered | None:
    """Return the share of yes among all items, those judged drawn at random in each stratum.

    All (items,): ``predicted`` is 0 to 1, ``judged`` 1, 0, or NaN for what nobody judged;
    ``strata`` and ``clusters``, such as pictures, are numbers. Null without items, and where of a
    stratum nobody judged any.

    With f predicted, y judged, W the strata's parts of all items, the share is
    Σ W (λ mean of all f + mean of y − λ f of the judged). λ is the slope of y on f within strata,
    which gives the least variance, but 0 to 1. The variance has two parts: which items people saw,
    Σ W² (1 − n / N) var(y − λ f) / n, and which clusters there are, the variance of y between
    them. So that few judgements that happen to agree are not taken for certain, a stratum's var
    borrows two judgements of the whole sample, and one of each mistake is shared out over the
    strata, as in ``stratified_share``. Wilson's interval stands at the effective size.
    """
    f, y = np.asarray(predicted, float), np.asarray(judged, float)
    _, stratum = np.unique(np.asarray(strata), return_inverse=True)
    is_judged = ~np.isnan(y)
    sizes = np.bincount(stratum)
    seen = np.bincount(stratum[is_judged], minlength=len(sizes))
    if not len(f) or not seen.all():
        return None
    share = sizes / len(f)
    sample = _sample(f[is_judged], y[is_judged], stratum[is_judged], share, sizes)
    spread = sample.covariance(sample.predicted, sample.predicted)
    slope = sample.covariance(sample.said, sample.predicted) / spread if spread > 0 else 0.0
    weight = min(1.0, max(0.0, slope))
    found = _values(sample, f, weight)
    known = weight * (f - f.mean())
    rest = np.where(is_judged, y - found.value - known, 0.0)
    drawn = (seen / sizes)[stratum]
    among = _between_clusters(known, rest, drawn, np.asarray(clusters), found.smooth)

    def by(weight: float) -> Estimate:
        each = _values(sample, f, weight)
        return _estimate(each, sample.covariance(each.off, each.off) + among, confidence)

    return PredictionPowered(
        predicted=float(f.mean()), judged=by(0.0), corrected=by(weight), weight=weight
    )


def _sample(f: Reals, y: Reals, stratum: Longs, share: Reals, sizes: Longs) -> _Sample:
    own = (stratum == np.arange(len(share))[:, None]).astype(float)
    seen = own.sum(axis=1)
    means = share @ (own / seen[:, None])  # of each judged item in the whole
    made_up = np.repeat(share[:, None], 2, axis=1)
    return _Sample(
        said=np.concatenate([y, _UNITS]),
        predicted=np.concatenate([f, 1 - _UNITS]),
        means=means,
        share=share,
        points=np.hstack([own + _SHARED * means, made_up]),
        of_each=share**2 * (1 - seen / sizes) / seen,
    )


def _values(sample: _Sample, f: Reals, weight: float) -> _Values:
    off = sample.said - weight * sample.predicted
    return _Values(
        off=off,
        value=weight * float(f.mean()) + float(sample.means @ off[: -len(_UNITS)]),
        smooth=_limited(weight * float(f.mean()) + float(sample.share @ sample.mean(off))),
    )


def _between_clusters(
    known: Reals, rest: Reals, drawn: Reals, clusters: Longs, centre: float
) -> float:
    """Return the variance of the mean of y between clusters.

    What y is off its mean is ``known`` + ``rest``; ``rest`` is 0 for what nobody judged, and each
    item was judged with the probability ``drawn``. Linearised, and what was judged stands for the
    others (Horvitz & Thompson), so that predictions which miss how alike a cluster's items are do
    not make it small. It is no smaller than that of a share of ``centre`` among items that have
    nothing to do with each other, and of one cluster as large as that of one item.
    """
    _, cluster = np.unique(clusters, return_inverse=True)
    sums = np.bincount(cluster, known + rest / drawn)
    count = len(sums)
    alone = centre * (1 - centre)
    if count == 1:
        return alone
    # the square of what stands for itself alone is counted 1 / drawn times too often
    square = float((sums * sums).sum() - (rest * rest * (1 - drawn) / drawn**2).sum())
    return max(square / len(known) ** 2 * count / (count - 1), alone / len(known))


def _estimate(found: _Values, variance: float, confidence: float) -> Estimate:
    share, centre = _limited(found.value), found.smooth
    size = centre * (1 - centre) / variance if variance > 0 else float("inf")
    told = estimate(share, size, confidence)
    return Estimate(share=share, low=min(share, told.low), high=max(share, told.high), size=size)


def _limited(share: float) -> float:
    return min(1.0, max(0.0, share))
