"""Precision, recall and F1 of sets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_fscore_support

from benchwright.statistics.agreement.sets import SetPairs, SetScores, set_agreement

Sets = list[set[str] | None]


def values(scores: SetScores) -> list[float | None]:
    return [scores.precision.value, scores.recall.value, scores.f1.value]


@pytest.mark.parametrize(
    ("first", "second", "mean", "pooled"),
    [
        ([{"a", "b"}], [{"b"}], (1 / 2, 1, 2 / 3), (1 / 2, 1, 2 / 3)),
        # nothing against nothing is full agreement
        ([set()], [set()], (1, 1, 1), (1, 1, 1)),
        # definition 20: no prediction is 0, 0, 0
        ([set()], [{"a"}], (0, 0, 0), (0, 0, 0)),
        ([{"a"}], [set()], (0, 0, 0), (0, 0, 0)),
        # the mean over items counts the small item as much; pooled, an empty pair adds nothing
        (
            [{"a"}, {"a", "b", "c", "d"}, set()],
            [{"b"}, {"a", "b", "c"}, set()],
            ((0 + 3 / 4 + 1) / 3, (0 + 1 + 1) / 3, (0 + 6 / 7 + 1) / 3),
            (3 / 5, 3 / 4, 6 / 9),
        ),
        # not judged is left out, empty is not
        ([None, {"a"}, None], [{"a"}, {"a"}, None], (1, 1, 1), (1, 1, 1)),
        ([None], [{"a"}], (None, None, None), (None, None, None)),
    ],
)
def test_scores(
    first: Sets, second: Sets, mean: tuple[float, ...], pooled: tuple[float, ...]
) -> None:
    found = set_agreement(SetPairs.of(first, second))
    assert values(found.mean) == [None if x is None else pytest.approx(x) for x in mean]
    assert values(found.pooled) == [None if x is None else pytest.approx(x) for x in pooled]
    pairs = list(zip(first, second, strict=True))
    assert found.mean.f1.judged == sum(None not in pair for pair in pairs)
    assert found.mean.f1.left_out == sum((one is None) != (two is None) for one, two in pairs)


def test_weights_and_clusters_go_with_their_items() -> None:
    pairs = SetPairs.of([None, {"a"}, {"a"}], [{"a"}, {"a"}, {"b"}], [7, 8, 9], [9.0, 3.0, 1.0])
    assert pairs.clusters.tolist() == [8, 9]
    assert set_agreement(pairs).mean.f1.value == pytest.approx(0.75)
    assert set_agreement(pairs).pooled.f1.value == pytest.approx(0.75)


SETS = st.lists(
    st.tuples(*[st.sets(st.integers(0, 4))] * 2, st.sampled_from([1.0, 2.5])), min_size=1
)


@given(SETS)
def test_scores_are_those_of_scikit_learn(rows: list[tuple[set[int], set[int], float]]) -> None:
    first, second, weights = (list(column) for column in zip(*rows, strict=True))
    found = set_agreement(SetPairs.of(first, second, weights=weights), draws=20)
    ours, theirs = (
        np.array([[element in one for element in range(5)] for one in sets]).astype(int)
        for sets in (first, second)
    )
    # an item without any element of either is 1 here; as if both had named one more
    nothing = ~(ours.any(axis=1) | theirs.any(axis=1))
    by_item = [
        precision_recall_fscore_support(
            np.c_[theirs, nothing], np.c_[ours, nothing],
            average="samples", sample_weight=weights, zero_division=0,
        )[:3]
    ]  # fmt: skip
    assert values(found.mean) == pytest.approx(list(by_item[0]))
    if not nothing.all():
        pooled = precision_recall_fscore_support(
            theirs, ours, average="micro", sample_weight=weights, zero_division=0
        )[:3]
        assert values(found.pooled) == pytest.approx(list(pooled))


@given(SETS)
def test_changing_raters_changes_precision_and_recall_about(
    rows: list[tuple[set[int], set[int], float]],
) -> None:
    first, second, weights = (list(column) for column in zip(*rows, strict=True))
    there = set_agreement(SetPairs.of(first, second, weights=weights), draws=40)
    back = set_agreement(SetPairs.of(second, first, weights=weights), draws=40)
    for one, other in ((there.mean, back.mean), (there.pooled, back.pooled)):
        assert (one.precision, one.recall, one.f1) == (other.recall, other.precision, other.f1)


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        (([2], [1], [3]), "fewer elements"),
        (([-1], [1], [3]), "fewer elements"),
        (([1], [1, 2], [3]), "differ in shape"),
    ],
)
def test_refuses_sizes_that_cannot_be(sizes: tuple[list[int], ...], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        SetPairs.counted(*sizes)
