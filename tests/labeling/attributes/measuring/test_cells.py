"""Balanced accuracy against hand-worked tables and against loops."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.statistics.intervals import wilson

YES, UNSURE, NO = 1, 0, -1


@pytest.mark.parametrize(
    ("of_yes", "of_no", "expected"),
    [
        ([YES] * 4, [NO] * 4, 1.0),
        ([NO] * 4, [YES] * 4, 0.0),
        # always yes, however rare yes is: chance
        ([YES] * 2, [YES] * 9, 0.5),
        # always unsure: chance too
        ([UNSURE] * 3, [UNSURE] * 7, 0.5),
        # sensitivity 3/4, specificity 9/10
        ([YES, YES, YES, NO], [NO] * 9 + [YES], 0.825),
        # one unsure is half right: sensitivity (2 + 1/2) / 4, specificity 1/2
        ([YES, YES, NO, UNSURE], [NO, YES], 0.5625),
    ],
)
def test_hand_worked(
    tables: SimpleNamespace, of_yes: list[int], of_no: list[int], expected: float
) -> None:
    rows = [(at, 0, YES, 1.0) for at in range(len(of_yes))]
    rows += [(len(rows) + at, 0, NO, 1.0) for at in range(len(of_no))]
    cells = tables.cells(rows, 1)
    answers = np.array([*of_yes, *of_no], np.int8)
    assert cells.balanced(answers)[0] == pytest.approx(expected)
    ((yes, no, balanced),) = cells.rates(answers)
    assert (yes.share + no.share) / 2 == pytest.approx(expected)
    assert balanced.share == pytest.approx(expected)
    assert 0 <= balanced.low <= balanced.share <= balanced.high <= 1
    assert [int(count[0]) for count in cells.counts()] == [len(of_yes), len(of_no)]


def test_weights_are_inverse_probabilities(tables: SimpleNamespace) -> None:
    # a wrong yes that stands for three: sensitivity 1/4
    rows = [(0, 0, YES, 1.0), (1, 0, YES, 3.0), (2, 0, NO, 1.0)]
    assert tables.cells(rows, 1).balanced(np.array([YES, NO, NO]))[0] == pytest.approx(0.625)


@given(st.data())
def test_the_same_as_by_loops(tables: SimpleNamespace, data: st.DataObject) -> None:
    rows, answers = data.draw(tables.any)
    cells = tables.cells(rows, tables.values)
    expected = tables.by_loops(rows, answers, tables.values)
    said = np.array(answers, np.int8)
    assert cells.balanced(said) == pytest.approx(expected, nan_ok=True)
    shares = [balanced.share for _, _, balanced in cells.rates(said)]
    assert shares == pytest.approx(expected, nan_ok=True)


def test_halves_do_not_make_an_interval_narrower_than_its_size(tables: SimpleNamespace) -> None:
    rows = [(at, 0, YES, 1.0) for at in range(20)]
    ((yes, no, balanced),) = tables.cells(rows, 1).rates(np.zeros(20, np.int8))
    low, high = wilson(0.5, 20)
    assert (yes.low, yes.high) == pytest.approx((float(low), float(high)))
    assert (no.low, no.high) == (0, 1)
    assert np.isnan(balanced.share)


@pytest.mark.parametrize(
    ("yes", "no", "weights", "expected"),
    [
        (8, 8, [1.0], True),
        (7, 80, [1.0], False),
        (80, 7, [1.0], False),
        # ten labels of very unlike weights are worth fewer than eight
        (10, 10, [20.0, 1.0, 1.0, 1.0, 1.0], False),
    ],
)
def test_what_is_measurable(
    tables: SimpleNamespace, yes: int, no: int, weights: list[float], expected: bool
) -> None:
    rows = [(at, 0, YES, weights[at % len(weights)]) for at in range(yes)]
    rows += [(at, 0, NO, weights[at % len(weights)]) for at in range(no)]
    assert tables.cells(rows, 1).measurable().tolist() == [expected]
