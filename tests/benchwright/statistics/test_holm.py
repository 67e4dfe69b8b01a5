"""Holm's correction against figures by hand, and what it must hold for any p-values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.statistics.holm import holm


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.9, 0.6], [1.0, 1.0]),  # never over 1
        ([0.04], [0.04]),  # one test needs no correction
        ([], []),
    ],
)
def test_by_hand(p_values: list[float], adjusted: list[float]) -> None:
    assert holm(p_values) == pytest.approx(adjusted)


@given(st.lists(st.floats(0, 1), max_size=30))
def test_adjusted_ones_are_no_smaller_and_keep_the_order(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(p <= new <= 1 for p, new in zip(p_values, adjusted, strict=True))
    pairs = sorted(zip(p_values, adjusted, strict=True))
    assert [new for _, new in pairs] == sorted(new for _, new in pairs)
