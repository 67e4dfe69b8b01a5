"""What steps are paid: tables of cases, and that no detour pays."""

from itertools import pairwise
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.hidden_target.trajectories.rewards import (
    Reward,
    RewardSettings,
    reward_of_guess,
    reward_of_turn,
)

SETTINGS = RewardSettings(skip=0.5, per_bit=2.0, right=3.0, wrong=4.0)


# of 8 pictures: how many were left, how many are, the gain in bits
@pytest.mark.parametrize(
    ("before", "after", "gain"),
    [
        # halved twice over
        (8, 2, 2.0),
        (8, 7, 0.192645),
        # a stall
        (4, 4, 0.0),
        # the latest answer takes an earlier one back
        (2, 8, -2.0),
        # a contradiction: all that was known is lost, and nothing where nothing was
        (2, 0, -2.0),
        (8, 0, 0.0),
        # while it lasts
        (0, 0, 0.0),
        # and is mended
        (0, 1, 3.0),
    ],
)
def test_an_answer_pays_by_the_bit(before: int, after: int, gain: float) -> None:
    found = reward_of_turn(SETTINGS, is_skip=False, pictures=8, before=before, after=after)
    assert (found.information_gain, found.skip, found.terminal) == (gain, 0.0, 0.0)
    assert found.information == found.total == pytest.approx(2 * gain, abs=2e-6)


def test_a_skip_costs() -> None:
    found = reward_of_turn(SETTINGS, is_skip=True, pictures=8, before=4, after=4)
    assert found == Reward(skip=-0.5)
    assert found.total == -0.5


# the guess (the target is 2), what was left, the reward
@pytest.mark.parametrize(
    ("guess", "feasible", "paid"),
    [
        (2, (2,), 3.0),
        # lucky: another was possible, or this one was not
        (2, (1, 2), 0.0),
        (2, (), 0.0),
        (2, (1,), 0.0),
        # wrong, whatever was left
        (1, (2,), -4.0),
        (1, (1,), -4.0),
        (9, (1, 2), -4.0),
    ],
)
def test_a_guess_pays_where_it_had_to_be_right(
    guess: int, feasible: tuple[int, ...], paid: float
) -> None:
    found = reward_of_guess(SETTINGS, guess=guess, target=2, feasible=feasible)
    assert (found.terminal, found.total) == (paid, paid)


def test_nothing_is_minus_zero() -> None:
    nothing = RewardSettings(skip=0, per_bit=0, right=0, wrong=0)
    turns = [
        reward_of_turn(nothing, is_skip=True, pictures=8, before=4, after=4),
        reward_of_turn(nothing, is_skip=False, pictures=8, before=4, after=8),
        reward_of_guess(nothing, guess=1, target=2, feasible=(2,)),
    ]
    assert {str(one.total) for one in turns} == {"0.0"}


@given(st.lists(st.integers(0, 40), max_size=20))
def test_gains_sum_up_to_what_is_known_at_the_end(left: list[int]) -> None:
    sizes = [40, *left]
    gains = [
        reward_of_turn(SETTINGS, is_skip=False, pictures=40, before=before, after=after)
        for before, after in pairwise(sizes)
    ]
    known = log2(40 / (sizes[-1] or 40))
    assert sum(one.information_gain for one in gains) == pytest.approx(known, abs=1e-4)
