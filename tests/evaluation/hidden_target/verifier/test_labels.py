"""The verifier that knows the labels."""

import asyncio
from collections.abc import Callable

import pytest

from benchwright.feasible import Board
from evaluation.hidden_target.parts import Checked
from evaluation.hidden_target.verifier.labels import LabelVerifier
from stand_ins.small_games import game_of, question

NAMES = ("neck round", "slit side")
ROWS = [[-1, -1], [1, 0], [-1, 1], [1, 1]]


@pytest.mark.parametrize(
    ("asked", "fits"),
    [
        (["neck round"], "nyny"),
        (["-neck round"], "ynyn"),
        (["slit side"], "nuyy"),
        (["neck round", "slit side"], "nuny"),  # a detector let several values pass
        ([], "uuuu"),  # what could not be mapped constrains nothing
    ],
)
def test_how_a_question_fits(make_board: Callable[..., Board], asked: list[str], fits: str) -> None:
    game = game_of(make_board(NAMES, ROWS, 1))
    assert asyncio.run(LabelVerifier().check(game, question(*asked))) == Checked(fits=fits)
    assert LabelVerifier().name == "labels"
