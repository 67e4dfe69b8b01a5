"""A predicted set beside the true one, worked out by hand, by brute force, and by scipy."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from benchwright.box_matching import ious, match_boxes
from benchwright.boxes import Box
from benchwright.records import BoxOfPicture, CandidateSet
from evaluation.candidate_set.metrics.set_outcome import (
    SetOutcome,
    outcome_of_boxes,
    outcome_of_ids,
)

Make = Callable[..., CandidateSet]
FAR: Box = (500, 500, 1, 1)


def shifted(box: Box, by: float) -> Box:
    return box[0] + by, *box[1:]


# of the boxes of the table (a, b, c, p), beside a as the only true one: predicted boxes, whether
# exactly one box is right, the first is, any is, and whether several were given
SINGLE: dict[str, tuple[Sequence[Box], bool, bool, bool, bool]] = {
    "the true box": ([(0, 0, 10, 10)], True, True, True, False),
    "another one": ([(20, 0, 10, 10)], False, False, False, False),
    "nothing": ([], False, False, False, False),
    # intersection 8 x 10, union 120: 2/3; 4 x 10 of 160: 1/4
    "moved by a fifth": ([(2, 0, 10, 10)], True, True, True, False),
    "moved by three fifths": ([(6, 0, 10, 10)], False, False, False, False),
    # half of it: an IoU of exactly 0.5 counts
    "one half of it": ([(0, 0, 5, 10)], True, True, True, False),
    "said twice, which is once": ([(0, 0, 10, 10)] * 2, True, True, True, False),
    # the same object, and yet two boxes
    "nearly the same twice": ([(0, 0, 10, 10), (0, 0, 10, 9)], False, True, True, True),
    "first right, then wrong": ([(0, 0, 10, 10), FAR], False, True, True, True),
    "first wrong, then right": ([FAR, (0, 0, 10, 10)], False, False, True, True),
    # at most the first 15, in the order given
    "right at the 15th place": ([*[FAR] * 14, (0, 0, 10, 10)], False, False, True, True),
    "right at the 16th place": ([*[FAR] * 15, (0, 0, 10, 10)], False, False, False, False),
    # the first 15 are one box: what comes after does not count
    "15 times, then another": ([*[(0, 0, 10, 10)] * 15, FAR], True, True, True, False),
}


@pytest.mark.parametrize("case", SINGLE)
def test_single_objects(case: str, sample_of: Make) -> None:
    boxes, one, first, any_box, several = SINGLE[case]
    found = outcome_of_boxes(sample_of("a"), [(*map(float, box),) for box in boxes])  # type: ignore[misc]
    assert (found.is_one_right, found.is_first_right) == (one, first)
    assert (found.matched > 0, found.distinct > 1) == (any_box, several)


# ids that are true, ids of boxes that are predicted: precision, recall, F1
SETS: dict[str, tuple[str, str, tuple[float, float, float]]] = {
    "all of them": ("ab", "ab", (1, 1, 1)),
    "in another order": ("ab", "ba", (1, 1, 1)),
    "one of two": ("ab", "a", (1, 1 / 2, 2 / 3)),
    "one too many": ("ab", "abc", (2 / 3, 1, 4 / 5)),
    "one of two, and a wrong one": ("ab", "ac", (1 / 2, 1 / 2, 1 / 2)),
    "none of them": ("ab", "cp", (0, 0, 0)),
    "no prediction": ("ab", "", (0, 0, 0)),
    "all boxes": ("abc", "abcp", (3 / 4, 1, 6 / 7)),
}


@pytest.mark.parametrize("case", SETS)
def test_sets_by_boxes_and_by_ids(case: str, sample_of: Make, table: dict[str, Box]) -> None:
    true, predicted, wanted = SETS[case]
    sample = sample_of(true)
    for found in (
        outcome_of_boxes(sample, [table[name] for name in predicted]),
        outcome_of_ids(sample, predicted),
    ):
        assert (found.precision, found.recall, found.f1) == pytest.approx(wanted)


def test_a_box_that_is_given_twice_counts_twice_and_an_id_once(
    sample_of: Make, table: dict[str, Box]
) -> None:
    sample = sample_of("ab")
    by_box = outcome_of_boxes(sample, [table["a"]] * 2)
    assert (by_box.precision, by_box.recall) == (1 / 2, 1 / 2)
    by_id = outcome_of_ids(sample, "aa")
    assert (by_id.precision, by_id.recall) == (1, 1 / 2)


def test_a_selection_goes_by_ids_where_boxes_overlap(sample_of: Make) -> None:
    # two boxes of one place: the right one is meant by its id alone
    boxes = {"x": ("cup", (0.0, 0.0, 9.0, 9.0)), "y": ("cup", (0.0, 0.0, 9.0, 9.0))}
    sample = sample_of("x", boxes=boxes)
    assert not outcome_of_ids(sample, "y").is_one_right
    assert outcome_of_ids(sample, "x").is_one_right
    assert outcome_of_boxes(sample, [(0.0, 0.0, 9.0, 9.0)]).is_one_right


def test_of_a_selection_the_first_15_count(sample_of: Make) -> None:
    boxes = {f"{chr(97 + at)}": ("cup", (20.0 * at, 0.0, 9.0, 9.0)) for at in range(16)}
    found = outcome_of_ids(sample_of("ap", boxes=boxes), list(boxes))
    assert (found.predicted, found.matched, found.true) == (15, 1, 2)


# a reaches b and c, d reaches b alone: on a line, [left, width]
GOLDEN = [[0.98, 0.51], [0.50, 0.45]]
A, D = (0.0, 0.0, 100.0, 1.0), (0.0, 0.0, 49.0, 1.0)
B, C = (0.0, 0.0, 98.0, 1.0), (49.0 - 0.45 / 1.45 * 100, 0.0, 51.0, 1.0)


def test_the_matching_has_the_most_pairs_first(sample_of: Make) -> None:
    table = ious([A, D], [B, C])
    assert table.tolist() == [pytest.approx(row) for row in GOLDEN]
    # a plain assignment takes .98 + .45 and keeps one pair of them
    rows, columns = linear_sum_assignment(table, maximize=True)
    assert sum(table[rows, columns] >= 0.5) == 1
    sample = sample_of("bc", boxes={"b": (None, B), "c": (None, C)})
    found = outcome_of_boxes(sample, [A, D])
    assert (found.matched, found.precision, found.recall) == (2, 1, 1)


SMALL = st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(0, 4), st.integers(1, 3)).map(
    lambda box: (float(box[0]), float(box[1]), float(box[2]), float(box[3]))
)


def exact_iou(one: Box, other: Box) -> Fraction:
    """Return the IoU of boxes of whole pixels by counting them."""

    def pixels(box: Box) -> set[tuple[int, int]]:
        x, y, width, height = map(int, box)
        return {(x + i, y + j) for i in range(width) for j in range(height)}

    first, second = pixels(one), pixels(other)
    return Fraction(len(first & second), len(first | second)) if first | second else Fraction(0)


def most_pairs(first: Sequence[Box], second: Sequence[Box]) -> int:
    """Return the size of the largest matching, by trying them all."""
    for size in range(min(len(first), len(second)), 0, -1):
        for some in combinations(first, size):
            for others in permutations(second, size):
                pairs = zip(some, others, strict=True)
                if all(exact_iou(*pair) >= Fraction(1, 2) for pair in pairs):
                    return size
    return 0


@given(st.lists(SMALL, max_size=4), st.lists(SMALL, min_size=1, max_size=4))
def test_outcomes_are_those_of_brute_force(predicted: list[Box], true: list[Box]) -> None:
    found = outcome_of_boxes(sample_with(true), predicted)
    pairs = most_pairs(predicted, true)
    assert found.matched == pairs
    assert found.precision == (pairs / len(predicted) if predicted else 0)
    assert found.recall == pairs / len(true)
    both = found.precision + found.recall
    assert found.f1 == pytest.approx(2 * found.precision * found.recall / both if both else 0)
    is_right = [any(exact_iou(one, box) >= Fraction(1, 2) for box in true) for one in predicted]
    assert found.is_first_right == (is_right[0] if predicted else False)
    assert found.is_one_right == (len(set(predicted)) == 1 and is_right[0])


@given(st.lists(SMALL, max_size=5), st.lists(SMALL, min_size=1, max_size=5), st.data())
def test_the_order_changes_nothing_but_the_first_box(
    predicted: list[Box], true: list[Box], data: st.DataObject
) -> None:
    found = outcome_of_boxes(sample_with(true), predicted)
    other = outcome_of_boxes(
        sample_with(data.draw(st.permutations(true))), data.draw(st.permutations(predicted))
    )
    assert facts(found) == facts(other)


@given(st.lists(SMALL, min_size=1, max_size=4), st.lists(SMALL, min_size=1, max_size=4))
def test_scipy_finds_as_many_pairs_where_all_that_may_be_pairs_are_alike(
    predicted: list[Box], true: list[Box]
) -> None:
    may_be = [[exact_iou(one, other) >= Fraction(1, 2) for other in true] for one in predicted]
    rows, columns = linear_sum_assignment(may_be, maximize=True)
    pairs = sum(may_be[row][column] for row, column in zip(rows, columns, strict=True))
    assert len(match_boxes(predicted, true)) == pairs


def sample_with(true: Sequence[Box]) -> CandidateSet:
    return CandidateSet(
        dialogue_id="d",
        image_id="p",
        turn=1,
        context=(),
        first_utterance="",
        boxes=tuple(
            BoxOfPicture(box_id=str(at), category=None, bbox=box) for at, box in enumerate(true)
        ),
        candidate_ids=tuple(str(at) for at in range(len(true))),
        marks=(),
        kind="set",
    )


def facts(outcome: SetOutcome) -> tuple[int, ...]:
    return outcome.predicted, outcome.distinct, outcome.true, outcome.matched
