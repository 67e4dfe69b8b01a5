"""How many judgements each stratum gets: Neyman's allocation, exact in whole numbers.

Each next judgement goes where it takes most off the variance of the weighted share: to the
stratum with the largest (N_h S_h)² / (n_h (n_h + 1)). Among all allocations of as many judgements
with the same least and most in each stratum none has a smaller variance (Wright 2012, "The
equivalence of Neyman optimum allocation for sampling and equal proportions for apportioning the
U.S. House of Representatives"; Wright 2017, "Exact optimal sample allocation: more efficient than
Neyman"). With equal S_h it is an allocation in proportion to the sizes.
"""

import heapq
import math
from collections.abc import Iterator
from itertools import islice

import numpy as np

from benchwright.statistics.intervals import Reals, Stratum, size_for, stratified_share
from labeling.audits.planning.population import Longs
from labeling.audits.planning.rates import error_rates

FLOOR = 2  # judgements in each stratum, or all that it has


def allocate_pilot(sizes: Longs, total: int) -> Longs:
    """Return how many of each stratum (sizes above 0) a pilot of so many judges, by size.

    Each has at least ``FLOOR``, so that there may be more than ``total`` in all.
    """
    planned = np.minimum(sizes, FLOOR)
    rest = max(0, min(total, int(sizes.sum())) - int(planned.sum()))
    for stratum, _ in islice(_next_judgements(sizes, np.ones(len(sizes)), planned), rest):
        planned[stratum] += 1
    return planned


def allocate(
    sizes: Longs,
    classes: Longs,
    judged: Longs,
    wrong: Longs,
    least: Longs,
    half_width: float,
    confidence: float,
) -> Longs:
    """Return how many of each stratum are to be judged in all, for an interval of a half-width.

    Wrong of judged say how often labels are wrong (``error_rates``); ``classes`` are the strata's
    classes of the margin. No stratum gets fewer than ``least`` and ``FLOOR``, nor more than its
    size. Where what was judged is enough already, nothing is added to ``least``.
    """
    planned = np.minimum(sizes, np.maximum(least, FLOOR))
    reached = _half_width(sizes, judged, wrong, confidence)
    if reached <= half_width:
        return planned
    rates = error_rates(judged, wrong, classes)
    weights = sizes / sizes.sum()
    spreads = rates * (1 - rates) * sizes / np.maximum(sizes - 1, 1)  # S_h²
    mean = float((weights * rates).sum())
    wanted = mean * (1 - mean) / size_for(half_width, mean, confidence)
    variance = float((weights**2 * spreads * (1 / planned - 1 / sizes)).sum())
    if variance <= wanted and math.isfinite(reached):
        wanted = variance * (half_width / reached) ** 2  # the rates promised too much
    judgements = _next_judgements(sizes, spreads, planned)
    while variance > wanted and (found := next(judgements, None)) is not None:
        stratum, less = found
        planned[stratum] += 1
        variance -= less
    return planned


def _half_width(sizes: Longs, judged: Longs, wrong: Longs, confidence: float) -> float:
    """Return half of the interval that judgements give; infinite while a stratum has too few."""
    if not (judged >= np.minimum(sizes, FLOOR)).all():
        return math.inf
    strata = [
        Stratum(size=size, audited=seen, right=seen - bad)
        for size, seen, bad in zip(sizes.tolist(), judged.tolist(), wrong.tolist(), strict=True)
    ]
    return stratified_share(strata, confidence).width / 2


def _next_judgements(sizes: Longs, spreads: Reals, planned: Longs) -> Iterator[tuple[int, float]]:
    """Yield where the next judgement is worth most, and what it takes off the variance."""
    gains = (sizes / sizes.sum()) ** 2 * spreads
    waiting = [
        (-gain / (count * (count + 1)), stratum, count)
        for stratum, (gain, count) in enumerate(zip(gains.tolist(), planned.tolist(), strict=True))
        if count < sizes[stratum]
    ]
    heapq.heapify(waiting)
    while waiting:
        gain, stratum, count = waiting[0]
        yield stratum, -gain
        count += 1
        if count < sizes[stratum]:
            again = (-float(gains[stratum]) / (count * (count + 1)), stratum, count)
            heapq.heapreplace(waiting, again)
        else:
            heapq.heappop(waiting)
