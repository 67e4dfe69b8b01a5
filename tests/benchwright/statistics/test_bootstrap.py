"""The bootstrap over clusters: draws, intervals, sums of a draw."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.statistics.bootstrap import Interval, Resample, cluster_counts


def test_each_draw_has_as_many_clusters_as_there_are() -> None:
    counts = cluster_counts(50, seed=0, draws=400)
    assert (counts.sum(axis=1) == 50).all()
    # each cluster once on average, and with the variance of a binomial: 1 - 1/50
    assert counts.mean(axis=0) == pytest.approx(1, abs=0.25)
    assert counts.var() == pytest.approx(0.98, abs=0.05)


def test_draws_hang_on_the_seed_alone() -> None:
    first = cluster_counts(7, seed=0, draws=3)
    # frozen: no version of a library may change them
    assert first.tolist() == FROZEN
    assert (cluster_counts(7, seed=0, draws=2) == first[:2]).all()
    assert (cluster_counts(7, seed=1, draws=3) != first).any()


def test_draws_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        cluster_counts(3, seed=0, draws=2)[0, 0] = 9


@pytest.mark.parametrize(
    ("mean", "draws", "low", "high"),
    [
        # the 50th and the 1,950th of 2,000
        (1000, np.arange(1, 2001), 50, 1950),
        # the 1st and the 39th of 40
        (20, np.arange(1, 41), 1, 39),
        # what could not be measured is left out
        (20, np.r_[np.arange(1, 41), np.nan], 1, 39),
        (0.25, np.array([0.25]), 0.25, 0.25),
        # a statistic that no draw exceeds, and one that none falls below
        (41, np.arange(1, 41), 1, 41),
        (0, np.arange(1, 41), 0, 39),
    ],
)
def test_bounds_are_draws_and_hold_the_statistic(
    mean: float, draws: np.ndarray, low: float, high: float
) -> None:
    shuffled = np.random.default_rng(0).permutation(draws.astype(float))
    assert Interval.of(mean, shuffled) == Interval(mean=mean, low=low, high=high)


def test_without_any_draw_there_are_no_bounds() -> None:
    assert np.isnan(Interval.of(0.3, np.array([np.nan])).low)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(-3, 3), st.integers(0, 2)), min_size=1))
def test_sums_of_a_draw_are_those_of_its_clusters_repeated(
    rows: list[tuple[int, int, int]],
) -> None:
    clusters, figures, columns = (np.array(column) for column in zip(*rows, strict=True))
    resample = Resample(clusters, seed=5, draws=3)
    totals = resample.totals(resample.by_cluster(figures, columns, 3))
    met = sorted(set(clusters.tolist()))
    for counts, found in zip(cluster_counts(len(met), 5, 3), totals, strict=True):
        times = dict(zip(met, counts.tolist(), strict=True))
        for column in range(3):
            inside = [times[c] * figure for c, figure, own in rows if own == column]
            assert found[column] == sum(inside)


FROZEN = [[2, 1, 0, 1, 0, 2, 1], [1, 0, 0, 1, 1, 3, 1], [1, 2, 1, 0, 1, 1, 1]]
