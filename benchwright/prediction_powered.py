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

from benchwright.intervals import Estimate, Reals, estimate

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

    ``points`` are the weights with which each stratum's spread is taken of the items and of two
    made up ones that stand behind them, ``of_each`` how much a stratum adds to the variance.
    """

    said: Reals
    predicted: Reals
    means: Reals
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
    Σ W² (1 − n / N) var(y − λ f) / n, and which clusters there are, the variance between them of y
    where it is known and of f elsewhere. So that few judgements that happen to agree are not taken
    for certain, a stratum's var borrows two judgements of the whole sample, and one of each
    mistake is shared out over the strata, as in ``stratified_share``. Wilson's interval stands at
    the effective size.
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
    among = _between_clusters(np.where(is_judged, y, f), np.asarray(clusters))
    spread = sample.covariance(sample.predicted, sample.predicted)
    slope = sample.covariance(sample.said, sample.predicted) / spread if spread > 0 else 0.0
    weight = min(1.0, max(0.0, slope))

    def by(weight: float) -> Estimate:
        off = sample.said - weight * sample.predicted
        value = weight * float(f.mean()) + float(sample.means @ off[:-2])
        smooth = weight * float(f.mean()) + float(share @ sample.mean(off))
        variance = sample.covariance(off, off) + among
        return _estimate(value, smooth, variance, confidence)

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
        points=np.hstack([own + _SHARED * means, made_up]),
        of_each=share**2 * (1 - seen / sizes) / seen,
    )


def _between_clusters(values: Reals, clusters: npt.NDArray[np.int64]) -> float:
    """Return the variance of the mean of values between clusters, linearised; 0 of one cluster."""
    _, cluster = np.unique(clusters, return_inverse=True)
    off = np.bincount(cluster, values - values.mean())
    count = len(off)
    return float((off * off).sum()) / len(values) ** 2 * count / max(1, count - 1)


def _estimate(value: float, smooth: float, variance: float, confidence: float) -> Estimate:
    share, centre = (min(1.0, max(0.0, each)) for each in (value, smooth))
    size = centre * (1 - centre) / variance if variance > 0 else float("inf")
    found = estimate(share, size, confidence)
    return Estimate(share=share, low=min(share, found.low), high=max(share, found.high), size=size)
