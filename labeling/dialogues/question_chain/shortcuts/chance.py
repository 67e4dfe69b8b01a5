"""How far a number of hits is from chance, where each trial has a chance of its own."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.stats import binom

from benchwright.statistics.intervals import estimate

LEVEL = 0.05
_ROUNDING = 1e-12

Verdict = Literal["more than chance", "less than chance", "as chance", "too few to tell"]
Reals = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """Hits of ``n`` trials against chance, both as shares from 0 to 1.

    ``low`` and ``high`` are Wilson's interval of the share at 95 %; ``p`` is exact.
    """

    n: int
    hits: int
    share: float | None
    chance: float | None
    low: float
    high: float
    p: float
    verdict: Verdict


def against(hits: int, chances: Sequence[float], *, is_one_sided: bool = False) -> Against:
    """Return how hits stand to trials with these chances (each above 0 and under 1).

    The null is that the trials are independent and each hits at its own chance; the number of
    hits is then Poisson-binomial, and its distribution is worked out without approximation. ``p``
    is that of at least so many hits; two-sided it is twice the smaller tail, at most 1. The verdict
    is at 95 %, ``too few to tell`` where no outcome could have come under that.
    """
    spread = _distribution(chances)
    more, fewer = _tails(spread)
    p_values = more if is_one_sided else np.minimum(1.0, 2 * np.minimum(more, fewer))
    p, n = float(min(1.0, p_values[hits])), len(chances)
    found = estimate(hits / n if n else 0.0, n)
    mean = float(np.mean(chances)) if n else None
    return Against(
        n=n,
        hits=hits,
        share=found.share if n else None,
        chance=mean,
        low=found.low,
        high=found.high,
        p=p,
        verdict=_verdict(p, float(p_values.min()), is_more=n > 0 and hits > n * (mean or 0.0)),
    )


def _verdict(p: float, least: float, *, is_more: bool) -> Verdict:
    if least >= LEVEL:
        return "too few to tell"
    if p >= LEVEL:
        return "as chance"
    return "more than chance" if is_more else "less than chance"


def _distribution(chances: Sequence[float]) -> Reals:
    """Return the probability of each number of hits, 0 to all."""
    spread: Reals = np.ones(1)
    for chance, times in sorted(Counter(chances).items()):
        spread = np.convolve(spread, binom.pmf(np.arange(times + 1), times, chance))
    return spread


def _tails(spread: Reals) -> tuple[Reals, Reals]:
    """Return the probability of at least, and of at most, each number of hits."""
    more = np.cumsum(spread[::-1])[::-1] + _ROUNDING
    return np.minimum(more, 1.0), np.minimum(np.cumsum(spread) + _ROUNDING, 1.0)
