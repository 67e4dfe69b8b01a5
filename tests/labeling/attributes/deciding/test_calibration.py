"""Known labels tell how good each voter is at each value."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from benchwright.statistics.intervals import wilson
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.calibration import Known, calibrate, unselected
from labeling.attributes.deciding.codes import NOT_ASKED, SAID_NO, SAID_YES, Mask
from labeling.attributes.deciding.inquiry import Inquiry, order_of
from labeling.attributes.deciding.rule import DecimalShare, Rule
from labeling.attributes.deciding.savings import full_sample
from labeling.attributes.deciding.shrinkage import shrunk


def known(truth: Any, counts: Any = None, weights: Any = None) -> Known:
    labels = np.asarray(truth, np.int8)
    return Known(
        truth=labels,
        counts=np.ones(len(labels), bool) if counts is None else np.asarray(counts, bool),
        weights=np.ones(len(labels)) if weights is None else np.asarray(weights, float),
    )


def test_rates_bias_and_intervals(small: SimpleNamespace) -> None:
    ballots = small.ballots(
        small.spelled("yn", "yn", "ny", "yy", "-n", "n-", "yn", "y."), small.questions(2, 1)
    )
    found = calibrate(ballots, known([1, 1, 1, -1, -1, -1, 0, 1], [1, 1, 1, 1, 1, 1, 1, 0]))
    assert found.voters == ("v0", "v1")
    # of three yes the first says two, the second one; what is unknown or does not count is not in
    assert found.sensitivity.share[:, 0].tolist() == pytest.approx([2 / 3, 1 / 3])
    assert found.specificity.share[:, 0].tolist() == pytest.approx([1 / 2, 1 / 2])
    assert found.sensitivity.size[:, 0].tolist() == [3, 3]
    assert found.specificity.size[:, 0].tolist() == [2, 2]
    # the first says yes 3 times of 5 and it is yes 3 times; the second 2 of 5, and it is 3
    assert found.yes_bias[:, 0].tolist() == pytest.approx([0.0, -0.2])
    low, high = wilson(2 / 3, 3)
    assert (found.sensitivity.low[0, 0], found.sensitivity.high[0, 0]) == (low, high)
    assert not found.enough.any()


def test_which_answers_are_no_selection(small: SimpleNamespace) -> None:
    # two values of six pictures; on the second value no question was ever left out
    answers = small.spelled("yy", "yn", "yn", "nn", "y.", "nn", "yy", "-y", "ny", "yy", "y.", "yy")
    ballots = small.ballots(answers, small.questions(2, 1), values=2)
    none, full = DecimalShare(), DecimalShare(numerator=1)
    assert unselected(ballots, none, 0).tolist() == [False, True] * 6
    # asked in full, and yet a call failed
    expected = [True, True, True, True, False, True, True, True, True, True, False, True]
    assert unselected(ballots, full, 0).tolist() == expected
    half = unselected(ballots, DecimalShare(numerator=1, denominator=2), 3)[::2]
    assert 0 < half.sum() < 4


def stopped(ballots: Ballots, weights: tuple[int, ...], full: Mask) -> Ballots:
    """Leave out what an early stop leaves out, but for the pictures that are asked in full."""
    left = ballots.answers.copy()
    for cell in np.flatnonzero(~full).tolist():
        order = order_of(ballots.questions, weights, 0, str(cell))
        inquiry = Inquiry(orders=[order], weights=[weights], rule=Rule(), exclusive=False)
        asked = set()
        while (place := inquiry.next_question()) is not None:
            inquiry.record(*place, int(left[place[1], cell]))
            asked.add(place[1])
        left[[at for at in range(len(weights)) if at not in asked], cell] = NOT_ASKED
    return replace(ballots, answers=left)


def test_an_early_stop_does_not_move_what_is_found(small: SimpleNamespace) -> None:
    # some pictures are hard for all; a lighter voter answers beyond the full share just on those
    random = np.random.default_rng(5)
    cells = 6000
    truth = np.where(random.random(cells) < 0.5, 1, -1)
    share = np.where(random.random(cells) < 0.3, 0.55, 0.9)
    right = random.random((9, cells)) < share
    asked = small.questions(3, 3)
    whole = small.ballots(np.where(right == (truth == 1), SAID_YES, SAID_NO), asked)
    third = DecimalShare(numerator=1, denominator=3)
    chosen = full_sample(whole, third, 0)
    ballots = stopped(whole, (3, 3, 3, 1, 1, 1, 1, 1, 1), chosen)
    counts = unselected(ballots, third, 0)
    assert counts.tolist() == chosen.tolist()
    all_asked = calibrate(whole, known(truth)).sensitivity.share[:, 0]
    assert calibrate(ballots, known(truth, counts)).sensitivity.share[:, 0] == pytest.approx(
        all_asked, abs=0.025
    )
    # those that happen to be whole, or to have an answer, are no fair sample
    lucky = (ballots.answers != NOT_ASKED).all(axis=0)
    biased = calibrate(ballots, known(truth, lucky)).sensitivity.share[:, 0]
    assert np.abs(biased - all_asked).max() > 0.025


def test_unequal_inclusion_is_weighted_away(small: SimpleNamespace) -> None:
    # of 1,000 yes the easy half is right and the hard half wrong; the hard ones are audited all,
    # the easy ones one in ten
    cells = ["y"] * 50 + ["n"] * 500
    ballots = small.ballots(small.spelled(*cells), small.questions(1, 1))
    weights = [10.0] * 50 + [1.0] * 500
    found = calibrate(ballots, known([1] * 550, weights=weights))
    assert found.sensitivity.share[0, 0] == pytest.approx(0.5)
    # 550 answers of unlike weight are worth fewer
    assert found.sensitivity.size[0, 0] == pytest.approx(1000**2 / (50 * 100 + 500))


@pytest.mark.parametrize("weights", [[0.5, 1.0], [np.nan, 1.0], [np.inf, 1.0]])
def test_a_weight_below_one_is_no_inverse_probability(weights: list[float]) -> None:
    with pytest.raises(ValueError, match="inclusion probability"):
        known([1, 1], weights=weights)
    known([0, 1], weights=weights)  # of a cell that is not used it does not matter


def test_enough_is_said_by_the_width_of_the_intervals(small: SimpleNamespace) -> None:
    ballots = small.ballots(small.spelled(*["y"] * 50, *["n"] * 50), small.questions(1, 1))
    truth = [1] * 50 + [-1] * 50
    assert calibrate(ballots, known(truth)).enough.all()
    assert not calibrate(ballots, known(truth), widest=0.05).enough.any()
    # no case of no at all says nothing of specificity
    assert not calibrate(ballots, known([1] * 50 + [0] * 50)).enough.any()


def test_a_value_without_audits_is_taken_for_the_voters_mean(small: SimpleNamespace) -> None:
    answers = small.spelled(*["y", "y"] * 45, *["n", "n"] * 5)
    ballots = small.ballots(answers, small.questions(1, 1), values=2)
    found = calibrate(ballots, known([1, 0] * 50))
    assert found.sensitivity.size.tolist() == [[50, 0]]
    assert np.isnan(found.sensitivity.share[0, 1])
    assert found.sensitivity.shrunk[0].tolist() == pytest.approx([0.89, 0.89], abs=0.01)
    # nothing at all is known of no: chance
    assert found.specificity.shrunk.tolist() == [[0.5, 0.5]]


@pytest.mark.parametrize(
    ("right", "size", "expected"),
    [
        # all alike: nothing but chance, so the mean of all
        ([90, 90, 90], [100, 100, 100], [0.9, 0.9, 0.9]),
        # really unlike, many each: they keep what was counted
        ([950, 500, 200], [1000, 1000, 1000], [0.95, 0.5, 0.2]),
        # one right of one moves little from the mean
        ([900, 600, 1], [1000, 1000, 1], [0.9, 0.6, 0.81]),
    ],
)
def test_shrinkage(right: list[float], size: list[float], expected: list[float]) -> None:
    counts = np.array(size, float)
    drawn, strength = shrunk(np.array(right) / counts, counts)
    assert 1 <= strength <= counts.sum()
    assert drawn.tolist() == pytest.approx(expected, abs=0.02)


def test_shrinkage_brings_small_samples_nearer_to_the_truth() -> None:
    random = np.random.default_rng(9)
    truth = random.beta(16, 4, 300)  # a strength of 20
    size = np.full(300, 15.0)
    share = random.binomial(15, truth) / 15
    drawn, strength = shrunk(share, size)
    assert 10 < strength < 40
    assert ((drawn - truth) ** 2).mean() < 0.75 * ((share - truth) ** 2).mean()
    assert (drawn > 0).all()
    assert (drawn < 1).all()


def test_weights_are_whole_and_by_value(small: SimpleNamespace) -> None:
    # on the first value voter 0 is good and voter 1 a coin, on the second the other way round;
    # on the third both are worse than chance
    random = np.random.default_rng(1)
    truth = np.where(random.random(6000) < 0.5, 1, -1)
    share = np.array([[0.95, 0.5, 0.3], [0.5, 0.9, 0.4]])[:, np.arange(6000) % 3]
    right = random.random((2, 6000)) < share
    ballots = small.ballots(np.where(right == (truth == 1), 1, 2), small.questions(2, 1), values=3)
    first, second, third = calibrate(ballots, known(truth)).weights()
    assert first["v0"] == 100
    assert first["v1"] < 8
    assert second["v1"] == 100
    assert second["v0"] < 8
    assert third == {"v0": 1, "v1": 1}
    assert all(isinstance(weight, int) for weight in first.values())


def test_known_skills_are_recovered_from_questions(small: SimpleNamespace) -> None:
    # three questions each: the voter's answer is what most of them say
    random = np.random.default_rng(2)
    truth = np.where(random.random(20_000) < 0.3, 1, -1)
    share = np.where(truth == 1, 0.8, 0.9)
    right = random.random((3, 20_000)) < share
    ballots = small.ballots(np.where(right == (truth == 1), 1, 2), small.questions(1, 3))
    found = calibrate(ballots, known(truth))
    assert found.sensitivity.shrunk[0, 0] == pytest.approx(0.8**3 + 3 * 0.8**2 * 0.2, abs=0.01)
    assert found.specificity.shrunk[0, 0] == pytest.approx(0.9**3 + 3 * 0.9**2 * 0.1, abs=0.01)
    assert found.enough.all()
