"""Boxes of two sets as pairs, beside all pairings that there are."""

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import inf, nan
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from benchwright.box_matching import (
    BoxPair,
    ious,
    match_boxes,
    score_set,
)
from benchwright.boxes import Box, iou
from benchwright.statistics.agreement.sets import SetPairs, set_agreement

UNIT: Box = (0, 0, 10, 10)
FAR: Box = (500, 500, 10, 10)


def wide(left: float, width: float) -> Box:
    return left, 0.0, width, 1.0


def at(*pairs: tuple[int, int]) -> list[tuple[int, int]]:
    return list(pairs)


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        ([UNIT], [UNIT], at((0, 0))),
        ([UNIT, FAR], [FAR, UNIT], at((0, 1), (1, 0))),
        # exactly a half counts, a little less does not
        ([wide(0, 20)], [wide(0, 10)], at((0, 0))),
        ([wide(0, 2001)], [wide(0, 1000)], at()),
        # the same half in decimals, which rounding puts a little below it
        ([wide(7.7, 4.0)], [wide(7.7, 2.0)], at((0, 0))),
        # as near to a half as the pixels of a large picture come
        ([wide(0, 2_000_000_001)], [wide(0, 1_000_000_000)], at()),
        # of two alike one has the partner, and it is the first
        ([UNIT, UNIT], [UNIT], at((0, 0))),
        # without area, also on each other; a side below 0 is none
        ([(5, 5, 0, 0)], [(5, 5, 0, 0)], at()),
        ([(5, 5, -3, -3), UNIT], [(2, 2, 3, 3), UNIT], at((1, 1))),
        ([(0, 0, 0, 10)], [UNIT], at()),
        ([], [UNIT], at()),
        ([UNIT], [], at()),
        ([], [], at()),
    ],
)
def test_pairs(first: list[Box], second: list[Box], wanted: list[tuple[int, int]]) -> None:
    found = match_boxes(first, second)
    assert [(pair.first, pair.second) for pair in found] == wanted
    assert all(pair.iou == iou(first[pair.first], second[pair.second]) for pair in found)


def test_one_more_pair_is_more_than_any_iou() -> None:
    # a is b's own box and reaches c too; only a with c and d with b are two pairs
    a, b, c, d = wide(0, 100), wide(0, 100), wide(45, 60), wide(-90, 190)
    table = ious([a, d], [b, c])
    assert table.round(3).tolist() == [[1.0, 0.524], [0.526, 0.282]]
    assert [(pair.first, pair.second) for pair in match_boxes([a, d], [b, c])] == [(0, 1), (1, 0)]
    # the assignment on IoU alone, with the threshold after it, keeps one
    rows, columns = linear_sum_assignment(-table)
    assert sum(table[row, column] >= 0.5 for row, column in zip(rows, columns, strict=True)) == 1


def test_of_as_many_pairs_the_larger_iou_wins() -> None:
    found = match_boxes([wide(0, 10), wide(1, 10)], [wide(1, 10), wide(0, 10)])
    assert found == [BoxPair(first=0, second=1, iou=1.0), BoxPair(first=1, second=0, iou=1.0)]


@pytest.mark.parametrize(
    "box", [(nan, 0, 1, 1), (0, 0, 1, inf), (0, -inf, 1, 1), (0, 0, 1e200, 1e200)]
)
def test_what_is_no_number_is_refused(box: Box) -> None:
    with pytest.raises(ValueError, match="is no box: wanted four finite numbers"):
        match_boxes([UNIT, box], [UNIT])
    with pytest.raises(ValueError, match="is no box"):
        match_boxes([UNIT], [box])


# few places and sizes, so that boxes overlap, are equal, and overlap by a half
BOXES = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 4), st.integers(0, 4)).map(
        lambda box: tuple(map(float, box))
    ),
    max_size=5,
)


def every_matching(first: Sequence[Box], second: Sequence[Box]) -> Iterator[list[float]]:
    """Yield the IoUs of the pairs of all one-to-one matchings."""
    if len(first) > len(second):
        yield from every_matching(second, first)
        return
    for others in permutations(second, len(first)):
        overlaps = [iou(one, other) for one, other in zip(first, others, strict=True)]
        yield [overlap for overlap in overlaps if overlap >= 0.5]


@given(BOXES, BOXES)
def test_no_matching_is_better(first: list[Box], second: list[Box]) -> None:
    best = max((len(one), sum(one)) for one in every_matching(first, second))
    found = match_boxes(first, second)
    assert (len(found), sum(pair.iou for pair in found)) == pytest.approx(best)
    assert len({pair.first for pair in found}) == len({pair.second for pair in found}) == len(found)
    assert found == match_boxes(first, second)
    back = match_boxes(second, first)
    assert len(back) == len(found)
    assert sum(pair.iou for pair in back) == pytest.approx(sum(pair.iou for pair in found))


@given(st.integers(0, 10_000), st.integers(1, 15), st.integers(1, 15))
def test_many_boxes_are_matched_as_by_a_maximum_matching(seed: int, one: int, other: int) -> None:
    first, second = crowd(seed, one), crowd(seed + 1, other)
    found = match_boxes(first, second)
    assert len(found) == most_pairs(first, second)


def crowd(seed: int, count: int) -> list[Box]:
    """Return boxes side by side, each over half of the next."""
    return [
        wide((7 * seed + 13 * number) % 31 * 4, 10 + (seed + number) % 5) for number in range(count)
    ]


def most_pairs(first: Sequence[Box], second: Sequence[Box]) -> int:
    """Return the size of a maximum matching by augmenting paths (Kuhn)."""
    partner: dict[int, int] = {}

    def augment(at: int, seen: set[int]) -> bool:
        for to, box in enumerate(second):
            if to in seen or iou(first[at], box) < 0.5:
                continue
            seen.add(to)
            if to not in partner or augment(partner[to], seen):
                partner[to] = at
                return True
        return False

    return sum(augment(at, set()) for at in range(len(first)))


@pytest.mark.parametrize(
    ("predicted", "true", "wanted"),
    [
        ([UNIT], [UNIT], (1, 1, 1)),
        # definition 20: no prediction
        ([], [UNIT], (0, 0, 0)),
        ([FAR], [UNIT], (0, 0, 0)),
        ([UNIT], [UNIT, FAR], (1, 1 / 2, 2 / 3)),
        # said twice: one of them is wrong
        ([UNIT, UNIT], [UNIT], (1 / 2, 1, 2 / 3)),
    ],
)
def test_scores_of_a_set(
    predicted: list[Box], true: list[Box], wanted: tuple[float, float, float]
) -> None:
    found = score_set(predicted, true)
    assert (found.precision, found.recall, found.f1) == pytest.approx(wanted)


def test_what_cannot_be_scored_is_refused() -> None:
    with pytest.raises(ValueError, match="one true box or more"):
        score_set([UNIT], [])


@given(st.lists(st.tuples(BOXES, BOXES.filter(bool)), min_size=1, max_size=5))
def test_the_means_are_those_of_set_agreement(samples: list[tuple[list[Box], list[Box]]]) -> None:
    scored = [score_set(*sample) for sample in samples]
    pairs = SetPairs.counted(
        [len(match_boxes(*sample)) for sample in samples],
        [len(predicted) for predicted, _ in samples],
        [len(true) for _, true in samples],
    )
    scores = set_agreement(pairs, draws=10).mean
    assert (scores.precision.value, scores.recall.value, scores.f1.value) == pytest.approx(
        tuple(fmean(getattr(one, name) for one in scored) for name in ("precision", "recall", "f1"))
    )
