"""A coefficient of agreement with its interval, from sums by cluster."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchwright.statistics.agreement.judgements import Reals
from benchwright.statistics.bootstrap import Interval, Resample

_SAME = 1e-12  # draws that differ by less differ by rounding alone

Statistic = Callable[[Reals], Reals]  # sums (draws, width) to values (draws,), NaN for none


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient:
    """A coefficient, null where it is not defined, and its interval.

    The interval is null where the coefficient is, and where the draws show no scatter: a single
    cluster, or agreement without exception, of which a bootstrap cannot say how sure it is.
    ``judged`` counts the items that two raters or more judged, ``left_out`` those that one
    judged alone. In ``null_draws`` of the draws the coefficient was not defined; these are not
    in the interval.
    """

    value: float | None
    low: float | None
    high: float | None
    judged: int
    left_out: int
    null_draws: int = 0


def coefficient(
    resample: Resample,
    table: Reals,
    statistic: Statistic,
    judged: int,
    left_out: int,
    confidence: float = 0.95,
) -> Coefficient:
    """Return the statistic of a table (clusters, width) of sums, with its bootstrap interval."""
    value = float(statistic(table.sum(axis=0, keepdims=True))[0])
    if np.isnan(value):
        return undefined(judged, left_out)
    drawn = statistic(resample.totals(table))
    missing = int(np.count_nonzero(np.isnan(drawn)))
    found = Interval.of(value, drawn, confidence)
    scatter = bool(np.nanmax(drawn) - np.nanmin(drawn) > _SAME) if missing < len(drawn) else False
    return Coefficient(
        value=value,
        low=found.low if scatter else None,
        high=found.high if scatter else None,
        judged=judged,
        left_out=left_out,
        null_draws=missing,
    )


def quotient(above: Reals, below: Reals) -> Reals:
    """Return above / below, NaN where below is 0."""
    found: Reals = np.divide(above, below, out=np.full(below.shape, np.nan), where=below > 0)
    return found


def undefined(judged: int, left_out: int) -> Coefficient:
    """Return a coefficient that is null."""
    return Coefficient(value=None, low=None, high=None, judged=judged, left_out=left_out)
