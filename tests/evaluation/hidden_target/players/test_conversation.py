"""A game as messages."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from benchwright.asking.requests import Message, PicturePart
from benchwright.feasible import Board
from benchwright.records import Upload
from evaluation.hidden_target.game import SIGNAL, Game, Rules
from evaluation.hidden_target.players.conversation import conversation
from evaluation.hidden_target.wording import SENT_BACK, SILENCE
from stand_ins.small_games import turn


def seen(game: Game, *texts: str) -> list[Upload]:
    said = texts or ["OK"] * (len(game.batches) - 1)
    return [Upload(batch=at + 1, text=text, kind="acknowledged") for at, text in enumerate(said)]


def text_of(message: Message) -> str:
    return "".join(part for part in message.parts if isinstance(part, str))


def pictures_of(messages: Sequence[Message]) -> list[PicturePart]:
    return [part for one in messages for part in one.parts if isinstance(part, PicturePart)]


@pytest.fixture
def game(make_game: Any) -> Game:
    """Seven pictures in batches of three."""
    board = Board(target=0, values=(), answers=np.zeros((7, 0), np.int8))
    made: Game = make_game(board, Rules(noun="thing", batch_size=3))
    return made


TURNS = [
    turn("skip", text="Is it red?"),
    turn("yes", text="Is it wide?", turn=2),
    turn("unsure", text="?", turn=3),
]


def test_user_and_assistant_take_turns(game: Game) -> None:
    messages = conversation(game, (), seen(game), TURNS)
    assert [message.role for message in messages] == ["user", "assistant"] * 5 + ["user"]
    assert all(text_of(message).strip() for message in messages)


def test_each_picture_is_shown_once_behind_its_number(game: Game) -> None:
    messages = conversation(game, (), seen(game), TURNS)
    assert pictures_of(messages) == [game.shown(number).part for number in range(1, 8)]
    number = 0
    for message in messages:
        for before, part in zip(message.parts, message.parts[1:], strict=False):
            if isinstance(part, PicturePart):
                number += 1
                assert before == f"Picture {number}:"
    assert [text_of(messages[at]).splitlines()[0] for at in (2, 4)] == [
        "Pictures 4 to 6",
        "Picture 7",
    ]


def test_the_signal_ends_the_last_batch_and_only_that(game: Game) -> None:
    messages = conversation(game, (), seen(game), ())
    assert [text_of(one).endswith(SIGNAL) for one in messages if one.role == "user"] == [
        False,
        False,
        True,
    ]
    # one batch: the task, the pictures and the signal in one message
    at_once = replace(game, rules=Rules(noun="thing", batch_size=0))
    (only,) = conversation(at_once, (), (), ())
    assert text_of(only).endswith(SIGNAL)
    assert len(pictures_of([only])) == 7


def test_nothing_before_the_signal_tells_how_many_pictures_there_are(make_game: Any) -> None:
    rules = Rules(noun="thing", batch_size=3)
    games = [
        make_game(Board(target=0, values=(), answers=np.zeros((size, 0), np.int8)), rules)
        for size in (7, 12)
    ]
    small, large = (conversation(one, (), seen(one, "OK"), ()) for one in games)
    assert small == large


def test_what_was_said_never_changes(game: Game) -> None:
    whole = conversation(game, (), seen(game), TURNS)
    for count in range(3):
        part = conversation(game, (), seen(game), TURNS[:count])
        assert whole[: len(part)] == part
    assert whole[:3] == conversation(game, (), seen(game)[:1], ())


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("Is it red?", "Is it red?"),
        # what it thought is not sent back, closed or not
        ("<think>Red or blue?</think>\nIs it red?", "Is it red?"),
        ("<think>Red or blue?", SILENCE),
        # servers take no empty message
        ("", SILENCE),
        (" \n", SILENCE),
        # of what is long just the end, where it asks
        ("x" * (SENT_BACK - 10) + "Is it red?", "x" * (SENT_BACK - 10) + "Is it red?"),
        ("y" + "x" * (SENT_BACK - 10) + "Is it red?", "…" + "x" * (SENT_BACK - 10) + "Is it red?"),
        ("A" * 1_000_000, "…" + "A" * SENT_BACK),
        (f"<think>{'A' * 1_000_000}</think>Is it red?", "Is it red?"),
    ],
)
def test_what_is_sent_back_of_what_it_said(game: Game, text: str, sent: str) -> None:
    messages = conversation(game, (), seen(game, text, text), [turn("no", text=text)])
    assert [text_of(one) for one in messages if one.role == "assistant"] == [sent] * 3


def test_the_last_answer_says_that_no_turn_is_left(game: Game) -> None:
    game = replace(game, rules=Rules(noun="thing", batch_size=3, turns=3))
    messages = conversation(game, (), seen(game), TURNS)
    assert [text_of(one) for one in messages[-5::2]] == [
        "Skip",
        "Yes",
        "Unsure. That was the last turn.",
    ]
