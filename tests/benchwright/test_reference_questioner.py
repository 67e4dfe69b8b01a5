"""Definition 6: par, against a naive questioner written straight from the definition."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.feasible import Board
from benchwright.reference_questioner import Inquiry, inquiry, par
from galleries.identify import identifiable, identifiable_protocol


def naive(board: Board, *, one_of_a_type: bool) -> int | None:
    rows = [[int(answer) for answer in row] for row in board.answers]
    names = [(value.type, value.value) for value in board.values]

    def after(feasible: set[int], question: int, answer: int) -> set[int]:
        """Return what stays: all when the answer is unsure, else what agrees or is unknown."""
        return {row for row in feasible if answer == 0 or rows[row][question] in (0, answer)}

    def expected(feasible: set[int], question: int) -> Fraction:
        """Return the mean size of what stays when each picture may be the target."""
        sizes = [len(after(feasible, question, rows[row][question])) for row in feasible]
        return Fraction(sum(sizes), len(feasible))

    feasible, left, asked = set(range(len(rows))), set(range(len(names))), 0
    while feasible != {board.target}:
        useful = [
            (expected(feasible, question), names[question], question)
            for question in left
            if expected(feasible, question) < len(feasible)
        ]
        if not useful:
            return None
        _, (kind, _), best = min(useful)
        feasible = after(feasible, best, rows[board.target][best])
        left = {at for at in left if at != best and not (one_of_a_type and names[at][0] == kind)}
        asked += 1
    return asked


NAMES = ["hem long", "neck boat", "neck v", "trim bow"]


@pytest.mark.parametrize(
    ("rows", "free", "protocol"),
    [
        # the target alone
        ([[0, 0, 0, 0]], 0, 0),
        # halves, then halves: two questions for four
        ([[1, 1, 0, 0], [1, -1, 0, 0], [-1, 1, 0, 0], [-1, -1, 0, 0]], 2, 2),
        # one question tells two apart
        ([[1, 1, 0, 0], [-1, 1, 0, 0]], 1, 1),
        # the better half of two is of the same type: only the free questioner may ask both
        ([[0, 1, 1, 0], [0, 1, -1, 0], [0, -1, 1, 0], [0, -1, -1, 0]], 2, None),
        # what splits best comes first
        ([[0, 1, 0, 0], [1, -1, 0, 0], [-1, -1, 0, 0]], 1, 1),
        # nothing tells the second from the target
        ([[1, 0, 0, 0], [1, 0, 0, 0]], None, None),
        # unknown pictures stay whatever is answered
        ([[1, 0, 0, 0], [0, 0, 0, 0], [-1, 0, 0, 0]], None, None),
    ],
)
def test_cases(
    make_board: Any, rows: list[list[int]], free: int | None, protocol: int | None
) -> None:
    board = make_board(NAMES, rows)
    assert par(board) == free
    assert par(board, one_of_a_type=True) == protocol


def test_an_unsure_answer_counts_as_a_question(make_board: Any) -> None:
    # hem halves the four best but is unknown of the target; neck then tells it from all
    board = make_board(
        NAMES, [[0, 1, 0, 0], [1, -1, 0, 0], [1, -1, 0, 0], [-1, -1, 0, 0], [-1, -1, 0, 0]]
    )
    assert par(board) == naive(board, one_of_a_type=False) == 2


def test_a_tie_is_broken_by_type_and_value(make_board: Any) -> None:
    # both values split two from one, a before b; only b's answer leaves the target alone
    assert par(make_board(["a x", "b x"], [[1, 1], [1, -1], [-1, -1]])) == 2
    assert par(make_board(["a x", "b x"], [[1, 1], [-1, 1], [-1, -1]])) == 1


@pytest.mark.parametrize("one_of_a_type", [False, True])
@given(data=st.data())
def test_par_equals_the_naive_questioner(
    boards: Any, one_of_a_type: bool, data: st.DataObject
) -> None:
    board = data.draw(boards)
    assert par(board, one_of_a_type=one_of_a_type) == naive(board, one_of_a_type=one_of_a_type)


ENDS = [
    # x parts the first from the others, which z parts
    ([[1, -1, 1], [-1, -1, 1], [-1, -1, -1]], 0, (0,), 1),
    ([[1, -1, 1], [-1, -1, 1], [-1, -1, -1]], 1, (0, 2), 1),
    # y would part the last two, but its type was asked about
    ([[1, -1, 1], [-1, 1, 1], [-1, -1, 1]], 2, (0,), 2),
    # nobody differs
    ([[1, -1, 1]] * 4, 0, (), 4),
    # the target's answer is unknown: nothing goes, and the type is spent
    ([[0, 0, 1], [1, 0, 1], [-1, 0, 1]], 0, (0,), 3),
]


@pytest.mark.parametrize(("rows", "target", "asked", "left"), ENDS)
def test_where_it_ends(
    make_board: Any, rows: list[list[int]], target: int, asked: tuple[int, ...], left: int
) -> None:
    found = inquiry(make_board(["a x", "a y", "b z"], rows, target), one_of_a_type=True)
    assert found == Inquiry(asked=asked, left=left)


@pytest.mark.parametrize("one_of_a_type", [False, True])
@given(data=st.data())
def test_what_is_left_is_what_the_answers_leave(
    boards: Any, one_of_a_type: bool, data: st.DataObject
) -> None:
    board = data.draw(boards)
    found = inquiry(board, one_of_a_type=one_of_a_type)
    feasible = board.everything()
    for value in found.asked:
        feasible = board.after(feasible, value, int(board.answers[board.target, value]))
    assert found.left == feasible.sum()
    assert (found.left == 1) == (naive(board, one_of_a_type=one_of_a_type) is not None)


@given(st.data())
def test_whoever_has_a_par_can_be_identified(boards: Any, data: st.DataObject) -> None:
    board = data.draw(boards)
    # the free questioner asks all there is, so it gets there whenever there is a way
    assert (par(board) is not None) == identifiable(board)
    if par(board, one_of_a_type=True) is not None:
        assert identifiable_protocol(board)
