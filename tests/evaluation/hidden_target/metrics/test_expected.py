"""How far the reference questioner gets: to the target, or into a dead end."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.feasible import Board
from benchwright.reference_questioner import par
from evaluation.hidden_target.metrics.expected import ReferenceEnd, reference_end

NAMES = ("a x", "a y", "b z")
ENDS = [
    # x parts the first from the others, which z parts
    ([[1, -1, 1], [-1, -1, 1], [-1, -1, -1]], 0, 1, 1),
    ([[1, -1, 1], [-1, -1, 1], [-1, -1, -1]], 1, 2, 1),
    # y would part the last two, but its type was asked about
    ([[1, -1, 1], [-1, 1, 1], [-1, -1, 1]], 2, 1, 2),
    # nobody differs
    ([[1, -1, 1]] * 4, 0, 0, 4),
    # the target's answer is unknown: nothing goes, and the type is spent
    ([[0, 0, 1], [1, 0, 1], [-1, 0, 1]], 0, 1, 3),
]


@pytest.mark.parametrize(("rows", "target", "asked", "left"), ENDS)
def test_ends_worked_out_by_hand(
    make_board: Callable[..., Board], rows: list[list[int]], target: int, asked: int, left: int
) -> None:
    found = reference_end(make_board(NAMES, rows, target))
    assert found == ReferenceEnd(questions=asked, feasible=left)


@given(data=st.data())
def test_it_finds_the_target_where_there_is_a_par(
    boards: st.SearchStrategy[Board], data: st.DataObject
) -> None:
    board = data.draw(boards)
    found = reference_end(board)
    expected = par(board, one_of_a_type=True)
    assert (found.feasible == 1) == (expected is not None)
    if expected is not None:
        assert found.questions == expected
    assert 1 <= found.feasible <= len(board.answers)
