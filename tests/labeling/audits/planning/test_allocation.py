"""Allocations against an exhaustive search and worked examples."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.statistics.intervals import Stratum, stratified_share
from labeling.audits.planning.allocation import allocate, allocate_pilot
from labeling.audits.planning.rates import error_rates


def ints(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


@pytest.mark.parametrize(
    ("sizes", "total", "planned"),
    [
        ((100, 100), 20, (10, 10)),
        ((300, 100), 40, (30, 10)),  # by size
        ((10_000, 5), 50, (48, 2)),  # the floor
        ((1, 1, 1000), 20, (1, 1, 18)),  # no more than there are
        ((1000,) * 30, 20, (2,) * 30),  # too few for the floor: it holds
        ((4, 3), 100, (4, 3)),  # everything
    ],
)
def test_a_pilot_is_in_proportion(
    sizes: tuple[int, ...], total: int, planned: tuple[int, ...]
) -> None:
    assert tuple(allocate_pilot(ints(*sizes), total)) == planned


@given(
    sizes=st.lists(st.integers(1, 9), min_size=1, max_size=3),
    wrong=st.lists(st.integers(0, 2), min_size=3, max_size=3),
    half_width=st.floats(0.03, 0.45),
)
def test_no_other_allocation_of_as_many_has_a_smaller_variance(
    sizes: list[int], wrong: list[int], half_width: float
) -> None:
    whole, classes = ints(*sizes), np.arange(len(sizes)) % 3
    judged = np.minimum(whole, 2)
    bad = np.minimum(judged, wrong[: len(sizes)])
    planned = allocate(whole, classes, judged, bad, judged, half_width, 0.95)
    assert (judged <= planned).all()
    assert (planned <= whole).all()
    rates = error_rates(judged, bad, classes)
    spreads = rates * (1 - rates) * whole / np.maximum(whole - 1, 1)

    def variance(of: np.ndarray) -> float:
        return float(((whole / whole.sum()) ** 2 * spreads * (1 / of - 1 / whole)).sum())

    ranges = (range(low, high + 1) for low, high in zip(judged, whole, strict=True))
    others = (np.array(each) for each in product(*ranges) if sum(each) == planned.sum())
    assert variance(planned) <= min(map(variance, others)) + 1e-12


def test_one_stratum_takes_what_the_textbook_says() -> None:
    # Cochran 1977, section 4.4: n0 = z² p q / d² = 456 at .95 ± .02, and 456 / (1 + 456 / 2000)
    # of 2,000; Wilson's interval asks for a little less
    seen, wrong = ints(200), ints(10)
    planned = allocate(ints(2000), ints(0), seen, wrong, seen, 0.02, 0.95)
    assert planned[0] == pytest.approx(456 / (1 + 456 / 2000), rel=0.05)


def test_more_goes_where_errors_are() -> None:
    sizes, classes = ints(1000, 1000), ints(0, 1)
    judged, wrong = ints(60, 60), ints(15, 0)
    planned = allocate(sizes, classes, judged, wrong, judged, 0.02, 0.95)
    assert planned[0] > 1.8 * planned[1]
    assert planned[1] > 60  # none seen is not none there


def test_nothing_is_added_to_what_is_enough() -> None:
    sizes, judged, wrong = ints(5000, 5000), ints(500, 500), ints(5, 5)
    found = allocate(sizes, ints(0, 1), judged, wrong, judged, 0.02, 0.95)
    assert tuple(found) == (500, 500)


def test_everything_is_judged_where_nothing_less_will_do() -> None:
    sizes, judged, wrong = ints(50, 20), ints(10, 5), ints(5, 2)
    assert tuple(allocate(sizes, ints(0, 0), judged, wrong, judged, 0.001, 0.95)) == (50, 20)


@given(
    rows=st.lists(
        st.tuples(st.integers(1, 5000), st.integers(2, 60), st.floats(0, 1)),
        min_size=1,
        max_size=8,
    )
)
def test_more_is_planned_until_the_interval_is_narrow(
    rows: list[tuple[int, int, float]],
) -> None:
    # a plan that adds nothing although the interval is too wide would end an audit too early
    sizes = np.array([size for size, _, _ in rows])
    judged = np.minimum(sizes, [seen for _, seen, _ in rows])
    wrong = np.floor(judged * np.array([rate for _, _, rate in rows])).astype(np.int64)
    classes = np.arange(len(rows)) % 3
    planned = allocate(sizes, classes, judged, wrong, judged, 0.02, 0.95)
    if (planned == judged).all():
        strata = [
            Stratum(size=int(size), audited=int(seen), right=int(seen - bad))
            for size, seen, bad in zip(sizes, judged, wrong, strict=True)
        ]
        assert stratified_share(strata).width / 2 <= 0.02
