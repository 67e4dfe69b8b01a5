"""What labels say to a question: its polarity, several values, values that are not there."""

from collections.abc import Callable

import pytest

from benchwright.feasible import Board
from evaluation.hidden_target.by_labels import answers_by_labels
from stand_ins.small_games import asked_of, game_of

NAMES = ("neck round", "neck square", "slit side")
ROWS = [[1, -1, 1], [-1, 1, 0], [0, 0, -1], [1, 1, 0]]


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        (["neck round"], [1, -1, 0, 1]),
        (["-neck round"], [-1, 1, 0, -1]),  # asked against it; unknown stays unknown
        (["slit side"], [1, 0, -1, 0]),  # the last of the values
        (["neck round", "slit side"], [1, -1, -1, 0]),  # no wins, all must be yes for yes
        (["-neck square", "slit side"], [1, -1, -1, -1]),
        (["neck round", "-neck round"], [-1, -1, 0, -1]),  # no picture can
        ([], [0, 0, 0, 0]),  # nothing was mapped
    ],
)
def test_what_is_known(
    make_board: Callable[..., Board], asked: list[str], known: list[int]
) -> None:
    board = make_board(NAMES, ROWS)
    before = board.answers.copy()
    found = answers_by_labels(game_of(board).gallery, asked_of(*asked))
    assert found.tolist() == known
    assert (board.answers == before).all()  # the labels are left as they are


@pytest.mark.parametrize("strange", ["neck oval", "neck", "sleeve long", "zip back"])
def test_a_value_that_the_release_does_not_have_is_a_fault(
    make_board: Callable[..., Board], strange: str
) -> None:
    gallery = game_of(make_board(NAMES, ROWS)).gallery
    with pytest.raises(KeyError):
        answers_by_labels(gallery, asked_of(strange if " " in strange else f"{strange} x"))
