"""Balanced accuracies of bootstrap draws, and how often their interval is right."""

from statistics import NormalDist
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.statistics.bootstrap import Interval, cluster_counts
from labeling.attributes.measuring.bootstrap import Resampled, mean_over


@given(st.data())
@settings(max_examples=40)
def test_the_same_as_rows_repeated(tables: SimpleNamespace, data: st.DataObject) -> None:
    rows, answers = data.draw(tables.any)
    cells = tables.cells(rows, tables.values)
    drawn = Resampled(cells, seed=3, draws=4).balanced(np.array(answers, np.int8))
    pictures = sorted({row[0] for row in rows})
    for counts, found in zip(cluster_counts(len(pictures), 3, 4), drawn, strict=True):
        times = dict(zip(pictures, counts.tolist(), strict=True))
        repeated = [
            (row, said)
            for row, said in zip(rows, answers, strict=True)
            for _ in range(times[row[0]])
        ]
        expected = tables.by_loops(
            [row for row, _ in repeated], [said for _, said in repeated], tables.values
        )
        assert found == pytest.approx(expected, nan_ok=True)


def test_a_mean_leaves_out_what_is_not_measured() -> None:
    nan = float("nan")
    shares = np.array([[0.5, nan, 0.9], [1.0, 0.2, 0.4], [nan, 0.1, nan]])
    chosen = np.array([True, False, True])
    assert mean_over(shares, chosen) == pytest.approx([0.7, 0.7, nan], nan_ok=True)
    assert np.isnan(mean_over(shares[0], np.zeros(3, bool)))


def test_the_interval_holds_the_truth_about_as_often_as_it_says(tables: SimpleNamespace) -> None:
    """300 samples of 80 pictures and 6 values; a picture is easy or hard for all its values."""
    random = np.random.default_rng(1)
    runs, pictures, values, sensitivity, specificity = 300, 80, 6, 0.8, 0.9
    inside, widths, naive = 0, [], []
    for _ in range(runs):
        truth = np.where(random.random((pictures, values)) < 0.4, 1, -1)
        hard = random.choice([-0.1, 0.1], (pictures, 1))
        right = random.random(truth.shape) < np.where(truth > 0, sensitivity, specificity) + hard
        cells = tables.cells(
            [(at, column, truth[at, column], 1.0) for at, column in np.ndindex(truth.shape)],
            values,
        )
        answers = np.where(right, truth, -truth).reshape(-1).astype(np.int8)
        all_values = np.ones(values, bool)
        found = Interval.of(
            float(mean_over(cells.balanced(answers), all_values)),
            mean_over(Resampled(cells, 0, draws=400).balanced(answers), all_values),
        )
        inside += found.low <= (sensitivity + specificity) / 2 <= found.high
        widths.append(found.high - found.low)
        naive.append(found.mean)
    # 95 %, less two points that the percentile interval is known to lose at 80 clusters; four
    # standard deviations of 300 tosses on either side
    spread = 4 * (0.95 * 0.05 / runs) ** 0.5
    assert 0.93 - spread <= inside / runs <= 0.95 + spread
    # and it is as wide as the means scatter
    expected = 2 * NormalDist().inv_cdf(0.975) * float(np.std(naive))
    assert float(np.mean(widths)) == pytest.approx(expected, rel=0.15)
