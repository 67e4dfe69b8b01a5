"""Figures, their intervals over targets, and paired differences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.statistics.bootstrap import Interval, cluster_counts
from evaluation.scoring.figures import (
    NOTHING,
    Amount,
    Derived,
    Figure,
    Key,
    by_key,
    differences,
    figures,
    mean_of,
    named,
)

KEY = Key("metric")


def one(above: float, below: int) -> dict[Key, Amount]:
    return {KEY: Amount(above, below)}


def test_a_figure_is_a_quotient_of_sums() -> None:
    # (1 + 0 + 2) / (1 + 1 + 4): pooled, not a mean of means
    (found,) = figures([one(1, 1), one(0, 1), one(2, 4)], ["a", "b", "c"], 0)
    assert (found.value, found.n) == (0.5, 6)
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low < 0.5 < found.high <= 1


def test_the_interval_is_that_of_draws_of_targets() -> None:
    # the first two episodes are of one target and are drawn together
    (found,) = figures([one(1, 1), one(0, 1), one(1, 1)], ["b", "b", "a"], 3)
    counts = cluster_counts(2, 3).astype(float)  # a, b
    drawn = (counts[:, 0] * 1 + counts[:, 1] * 1) / (counts[:, 0] * 1 + counts[:, 1] * 2)
    expected = Interval.of(2 / 3, drawn)
    assert (found.low, found.high) == (expected.low, expected.high)


@pytest.mark.parametrize(
    ("episodes", "value", "n"),
    [
        # nothing to measure: null, neither nan nor 0
        ([NOTHING, NOTHING], None, 0),
        # measured in one of two
        ([Amount(3, 1), NOTHING], 3.0, 1),
        # without exception: a bootstrap cannot tell how sure that is
        ([Amount(1, 1), Amount(1, 1)], 1.0, 2),
        ([Amount(0, 1), Amount(0, 1)], 0.0, 2),
        # the same share in each, added up in floating point numbers
        ([Amount(0.1, 1), Amount(0.1, 1)], 0.1, 2),
    ],
)
def test_no_scatter_no_interval(episodes: list[Amount], value: float | None, n: int) -> None:
    (found,) = figures([{KEY: each} for each in episodes], ["a", "b"], 0)
    assert found == Figure(key=KEY, value=value, low=None, high=None, n=n)


def test_no_episodes_no_figures() -> None:
    assert figures([], [], 0) == []
    assert differences([], [], [], 0) == []


amounts = st.builds(
    lambda above, below: Amount(above if below else 0, below),
    st.floats(0, 40, width=16),
    st.integers(0, 3),
)


@given(st.lists(st.tuples(amounts, st.sampled_from("abcd")), min_size=1, max_size=8), st.data())
def test_the_order_of_the_episodes_changes_no_digit(
    rows: list[tuple[Amount, str]], data: st.DataObject
) -> None:
    other = data.draw(st.permutations(rows))
    first, second = (
        figures([{KEY: amount} for amount, _ in some], [target for _, target in some], 0)
        for some in (rows, other)
    )
    assert first == second


def test_no_rounding_shows_the_order() -> None:
    # numbers whose sums hang on their order, in few targets and in many
    values = [(number % 13 + 1) / (number % 7 + 3) for number in range(60)]
    for targets in (["a", "b", "c"] * 20, [f"t{number * 7 % 60:02}" for number in range(60)]):
        rows = list(zip(values, targets, strict=True))
        found = [
            figures([one(value, 1) for value, _ in some], [name for _, name in some], 0)
            for some in (rows, rows[::-1], sorted(rows))
        ]
        assert found[0] == found[1] == found[2]


def test_differences_are_paired() -> None:
    # second is always one less: paired draws show no scatter in the difference
    values = [4.0, 9.0, 2.0, 7.0]
    first = [one(value, 1) for value in values]
    second = [one(value - 1, 1) for value in values]
    (found,) = differences(first, second, list("abcd"), 0)
    assert found == Figure(key=KEY, value=1.0, low=None, high=None, n=4)


def test_a_difference_and_its_interval() -> None:
    first = [one(1, 1), one(1, 1), one(0, 1), one(1, 1)]
    second = [one(0, 1), one(1, 1), one(0, 1), one(0, 1)]
    (found,) = differences(first, second, list("abcd"), 0)
    counts = cluster_counts(4, 0).astype(float)
    drawn = counts @ np.array([1, 0, 0, 1]) / 4
    expected = Interval.of(0.5, drawn)
    assert (found.value, found.low, found.high) == (0.5, expected.low, expected.high)
    # the other way round it is the same with another sign
    (back,) = differences(second, first, list("abcd"), 0)
    assert back.value == -0.5


def test_what_one_run_cannot_measure_has_no_difference() -> None:
    (found,) = differences([one(1, 1)], [{KEY: NOTHING}], ["a"], 0)
    assert found == Figure(key=KEY, value=None, low=None, high=None, n=0)


def test_parts_of_a_division_are_those_with_anything_in_them() -> None:
    episode = {Key("turns", "size", "2-9"): Amount(3, 1), Key("turns", "size", "40+"): NOTHING}
    assert [part for part, _ in named(figures([episode], ["a"], 0), "turns", "size")] == ["2-9"]


LEFT, RIGHT, MEAN = Key("share", "side", "left"), Key("share", "side", "right"), Key("mean")


def sides(left: Amount, right: Amount) -> dict[Key, Amount]:
    return {LEFT: left, RIGHT: right}


SIDES = [
    sides(Amount(1, 1), NOTHING),
    sides(Amount(0, 1), NOTHING),
    sides(NOTHING, Amount(1, 1)),
    sides(Amount(1, 1), Amount(1, 2)),
]


def test_a_mean_of_means_is_no_pooled_one() -> None:
    *_, found = figures(SIDES, list("abcd"), 0, [mean_of(MEAN, [LEFT, RIGHT])])
    # left 2/3, right 2/3 of three and three; pooled 4/6 it would be the same, so weigh it up
    assert (found.key, found.value, found.n) == (MEAN, 2 / 3, 6)
    more = [*SIDES, *[sides(Amount(0, 1), NOTHING)] * 3]
    *_, found = figures(more, list("abcdefg"), 0, [mean_of(MEAN, [LEFT, RIGHT], min)])
    # left 2/6, right 2/3: the mean is 1/2, pooled it would be 4/9; n is that of the smaller
    assert (found.value, found.n) == (pytest.approx(1 / 2), 3)


def test_a_mean_of_means_has_the_draws_of_its_parts() -> None:
    *_, found = figures(SIDES, list("abcd"), 5, [mean_of(MEAN, [LEFT, RIGHT])])
    counts = cluster_counts(4, 5).astype(float)
    with np.errstate(invalid="ignore"):
        left = counts @ [1, 0, 0, 1] / (counts @ [1, 1, 0, 1])
        right = counts @ [0, 0, 1, 1] / (counts @ [0, 0, 1, 2])
    # draws in which one of the two cannot be measured have no mean and are left out
    assert np.isnan(right).any()
    expected = Interval.of(2 / 3, (left + right) / 2)
    assert (found.low, found.high) == (expected.low, expected.high)


def test_what_cannot_be_worked_out_is_null() -> None:
    gain = Derived(key=MEAN, of=(LEFT, RIGHT), work_out=lambda of: (of[:, 0] - of[:, 1]) / of[:, 1])
    one = [sides(Amount(1, 1), Amount(0, 1)), sides(Amount(0, 1), Amount(0, 1))]
    # nothing right without: no gain, neither infinite nor nan
    *_, found = figures(one, list("ab"), 0, [gain])
    assert found == Figure(key=MEAN, value=None, low=None, high=None, n=4)
    # a part that was never measured
    *_, found = figures([sides(Amount(1, 1), NOTHING)], ["a"], 0, [mean_of(MEAN, [LEFT, RIGHT])])
    assert found == Figure(key=MEAN, value=None, low=None, high=None, n=1)
    # a gain of (3/4 - 1/2) / (1/2)
    two = [sides(Amount(1, 1), Amount(1, 1))] * 2
    two += [sides(Amount(1, 1), Amount(0, 1)), sides(Amount(0, 1), Amount(0, 1))]
    *_, found = figures(two, list("abcd"), 0, [gain])
    assert found.value == 0.5


def test_what_is_derived_can_be_derived_from() -> None:
    twice = Derived(key=Key("twice"), of=(MEAN,), work_out=lambda of: 2 * of[:, 0])
    found = by_key(figures(SIDES, list("abcd"), 0, [mean_of(MEAN, [LEFT, RIGHT]), twice]))
    assert found[Key("twice")].value == 2 * (found[MEAN].value or 0)
    assert found[Key("twice")].high == 2 * (found[MEAN].high or 0)


def test_differences_of_means_of_means_are_paired() -> None:
    worse = [sides(left, Amount(right.above / 2, right.below)) for left, right in map(_pair, SIDES)]
    mean = [mean_of(MEAN, [LEFT, RIGHT])]
    *_, found = differences(SIDES, worse, list("abcd"), 0, (mean, mean))
    # half of the right ones, halved by the mean
    assert (found.key, found.value) == (MEAN, pytest.approx(2 / 3 / 4))
    assert found.low is not None
    # a figure that the other run does not have has no difference
    alone = differences(SIDES, worse, list("abcd"), 0, (mean, []))
    assert [each.key for each in alone] == [LEFT, RIGHT]
    of_left = [{LEFT: each[LEFT]} for each in worse]
    assert [each.key for each in differences(SIDES, of_left, list("abcd"), 0)] == [LEFT]


def _pair(amounts: dict[Key, Amount]) -> tuple[Amount, Amount]:
    return amounts[LEFT], amounts[RIGHT]


@given(st.lists(st.tuples(amounts, amounts, st.sampled_from("abcd")), min_size=1, max_size=8))
def test_the_order_changes_no_digit_of_a_mean_of_means(
    rows: list[tuple[Amount, Amount, str]],
) -> None:
    first, second = (
        figures(
            [sides(left, right) for left, right, _ in some],
            [picture for *_, picture in some],
            0,
            [mean_of(MEAN, [LEFT, RIGHT])],
        )
        for some in (rows, rows[::-1])
    )
    assert first == second
