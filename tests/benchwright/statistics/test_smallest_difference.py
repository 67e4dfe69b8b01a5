"""The smallest difference: against the formulas, and by playing two models against each other."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.statistics.smallest_difference import (
    independent_size,
    smallest_paired,
    smallest_unpaired,
)

Z1, Z2 = NormalDist().inv_cdf(0.975), NormalDist().inv_cdf(0.8)


@given(st.floats(20, 1e6), st.floats(0.3, 1))
def test_it_solves_the_published_formulas(size: float, discordant: float) -> None:
    d = smallest_paired(size, discordant)
    if d is not None:
        wanted = (Z1 * math.sqrt(discordant) + Z2 * math.sqrt(discordant - d * d)) ** 2 / d**2
        assert wanted == pytest.approx(size)
    d = smallest_unpaired(size)
    assert d is not None
    one, other = 0.5 + d / 2, 0.5 - d / 2
    spread = Z1 * math.sqrt(0.5) + Z2 * math.sqrt(one * (1 - one) + other * (1 - other))
    assert spread**2 / d**2 == pytest.approx(size)


@pytest.mark.parametrize(
    ("size", "discordant", "expected"),
    [
        # the formula in numbers: 783 pairs show 0.1 where each of them is discordant
        (783, 1.0, 0.1),
        # of 40 pairs, 2 of which are discordant, nothing can be shown
        (40, 0.05, None),
        # nor of none
        (0, 0.5, None),
    ],
)
def test_paired_by_number(size: int, discordant: float, expected: float | None) -> None:
    found = smallest_paired(size, discordant)
    assert found == (expected if expected is None else pytest.approx(expected, abs=5e-4))


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        # two shares of 0.45 and 0.55 are told apart by 388 or 389 items each (Fleiss's table)
        (389, 0.1),
        # one item can show nothing
        (1, None),
        (0, None),
    ],
)
def test_unpaired_by_number(size: int, expected: float | None) -> None:
    found = smallest_unpaired(size)
    assert found == (expected if expected is None else pytest.approx(expected, abs=2e-3))


@pytest.mark.parametrize(("size", "discordant"), [(200, 0.5), (472, 0.3), (2000, 0.2)])
def test_of_so_many_pairs_the_test_shows_it_four_times_in_five(
    size: int, discordant: float
) -> None:
    chance = np.random.default_rng(7)
    difference = smallest_paired(size, discordant)
    assert difference is not None
    for true, expected in ((difference, 0.8), (0.0, 0.05)):
        better, worse = (discordant + true) / 2, (discordant - true) / 2
        drawn = chance.multinomial(size, (better, worse, 1 - discordant), 20_000)
        one, other = drawn[:, 0], drawn[:, 1]
        shown = np.abs(one - other) > Z1 * np.sqrt(one + other)
        assert shown.mean() == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("size", [100, 472, 3000])
def test_of_so_many_items_each_the_test_shows_it_four_times_in_five(size: int) -> None:
    chance = np.random.default_rng(7)
    difference = smallest_unpaired(size)
    assert difference is not None
    for true, expected in ((difference, 0.8), (0.0, 0.05)):
        one = chance.binomial(size, 0.5 + true / 2, 20_000) / size
        other = chance.binomial(size, 0.5 - true / 2, 20_000) / size
        mean = (one + other) / 2
        shown = np.abs(one - other) > Z1 * np.sqrt(2 * mean * (1 - mean) / size)
        assert shown.mean() == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize(
    ("clusters", "expected"),
    [
        ("abcd", 4.0),  # each by itself
        ("aabb", 2.0),  # as many as there are clusters
        ("aaab", 16 / 10),  # fewer, where one has most of them
        ("", 0.0),
    ],
)
def test_what_goes_together_counts_once(clusters: str, expected: float) -> None:
    assert independent_size(clusters) == pytest.approx(expected)
