"""Intervals for shares: Wilson's, also at the effective size of a sample that is not a simple one.

The effective size is that of the simple random sample that would tell as much: a weighted,
clustered or stratified sample of 300 may be worth 200.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

Reals = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A share (0 to 1) with its interval and the effective size of its sample.

    Without any sample the share is NaN and the interval 0 to 1.
    """

    share: float
    low: float
    high: float
    size: float

    @property
    def width(self) -> float:
        """How wide the interval is, 0 to 1."""
        return self.high - self.low


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """A part of a population: how many it has, how many were audited, how many of them right."""

    size: int
    audited: int
    right: int


def wilson(
    share: npt.ArrayLike, size: npt.ArrayLike, confidence: float = 0.95
) -> tuple[Reals, Reals]:
    """Return Wilson's score interval of shares (0 to 1) in samples of a size, 0 or more.

    The size may be an effective one, with a fraction or infinite. Size 0 gives 0 to 1.
    """
    p, n = np.broadcast_arrays(np.asarray(share, float), np.asarray(size, float))
    z2 = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    known = n > 0
    over = np.divide(z2, n, out=np.zeros_like(p), where=known)
    centre = (p + over / 2) / (1 + over)
    half = np.sqrt(np.maximum(0, p * (1 - p) * over + over * over / 4)) / (1 + over)
    low = np.where(known, np.clip(centre - half, 0, 1), 0.0)
    high = np.where(known, np.clip(centre + half, 0, 1), 1.0)
    # at the ends the exact bound is the end itself, whatever rounding says
    return np.where(p == 0, 0.0, low), np.where(p == 1, 1.0, high)


def size_for(half_width: float, share: float, confidence: float = 0.95) -> float:
    """Return the effective size at which half of Wilson's interval is this wide, above 0.

    ``half_width`` is above 0 and under 0.5, ``share`` 0 to 1.
    """
    z2 = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    h2, spread = half_width**2, share * (1 - share)
    # half = z sqrt(spread / n + z² / 4n²) / (1 + z² / n), a quadratic in z² / n
    middle = spread - 2 * h2
    over = (math.sqrt(middle**2 + (1 - 4 * h2) * h2) - middle) / (0.5 - 2 * h2)
    return z2 / over


def estimate(share: float, size: float, confidence: float = 0.95) -> Estimate:
    """Return a share with Wilson's interval at a size; size 0 gives NaN, 0 to 1."""
    low, high = wilson(share, size, confidence)
    return Estimate(
        share=float(share) if size > 0 else float("nan"),
        low=float(low),
        high=float(high),
        size=float(size),
    )


def effective_size(total: npt.ArrayLike, squares: npt.ArrayLike) -> Reals:
    """Return Kish's effective size (Σw)² / Σw², elementwise from Σw and Σw²; 0 where both are 0."""
    sums, below = np.broadcast_arrays(np.asarray(total, float), np.asarray(squares, float))
    size: Reals = np.divide(sums**2, below, out=np.zeros_like(sums), where=below > 0)
    return size


def weighted_share(
    right: npt.ArrayLike,
    weights: npt.ArrayLike,
    clusters: npt.ArrayLike | None = None,
    confidence: float = 0.95,
) -> Estimate:
    """Return the weighted share of what is right, with its interval at the effective size.

    ``weights`` are inverse inclusion probabilities (above 0). Without clusters the effective size
    is (Σw)² / Σw² (Kish). With clusters, such as pictures, observations of one cluster may be
    right or wrong together: the size is p (1 − p) over the variance of the share between
    clusters (linearised), but at most (Σw)² / Σw². Where all are right or all wrong nothing shows
    how much goes together, and each cluster counts as one observation.
    """
    x, w = np.asarray(right, float), np.asarray(weights, float)
    total = float(w.sum())
    if not len(x) or not total > 0:
        return estimate(0.0, 0.0, confidence)
    p = float((w * x).sum() / total)
    size = float(effective_size(total, (w * w).sum()))
    if clusters is not None:
        _, cluster = np.unique(np.asarray(clusters), return_inverse=True)
        among = np.bincount(cluster, w)
        off = np.bincount(cluster, w * (x - p))
        count = len(among)
        variance = float((off * off).sum()) / total**2 * count / max(1, count - 1)
        if variance > 0 and count > 1:
            size = min(size, p * (1 - p) / variance)
        else:
            size = min(size, float(effective_size(total, (among * among).sum())))
    return estimate(p, size, confidence)


def stratified_share(strata: Sequence[Stratum], confidence: float = 0.95) -> Estimate:
    """Return the share that is right in a population, from a stratified audit (definition 25).

    The share is the mean over strata weighted by their sizes. Its variance sums
    (N_h / N)² (1 − n_h / N_h) p_h (1 − p_h) / n_h, where p_h has two more judgements at the rate
    of the whole audit, and one right and one wrong shared out over the strata by their sizes: a
    large stratum of which few were audited and all right is not taken for certain, and many small
    ones do not add up to a doubt that nothing bears out. Wilson's interval stands at the effective
    size, p (1 − p) / variance with the same p_h; docs/design/audit-plan.md has how often it holds
    the truth. An audit of everything gives a point. Raises ValueError for a stratum that has
    members and none audited, and for numbers that cannot be.
    """
    for each in strata:
        if not 0 <= each.right <= each.audited <= each.size or (each.size and not each.audited):
            raise ValueError(f"no audit has these numbers, or it says nothing of a part: {each}")
    rows = [(each.size, each.audited, each.right) for each in strata if each.size]
    if not rows:
        return estimate(0.0, 0.0, confidence)
    part, audited, right = np.array(rows, float).T
    share = part / part.sum()
    whole = (right.sum() + 0.5) / (audited.sum() + 1)
    smooth = (right + 2 * whole + share) / (audited + 2 + 2 * share)
    variance = float((share**2 * (1 - audited / part) * smooth * (1 - smooth) / audited).sum())
    mean = float((share * smooth).sum())
    size = mean * (1 - mean) / variance if variance > 0 else float("inf")
    # rounding could put the share of an audit that found all right a hair beside 1
    found = 1.0 if (right == audited).all() else float((share * right / audited).sum())
    return estimate(found, size, confidence)
