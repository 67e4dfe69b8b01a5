"""What a question can be expected to tell, against the definition worked out one by one."""

from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.feasible import Board
from benchwright.knowledge import UNKNOWN, Value
from benchwright.records import Asked
from evaluation.hidden_target.game import Game
from evaluation.hidden_target.trajectories.expected_gain import (
    best_question,
    expected_gain,
    types_asked,
)
from stand_ins.small_games import game_of, turn

HEM = Asked(type="hem", value="long", is_negated=False)
TRIM = Asked(type="trim", value="bow", is_negated=False)


# what is left of the four pictures, what is asked, the gain in bits
@pytest.mark.parametrize(
    ("feasible", "asked", "gain"),
    [
        # two and two
        ((1, 2, 3, 4), [HEM], 1.0),
        # the same asked against
        ((1, 2, 3, 4), [Asked(type="hem", value="long", is_negated=True)], 1.0),
        # known of one picture of three (yes) and another (no): unknown ones always stay
        ((1, 3, 4), [TRIM], (log2(3 / 2) + log2(3 / 2)) / 3),
        # all the same, one picture alone, nothing asked
        ((1, 2), [HEM], 0.0),
        ((3,), [HEM], 0.0),
        ((1, 2, 3, 4), [], 0.0),
    ],
)
def test_the_gain_of_a_question(
    plain_game: Game, feasible: tuple[int, ...], asked: list[Asked], gain: float
) -> None:
    assert expected_gain(plain_game.gallery, feasible, asked) == pytest.approx(gain)


# what is left, the types that were asked about, the question of the reference, the most
@pytest.mark.parametrize(
    ("feasible", "types", "reference", "most"),
    [
        ((1, 2, 3, 4), (), "long", 1.0),
        # each type once
        ((1, 2, 3, 4), ("hem",), "boat", 1.0),
        ((1, 2), ("hem",), "boat", 1.0),
        # nothing that is left tells them apart
        ((1, 2), ("neck",), None, 0.0),
        ((1, 2), ("hem", "neck", "trim"), None, 0.0),
        ((3,), (), None, 0.0),
    ],
)
def test_what_could_be_asked(
    plain_game: Game,
    feasible: tuple[int, ...],
    types: tuple[str, ...],
    reference: str | None,
    most: float,
) -> None:
    best = best_question(plain_game.gallery, feasible, types)
    assert (best.asked and best.asked.value, best.most) == (reference, most)
    assert best.reference_gain == (None if reference is None else most)


def test_the_reference_question_is_not_always_the_one_that_tells_the_most() -> None:
    """It expects 10 - 2 x 9/10 pictures of both; of the second the logarithm is less."""
    rows = [[1, 1]] + [[1, -1]] * 2 + [[-1, -1]] * 3 + [[0, -1]] * 4
    values = (Value(type="a", value="1"), Value(type="b", value="1"))
    gallery = game_of(Board(target=0, values=values, answers=np.array(rows, np.int8))).gallery
    best = best_question(gallery, range(1, 11), ())
    assert best.asked == Asked(type="a", value="1", is_negated=False)
    assert best.reference_gain == pytest.approx(0.6 * log2(10 / 7))
    assert best.most == pytest.approx(log2(10) - 0.9 * log2(9))


@given(st.data())
def test_it_is_the_mean_over_all_targets(boards: st.SearchStrategy[Board], data: Any) -> None:
    board: Board = data.draw(boards)
    gallery = game_of(board).gallery
    numbers = range(1, len(board.answers) + 1)
    feasible = sorted(data.draw(st.sets(st.sampled_from(numbers), min_size=1)))
    for column, value in enumerate(board.values):
        asked = [Asked(type=value.type, value=value.value, is_negated=False)]
        gains = []
        for target in feasible:
            said = board.answers[target - 1, column]
            stays = [
                x for x in feasible if said == 0 or board.answers[x - 1, column] in (UNKNOWN, said)
            ]
            gains.append(log2(len(feasible)) - log2(len(stays)))
        mean = sum(gains) / len(gains)
        assert expected_gain(gallery, feasible, asked) == pytest.approx(mean, abs=1e-12)


def test_types_count_once_they_were_answered() -> None:
    turns = [
        turn("skip", "", "hem long"),
        turn("unsure", "uuuu", "neck boat", "trim bow"),
        turn("yes", "yyyy"),
        turn("no", "nnnn", "neck v"),
    ]
    assert types_asked(turns) == ("neck", "trim")
