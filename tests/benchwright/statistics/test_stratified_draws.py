"""Draws of so many units of each stratum."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.statistics.stratified_draws import stratified_counts


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=12),
    st.integers(1, 4),
    st.booleans(),
    st.integers(0, 5),
)
def test_each_draw_has_so_many_of_each_stratum(
    strata: list[int], size: int, is_put_back: bool, seed: int
) -> None:
    smallest = min(strata.count(name) for name in strata)
    if not is_put_back and size > smallest:
        with pytest.raises(ValueError, match=f"have no {size} to draw"):
            stratified_counts(strata, size, seed, is_put_back=False)
        return
    found = stratified_counts(strata, size, seed, is_put_back=is_put_back, draws=7)
    assert found.shape == (7, len(strata))
    for name in set(strata):
        assert (found[:, np.array(strata) == name].sum(axis=1) == size).all()
    if not is_put_back:
        assert found.max() <= 1
    again = stratified_counts(strata, size, seed, is_put_back=is_put_back, draws=7)
    assert (found == again).all()


@pytest.mark.parametrize("is_put_back", [True, False])
def test_units_are_drawn_alike(is_put_back: bool) -> None:
    strata = [1, 0, 0, 1, 0, 0]
    found = stratified_counts(strata, 1, 0, is_put_back=is_put_back, draws=4_000)
    # a half of each of two, a quarter of each of four
    assert found.mean(axis=0) == pytest.approx([0.5, 0.25, 0.25, 0.5, 0.25, 0.25], abs=0.03)
    other = stratified_counts(strata, 1, 1, is_put_back=is_put_back, draws=4_000)
    assert (found != other).any()
    # what is drawn of one stratum says nothing of what is drawn of another
    together = (found[:, 0] & found[:, 1]).mean()
    assert together == pytest.approx(0.5 * 0.25, abs=0.03)


def test_a_larger_draw_holds_a_smaller_one() -> None:
    few, more = (
        stratified_counts([0] * 9, size, 0, is_put_back=False, draws=50) for size in (3, 5)
    )
    assert (few <= more).all()


@pytest.mark.parametrize("size", [0, 256])
def test_sizes_that_cannot_be(size: int) -> None:
    with pytest.raises(ValueError, match="to draw"):
        stratified_counts([0] * 300, size, 0, is_put_back=True)
