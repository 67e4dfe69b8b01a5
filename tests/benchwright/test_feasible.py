"""Definition 7: what stays possible after an answer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.feasible import Board, board_of
from benchwright.knowledge import NO, UNKNOWN, YES, Value

VALUES = tuple(
    Value(type="t", value=name, askable=name != "hidden") for name in ("a", "b", "hidden")
)
ANSWERS = np.array(
    [
        [YES, NO, YES],
        [YES, UNKNOWN, NO],
        [NO, YES, YES],
        [UNKNOWN, NO, UNKNOWN],
    ],
    np.int8,
)


@pytest.fixture
def board() -> Board:
    return board_of(ANSWERS, VALUES, target=0)


def test_only_what_may_be_asked_is_on_the_board(board: Board) -> None:
    assert [value.value for value in board.values] == ["a", "b"]
    assert board.answers.tolist() == ANSWERS[:, :2].tolist()
    assert board.target == 0


@pytest.mark.parametrize(
    ("value", "answer", "stays"),
    [
        (0, YES, [0, 1, 3]),  # who has it, and who may have it
        (0, NO, [2, 3]),
        (1, YES, [1, 2]),
        (1, NO, [0, 1, 3]),
        (0, UNKNOWN, [0, 1, 2, 3]),  # unsure changes nothing
        (1, UNKNOWN, [0, 1, 2, 3]),
    ],
)
def test_what_stays(board: Board, value: int, answer: int, stays: list[int]) -> None:
    everything = board.everything()
    assert board.after(everything, value, answer).nonzero()[0].tolist() == stays
    assert everything.all()  # what was given is left as it was


def test_answers_add_up(board: Board) -> None:
    left = board.after(board.after(board.everything(), 0, YES), 1, NO)
    assert left.nonzero()[0].tolist() == [0, 1, 3]
    assert board.after(left, 0, NO).nonzero()[0].tolist() == [3]  # contradictions may empty it


def test_what_tells_from_the_target(board: Board) -> None:
    assert board.telling().tolist() == [
        [False, False],  # nothing tells the target from itself
        [False, False],  # the same, or unknown
        [True, True],
        [False, False],
    ]


answers = st.integers(1, 6).flatmap(
    lambda pictures: st.lists(
        st.lists(st.sampled_from([YES, NO, UNKNOWN]), min_size=3, max_size=3),
        min_size=pictures,
        max_size=pictures,
    )
)


@given(answers, st.data())
def test_true_answers_never_lose_the_target_and_lose_just_what_they_tell(
    rows: list[list[int]], data: st.DataObject
) -> None:
    target = data.draw(st.integers(0, len(rows) - 1))
    values = tuple(Value(type="t", value=name) for name in "abc")
    board = board_of(np.array(rows, np.int8), values, target)
    feasible = board.everything()
    asked = data.draw(st.lists(st.integers(0, 2), max_size=5))
    for value in asked:
        feasible = board.after(feasible, value, int(board.answers[target, value]))
        assert feasible[target]
    told = board.telling()[:, sorted(set(asked))].any(axis=1)
    assert (feasible == ~told).all()


def test_no_value_may_be_asked() -> None:
    hidden = tuple(Value(type="t", value=name, askable=False) for name in "abc")
    board = board_of(ANSWERS, hidden, target=1)
    assert board.values == ()
    assert board.answers.shape == (4, 0)
    assert board.telling().shape == (4, 0)
