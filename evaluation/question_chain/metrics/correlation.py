"""How planning and following go with the final answer: Pearson's r, over samples or over models.

V-REX, section 4.3.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.question_chain.metrics.outcomes import Measure, Outcome

_FEWEST = 4  # pairs, without which the interval is nowhere


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """Pearson's r, -1 to 1, of ``n`` pairs, with its p and its 95 % interval by Fisher's z.

    All are null where one side does not vary, or there are fewer than four pairs.
    """

    r: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int


def correlation(pairs: Iterable[tuple[float, float]]) -> Correlation:
    """Return the correlation of some pairs, such as planning and final accuracy."""
    from scipy.stats import pearsonr  # noqa: PLC0415  # takes a second

    found = np.array(list(pairs), float).reshape(-1, 2)
    if len(found) < _FEWEST or not np.ptp(found, axis=0).min() > 0:
        return Correlation(r=None, low=None, high=None, p=None, n=len(found))
    result = pearsonr(found[:, 0], found[:, 1])
    interval = result.confidence_interval(0.95)
    return Correlation(
        r=float(result.statistic),
        low=float(interval.low),
        high=float(interval.high),
        p=float(result.pvalue),
        n=len(found),
    )


def over_samples(outcomes: Sequence[Outcome], measure: Measure, last: Measure) -> Correlation:
    """Return how the share of right steps goes with the last answer over the samples of a run."""
    return correlation((one.share(measure), one.share(last)) for one in outcomes)


def over_models(
    runs: Iterable[Mapping[str, float | None]], measure: Measure, last: Measure
) -> Correlation:
    """Return how the averages of runs go with their final accuracy, a pair for each run.

    Runs in which one of the two was not measured are left out.
    """
    pairs = ((run.get(measure), run.get(last)) for run in runs)
    return correlation(
        (one, other) for one, other in pairs if one is not None and other is not None
    )
