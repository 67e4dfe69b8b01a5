"""Figures with their intervals: quotients of sums over items, and what is derived of them.

Items are drawn by picture. All figures of a run, and those of two runs that are compared, come
from the same draws.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import NamedTuple

import numpy as np

from benchwright.statistics.agreement.coefficient import quotient
from benchwright.statistics.bootstrap import Interval, Reals, Resample

_GRAIN = 2.0**30
_ROUNDING = 1e-8  # more than the grain can do to a figure, less than one item of many


class Key(NamedTuple):
    """Which figure: a metric over the part ``of`` of a division ``by``."""

    metric: str
    by: str = "all"
    of: str = "all"


class Amount(NamedTuple):
    """What one item adds above and below the line; ``below`` is a whole number."""

    above: float
    below: int


def one_if(is_so: bool) -> Amount:
    """Return what an item adds to the share of those of which something is so."""
    return Amount(int(is_so), 1)


NOTHING = Amount(0, 0)
Amounts = Mapping[Key, Amount]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure, null where there was nothing to measure, with its 95 % interval.

    The interval is also null where the draws show no scatter: a single picture, or a figure without
    exception, of which a bootstrap cannot say how sure it is. ``n`` is the sum below the line.
    """

    key: Key
    value: float | None
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """A figure made of others, such as the mean of two detectors, from the same draws as they.

    ``of`` are figures of the items, or derived ones that come before. ``work_out`` makes of their
    values (draws, figures), NaN where one could not be measured, the values (draws,), NaN or an
    infinity for none. ``count`` makes of their ``n`` that of the figure.
    """

    key: Key
    of: tuple[Key, ...]
    work_out: Callable[[Reals], Reals]
    count: Callable[[Iterable[int]], int] = sum


def mean_of(key: Key, of: Iterable[Key], count: Callable[[Iterable[int]], int] = sum) -> Derived:
    """Return the unweighted mean of figures; null where one of them is, so name those that exist.

    ``count`` is ``sum`` for parts of a whole, such as categories, ``min`` for measures of the same
    items, such as two detectors.
    """
    return Derived(key=key, of=tuple(of), work_out=_mean, count=count)


def figures(
    items: Sequence[Amounts],
    pictures: Sequence[str],
    seed: int,
    derived: Sequence[Derived] = (),
) -> list[Figure]:
    """Return the figures of a run, one for each key of its first item, then the derived ones.

    ``pictures`` are those that the items are of, or look for: items of one picture are drawn
    together. Neither the order of the items nor the number of threads changes a bit. Without
    items there are no figures.
    """
    if not items:
        return []
    return _found(items, _resample(pictures, seed), derived).figures()


def differences(
    first: Sequence[Amounts],
    second: Sequence[Amounts],
    pictures: Sequence[str],
    seed: int,
    derived: tuple[Sequence[Derived], Sequence[Derived]] = ((), ()),
) -> list[Figure]:
    """Return first minus second of each figure that both runs have; the draws are paired.

    Both list the same items in the same order, of these ``pictures``; ``derived`` are the figures
    that each of them derives. ``n`` is the smaller one.
    """
    if not first:
        return []
    resample = _resample(pictures, seed)
    one, other = (
        _found(items, resample, made) for items, made in zip((first, second), derived, strict=True)
    )
    return [
        _figure(
            key,
            _minus(one.values[key], other.values[key]),
            one.drawn[key] - other.drawn[key],
            min(one.n[key], other.n[key]),
        )
        for key in one.values
        if key in other.values
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """Figures by their keys: of the items themselves, in each draw, and what they are over."""

    values: dict[Key, float | None]
    drawn: dict[Key, Reals]
    n: dict[Key, int]

    def add(self, one: Derived) -> None:
        values = np.array([[_or_nan(self.values[key]) for key in one.of]])
        drawn = np.stack([self.drawn[key] for key in one.of], axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            value, self.drawn[one.key] = (
                _finite(one.work_out(values)),
                _finite(one.work_out(drawn)),
            )
        self.values[one.key] = None if np.isnan(value[0]) else float(value[0])
        self.n[one.key] = one.count(self.n[key] for key in one.of)

    def figures(self) -> list[Figure]:
        return [
            _figure(key, value, self.drawn[key], self.n[key]) for key, value in self.values.items()
        ]


def _found(items: Sequence[Amounts], resample: Resample, derived: Iterable[Derived]) -> _Found:
    keys = list(items[0])
    drawn = _drawn(items, keys, resample)
    found = _Found(
        values={key: _value(items, key) for key in keys},
        drawn={key: drawn[:, at] for at, key in enumerate(keys)},
        n={key: _n(items, key) for key in keys},
    )
    for one in derived:
        found.add(one)
    return found


def _resample(pictures: Sequence[str], seed: int) -> Resample:
    number_of = {name: number for number, name in enumerate(sorted(set(pictures)))}
    return Resample([number_of[name] for name in pictures], seed)


def _drawn(items: Sequence[Amounts], keys: Sequence[Key], resample: Resample) -> Reals:
    """Return each figure in each draw, (draws, keys); NaN where it cannot be measured.

    Numbers are rounded to a grain at which their sums are exact, whatever the order in which some
    linear algebra adds them up.
    """
    above = np.array([[amounts[key].above for key in keys] for amounts in items], float)
    below = np.array([[amounts[key].below for key in keys] for amounts in items], float)
    columns = np.hstack([np.round(above * _GRAIN) / _GRAIN, below]).T
    sums = resample.totals(np.hstack([resample.by_cluster(column) for column in columns]))
    return quotient(sums[:, : len(keys)], sums[:, len(keys) :])


def _value(items: Sequence[Amounts], key: Key) -> float | None:
    n = _n(items, key)
    return fsum(amounts[key].above for amounts in items) / n if n else None


def _n(items: Sequence[Amounts], key: Key) -> int:
    return sum(amounts[key].below for amounts in items)


def _mean(values: Reals) -> Reals:
    """Return the mean over the last axis, added up in one order."""
    found: Reals = sum(values.T, np.zeros(len(values))) / values.shape[1]
    return found


def _finite(values: Reals) -> Reals:
    found: Reals = np.where(np.isfinite(values), values, np.nan)
    return found


def _or_nan(value: float | None) -> float:
    return float("nan") if value is None else value


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
