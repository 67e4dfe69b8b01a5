"""Figures with their intervals: quotients of sums over episodes, drawn by target.

All figures of a run, and those of two runs that are compared, come from the same draws.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import NamedTuple

import numpy as np

from benchwright.agreement.coefficient import quotient
from benchwright.bootstrap import Interval, Reals, Resample

_GRAIN = 2.0**30
_ROUNDING = 1e-8  # more than the grain can do to a figure, less than one episode of many


class Key(NamedTuple):
    """Which figure: a metric over the part ``of`` of a division ``by``."""

    metric: str
    by: str = "all"
    of: str = "all"


class Amount(NamedTuple):
    """What one episode adds above and below the line; ``below`` is a whole number."""

    above: float
    below: int


NOTHING = Amount(0, 0)
Amounts = Mapping[Key, Amount]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure, null where there was nothing to measure, with its 95 % interval.

    The interval is also null where the draws show no scatter: a single target, or a figure without
    exception, of which a bootstrap cannot say how sure it is. ``n`` is the sum below the line.
    """

    key: Key
    value: float | None
    low: float | None
    high: float | None
    n: int


def figures(episodes: Sequence[Amounts], targets: Sequence[str], seed: int) -> list[Figure]:
    """Return the figures of a run, one for each key of its first episode, in that order.

    ``targets`` are the pictures that the episodes look for: episodes of one target are drawn
    together. Neither the order of the episodes nor the number of threads changes a bit. Without
    episodes there are no figures.
    """
    if not episodes:
        return []
    drawn = _drawn(episodes, _resample(targets, seed))
    return [
        _figure(key, _value(episodes, key), drawn[:, at], _n(episodes, key))
        for at, key in enumerate(episodes[0])
    ]


def differences(
    first: Sequence[Amounts], second: Sequence[Amounts], targets: Sequence[str], seed: int
) -> list[Figure]:
    """Return first minus second of each figure that both runs have; the draws are paired.

    Both list the same episodes in the same order, of these ``targets``. ``n`` is the smaller one.
    """
    if not first:
        return []
    resample = _resample(targets, seed)
    drawn = _drawn(first, resample) - _drawn(second, resample)
    return [
        _figure(
            key,
            _minus(_value(first, key), _value(second, key)),
            drawn[:, at],
            min(_n(first, key), _n(second, key)),
        )
        for at, key in enumerate(first[0])
    ]


def _resample(targets: Sequence[str], seed: int) -> Resample:
    number_of = {name: number for number, name in enumerate(sorted(set(targets)))}
    return Resample([number_of[name] for name in targets], seed)


def _drawn(episodes: Sequence[Amounts], resample: Resample) -> Reals:
    """Return each figure in each draw, (draws, keys); NaN where it cannot be measured.

    Numbers are rounded to a grain at which their sums are exact, whatever the order in which some
    linear algebra adds them up.
    """
    keys = list(episodes[0])
    above = np.array([[amounts[key].above for key in keys] for amounts in episodes], float)
    below = np.array([[amounts[key].below for key in keys] for amounts in episodes], float)
    columns = np.hstack([np.round(above * _GRAIN) / _GRAIN, below]).T
    sums = resample.totals(np.hstack([resample.by_cluster(column) for column in columns]))
    return quotient(sums[:, : len(keys)], sums[:, len(keys) :])


def _value(episodes: Sequence[Amounts], key: Key) -> float | None:
    n = _n(episodes, key)
    return fsum(amounts[key].above for amounts in episodes) / n if n else None


def _n(episodes: Sequence[Amounts], key: Key) -> int:
    return sum(amounts[key].below for amounts in episodes)


def _minus(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def _figure(key: Key, value: float | None, drawn: Reals, n: int) -> Figure:
    measured = drawn[~np.isnan(drawn)]
    if value is None or not len(measured) or np.ptp(measured) <= _ROUNDING:
        return Figure(key=key, value=value, low=None, high=None, n=n)
    found = Interval.of(value, measured)
    return Figure(key=key, value=value, low=found.low, high=found.high, n=n)


def by_key(found: Sequence[Figure]) -> Mapping[Key, Figure]:
    """Return figures by their keys."""
    return {figure.key: figure for figure in found}


def named(found: Sequence[Figure], metric: str, by: str) -> Iterator[tuple[str, Figure]]:
    """Yield the parts of a division with their figures of a metric, where there are any."""
    for figure in found:
        if (figure.key.metric, figure.key.by) == (metric, by) and figure.n:
            yield figure.key.of, figure
