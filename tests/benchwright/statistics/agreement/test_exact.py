"""Exact agreement."""

import pytest

from benchwright.statistics.agreement.exact import exact_agreement
from benchwright.statistics.agreement.judgements import Judgements
from benchwright.statistics.intervals import weighted_share


@pytest.mark.parametrize(
    ("codes", "weights", "value", "judged", "left_out"),
    [
        ([(0, 0), (1, 0), (1, 1), (0, 0)], None, 0.75, 4, 0),
        # what one did not judge is counted, not taken for a disagreement
        ([(0, 0), (1, -1), (-1, 1), (-1, -1)], None, 1.0, 1, 2),
        # of three raters one of three pairs agrees, of the next three all do
        ([(0, 0, 1), (1, 1, 1)], None, 2 / 3, 2, 0),
        # the first item stands for three
        ([(0, 0), (0, 1)], [3.0, 1.0], 0.75, 2, 0),
        ([(0, -1)], None, None, 0, 1),
    ],
)
def test_exact(
    codes: list[tuple[int, ...]],
    weights: list[float] | None,
    value: float | None,
    judged: int,
    left_out: int,
) -> None:
    found = exact_agreement(Judgements.of(codes, 2, weights=weights))
    assert found.value == (None if value is None else pytest.approx(value))
    assert (found.judged, found.left_out) == (judged, left_out)


def test_agreement_without_exception_is_not_taken_for_certain() -> None:
    found = exact_agreement(Judgements.of([(0, 0)] * 20, 2))
    wilson = weighted_share([1.0] * 20, [1.0] * 20)
    assert (found.value, found.low, found.high) == (1.0, pytest.approx(wilson.low), 1.0)
    assert found.low == pytest.approx(0.8389, abs=1e-4)


def test_items_of_one_picture_are_one_observation_where_all_agree() -> None:
    found = exact_agreement(Judgements.of([(0, 0)] * 20, 2, [at // 4 for at in range(20)]))
    assert found.low == pytest.approx(weighted_share([1.0] * 5, [1.0] * 5).low)
