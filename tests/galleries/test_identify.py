"""Definition 5: whether a gallery can be solved, against trying everything."""

import time
from itertools import groupby, product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.feasible import Board
from galleries import identify
from galleries.identify import identifiable, identifiable_protocol

NAMES = ["hem long", "neck boat", "neck v"]


@pytest.mark.parametrize(
    ("rows", "free", "protocol"),
    [
        # alone: nothing to be told from
        ([[0, 0, 0]], True, True),
        # one value tells both
        ([[1, 0, 0], [-1, 0, 0], [-1, 0, 0]], True, True),
        # what is unknown of the distractor never tells it apart
        ([[1, 0, 0], [0, 0, 0]], False, False),
        # nor what is unknown of the target
        ([[0, 0, 0], [1, 1, 1]], False, False),
        # a no of the target tells as well as a yes
        ([[-1, 0, 0], [1, 0, 0]], True, True),
        # two values of one type are needed: solvable, but not under the protocol
        ([[0, -1, -1], [0, 1, -1], [0, -1, 1]], True, False),
        # one of the two and a value of another type do
        ([[1, -1, -1], [0, 1, -1], [-1, -1, 1]], True, True),
        # two pictures alike in all
        ([[1, 1, -1], [1, 1, -1], [-1, -1, 1]], False, False),
    ],
)
def test_cases(make_board: Any, rows: list[list[int]], free: bool, protocol: bool) -> None:
    board = make_board(NAMES, rows)
    assert identifiable(board) is free
    assert identifiable_protocol(board) is protocol


def test_without_an_askable_value_only_the_lone_picture_is_solved(make_board: Any) -> None:
    assert identifiable(make_board([], [[]]))
    assert identifiable_protocol(make_board([], [[]]))
    assert not identifiable(make_board([], [[], []]))
    assert not identifiable_protocol(make_board([], [[], []]))


def tells(board: Board, column: int, picture: int) -> bool:
    own, other = int(board.answers[board.target, column]), int(board.answers[picture, column])
    return own != 0 and other == -own


def exhaustive(board: Board) -> bool:
    """Try every choice of one value, or none, of each type."""
    columns = range(len(board.values))
    by_type = [list(some) for _, some in groupby(columns, key=lambda at: board.values[at].type)]
    others = [row for row in range(len(board.answers)) if row != board.target]
    return any(
        all(any(at is not None and tells(board, at, row) for at in choice) for row in others)
        for choice in product(*([None, *some] for some in by_type))
    )


@given(st.data())
def test_the_search_equals_trying_all_choices(boards: Any, data: st.DataObject) -> None:
    board = data.draw(boards)
    assert identifiable_protocol(board) == exhaustive(board)


@given(st.data())
def test_free_questions_need_one_telling_value_for_each_picture(
    boards: Any, data: st.DataObject
) -> None:
    board = data.draw(boards)
    others = [row for row in range(len(board.answers)) if row != board.target]
    columns = range(len(board.values))
    expected = all(any(tells(board, at, row) for at in columns) for row in others)
    assert identifiable(board) == expected
    assert identifiable(board) or not identifiable_protocol(board)


@pytest.mark.parametrize("pictures", [70, 200])
def test_galleries_wider_than_a_machine_word(make_board: Any, pictures: int) -> None:
    # one type for each distractor, and one type too few
    for types, solvable in ((pictures - 1, True), (pictures - 2, False)):
        rows = np.ones((pictures, types), int)
        rows[np.arange(types) + 1, np.arange(types)] = -1
        names = [f"t{at:03d} v" for at in range(types)]
        assert identifiable_protocol(make_board(names, rows.tolist())) is solvable


@pytest.mark.parametrize("seed", range(6))
def test_a_gallery_in_which_each_value_tells_few_takes_no_time(make_board: Any, seed: int) -> None:
    # a search that does not weigh what is left against what can still be told takes hours here
    rng = np.random.default_rng(seed)
    names = [f"t{kind:02d} v{value:02d}" for kind in range(12) for value in range(12)]
    rows = np.where(rng.random((90, len(names))) < 0.12, 1, -1)
    rows[0] = -1
    started = time.process_time()
    assert identifiable_protocol(make_board(names, rows.tolist()))
    assert time.process_time() - started < 10


def test_the_program_agrees_with_the_search() -> None:
    """Where the search gives up, an integer program must say the same."""
    chance = Random(5)
    asked = 0
    for _ in range(150):
        options = tuple(
            tuple(chance.getrandbits(10) | 1 for _ in range(3)) for _ in range(chance.randrange(5))
        )
        left = chance.getrandbits(10)
        if not left or not options:
            continue
        by_search = identify._covers(left, options, identify.count())
        assert identify._covers_by_program(left, options) == by_search, (left, options)
        asked += by_search
    assert 10 < asked < 140
