"""Definitions 7 and 15: what answers leave, which answer counts, what a turn did."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.feasible import Board
from benchwright.records import Asked, Turn
from evaluation.hidden_target.feasible import (
    eliminated_at,
    feasible_after,
    feasible_before,
    is_contradiction,
    is_stall,
    same_question,
)
from evaluation.hidden_target.oracle.labels import LabelOracle
from evaluation.hidden_target.parts import Question
from evaluation.hidden_target.verifier.labels import LabelVerifier
from stand_ins.small_games import game_of, question, turn

MakeBoard = Callable[..., Board]


@pytest.mark.parametrize(
    ("turns", "stays"),
    [
        ([], [1, 2, 3, 4]),
        ([turn("yes", "ynuy", "a x")], [1, 3, 4]),
        ([turn("no", "ynuy", "a x")], [2, 3]),
        ([turn("unsure", "ynuy", "a x")], [1, 2, 3, 4]),
        ([turn("skip", "", "a x")], [1, 2, 3, 4]),
        ([turn("yes", "yynn", "a x"), turn("no", "ynyn", "b x")], [2]),
        ([turn("yes", "yynn", "a x"), turn("yes", "nnyy", "b x")], []),  # a contradiction
        # the latest answer to the same question counts
        ([turn("yes", "yynn", "a x"), turn("no", "yynn", "a x")], [3, 4]),
        # an unsure one takes the earlier back
        ([turn("yes", "yynn", "a x"), turn("unsure", "yynn", "a x")], [1, 2, 3, 4]),
        # a skip was no answer
        ([turn("yes", "yynn", "a x"), turn("skip", "", "a x")], [1, 2]),
        # asked the other way round it is the same question
        ([turn("yes", "yynn", "a x"), turn("yes", "nnyy", "-a x")], [3, 4]),
        # another value of the type is another question
        ([turn("yes", "yynn", "a x"), turn("yes", "yynn", "a y"), turn("no", "yynn", "a x")], []),
        # what was not mapped is the same in the same words
        (
            [
                turn("yes", "yynn", text="Is it, WELL, nice?"),
                turn("no", "ynyn", text="is it well nice"),
            ],
            [2, 4],
        ),
        ([turn("yes", "yynn", text="Nice?"), turn("no", "ynyn", text="Pretty?")], [2]),
    ],
)
def test_what_answers_leave(turns: list[Turn], stays: list[int]) -> None:
    assert feasible_after(4, turns) == tuple(stays)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (question("a x"), question("-a x"), True),
        (question("a x", text="Is it x?"), question("a x", text="Has it x?"), True),
        (question("a x"), question("b x"), False),
        (question("a x", "b y"), question("b y", "a x"), True),  # in another order
        (question("a x", "b y"), question("a x", "-b y"), False),  # neither is the other's contrary
        (question("a x", "b y"), question("a x"), False),
        (question(text="Is it «nice»？"), question(text="is it nice"), True),
        (question(text="裙子好看吗？"), question(text="裙子好看吗"), True),
        (question(text="裙子好看吗？"), question(text="裙子长吗？"), False),
        (question(text="👗?"), question(text="👖?"), False),  # signs that say something
        (question(text="x"), question("a x", text="x"), False),
        (question(text="so " * 10**6), question(text="so, " * 1000 + "what"), False),
        (question(text="Is it nice?"), turn("yes", text="is it nice"), True),
        # a turn without a question in it has no words
        (turn("skip", text="", question=None), question(text="?"), True),
    ],
)
def test_the_same_question(one: Question | Turn, other: Question | Turn, *, same: bool) -> None:
    assert same_question(one, other) is same
    assert same_question(other, one) is same


def played(*turns: Turn) -> list[Turn]:
    """Return turns with the feasible sets that they leave, as a referee keeps them."""
    return [
        replace(each, feasible=feasible_after(4, turns[: at + 1])) for at, each in enumerate(turns)
    ]


def test_what_a_turn_did() -> None:
    turns = played(
        turn("yes", "yyyn", "a x"),  # 1, 2, 3
        turn("unsure", "ynyn", "b x"),  # a stall
        turn("skip", "", "c x"),  # none: nothing was answered
        turn("no", "nnny", "d x"),  # a stall: it eliminates nothing
        turn("no", "yyyn", "e x"),  # a contradiction
        turn("yes", "yynn", "f x"),  # still nothing left: a stall, no new contradiction
        turn("yes", "nnyy", "e x"),  # asked again: 3 would be left, but f says 1 or 2
        turn("unsure", "yynn", "-f x"),  # 3 is back
    )
    about = range(len(turns))
    assert [each.feasible for each in turns[3:]] == [(1, 2, 3), (), (), (), (3,)]
    assert [eliminated_at(4, turns, at) for at in about] == [
        (4,), (), (), (), (1, 2, 3), (), (), (),
    ]  # fmt: skip
    assert [at for at in about if is_stall(4, turns, at)] == [1, 3, 5, 6]
    assert [at for at in about if is_contradiction(4, turns, at)] == [4]
    assert feasible_before(4, turns, 0) == (1, 2, 3, 4)
    assert feasible_before(4, turns, len(turns)) == (3,)


def answered(board: Board, asked: Question) -> Turn:
    """Return the turn in which the labels answer and check."""
    game = game_of(board)
    told = asyncio.run(LabelOracle().answer(game, asked)).answer
    fits = asyncio.run(LabelVerifier().check(game, asked)).fits
    return replace(turn(told, fits), asked=asked.asked)


def questions_about(board: Board) -> st.SearchStrategy[list[Question]]:
    """Return any questions about the values of a board, of up to three values each."""
    values = [
        Asked(type=each.type, value=each.value, is_negated=is_negated)
        for each in board.values
        for is_negated in (False, True)
    ]
    some = st.lists(st.sampled_from(values), max_size=3) if values else st.just([])
    made = some.map(lambda asked: replace(question(), asked=tuple(asked)))
    return st.lists(made, max_size=8)


@given(st.data())
def test_labels_never_eliminate_the_target(
    boards: st.SearchStrategy[Board], data: st.DataObject
) -> None:
    board = data.draw(boards)
    turns = [answered(board, asked) for asked in data.draw(questions_about(board))]
    assert board.target + 1 in feasible_after(len(board.answers), turns)


@given(st.data())
def test_an_answer_leaves_what_the_board_says(
    boards: st.SearchStrategy[Board], data: st.DataObject
) -> None:
    board = data.draw(boards.filter(lambda drawn: len(drawn.values) > 0))
    order = data.draw(st.permutations(range(len(board.values))))
    feasible, turns = board.everything(), []
    for at in order:
        value, is_negated = board.values[at], data.draw(st.booleans())
        asked = Asked(type=value.type, value=value.value, is_negated=is_negated)
        turns.append(answered(board, replace(question(), asked=(asked,))))
        feasible = board.after(feasible, at, int(board.answers[board.target, at]))
        left = tuple(int(row) + 1 for row in feasible.nonzero()[0])
        assert feasible_after(len(board.answers), turns) == left
