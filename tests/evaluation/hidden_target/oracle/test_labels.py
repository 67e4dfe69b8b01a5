"""The oracle that knows the labels."""

import asyncio
from collections.abc import Callable

import pytest

from benchwright.feasible import Board
from evaluation.hidden_target.oracle.labels import LabelOracle
from evaluation.hidden_target.parts import Answered, Truth
from stand_ins.small_games import game_of, question

NAMES = ("neck round", "neck square", "slit side")
ROWS = [[-1, -1, -1], [1, -1, 0], [-1, 1, 1]]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (["neck round"], "yes"),
        (["neck square"], "no"),
        (["slit side"], "unsure"),  # nobody knows
        (["-neck round"], "no"),
        (["-neck square"], "yes"),
        (["-slit side"], "unsure"),
        (["neck round", "slit side"], "unsure"),  # a detector let several values pass
        (["neck square", "slit side"], "no"),
        ([], "unsure"),  # what could not be mapped
    ],
)
def test_answers_of_the_target(
    make_board: Callable[..., Board], asked: list[str], answer: Truth
) -> None:
    game = game_of(make_board(NAMES, ROWS, 1))
    told = asyncio.run(LabelOracle().answer(game, question(*asked)))
    assert told == Answered(answer=answer)
    assert LabelOracle().name == "labels"
