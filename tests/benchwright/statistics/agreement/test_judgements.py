"""Judgements as arrays: what is counted, what is refused."""

import numpy as np
import pytest

from benchwright.statistics.agreement.judgements import Judgements


def test_counts_what_was_said() -> None:
    found = Judgements.of([(0, 1, 1), (-1, 2, -1), (-1, -1, -1), (2, -1, 2)], 3)
    assert found.counts.tolist() == [[1, 2, 0], [0, 0, 1], [0, 0, 0], [0, 0, 2]]
    assert found.times.tolist() == [3, 1, 0, 2]
    # what nobody judged is in neither number
    assert (found.judged, found.left_out) == (2, 1)
    assert found.by_several().codes.tolist() == [[0, 1, 1], [2, -1, 2]]
    assert found.by_any().clusters.tolist() == [0, 1, 3]


def test_takes_raters_in_the_order_asked() -> None:
    found = Judgements.of([(0, 1, 2)], 3, [7], [2.0]).raters(2, 0)
    assert found.codes.tolist() == [[2, 0]]
    assert found.clusters.tolist() == [7]
    assert found.weights.tolist() == [2.0]


@pytest.mark.parametrize(
    ("codes", "categories", "clusters", "weights", "said"),
    [
        # a single rater agrees with nobody
        ([[0], [1]], 2, None, None, "2 raters"),
        ([0, 1], 2, None, None, "2 raters"),
        # one category leaves nothing to differ on
        ([[0, 0]], 1, None, None, "2 categories"),
        ([[0, 2]], 2, None, None, "codes are -1 to 1"),
        ([[0, -2]], 2, None, None, "codes are -1 to 1"),
        ([[0, 1]], 2, [1, 2], None, "1 items"),
        ([[0, 1]], 2, None, [1.0, 1.0], "1 items"),
        ([[0, 1]], 2, None, [0.0], "above 0"),
        ([[0, 1]], 2, None, [np.nan], "above 0"),
        ([[0, 1]], 2, None, [np.inf], "above 0"),
    ],
)
def test_refuses(
    codes: list[object],
    categories: int,
    clusters: list[int] | None,
    weights: list[float] | None,
    said: str,
) -> None:
    with pytest.raises(ValueError, match=said):
        Judgements.of(codes, categories, clusters, weights)
