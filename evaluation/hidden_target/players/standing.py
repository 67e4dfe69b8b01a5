"""Where a game stands for a player that knows the labels, by what it was told alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.feasible import Bools
from benchwright.knowledge import NO, UNKNOWN, YES
from benchwright.run_records import Told, Turn
from evaluation.hidden_target.game import Game

Texts = Mapping[tuple[str, str], str]  # the question for each value, by (type, value)
_ANSWERS: Mapping[Told, int] = {"yes": YES, "no": NO, "unsure": UNKNOWN, "skip": UNKNOWN}


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What the answers leave of g pictures and q values.

    ``feasible`` (g,) are the pictures that fit all answers, ``left`` (q,) the values of types that
    were not asked about. ``fewest`` are the pictures, by number from 1, that contradict the fewest
    answers: the feasible ones, where there are any.
    """

    feasible: Bools
    left: Bools
    fewest: tuple[int, ...]


def standing(game: Game, texts: Texts, turns: Sequence[Turn]) -> Standing:
    """Return where a game stands after questions of ``texts``; nothing of the target is read."""
    board = game.gallery.board
    column_of = {texts[value.type, value.value]: at for at, value in enumerate(board.values)}
    against = np.zeros(len(board.answers), int)
    asked: set[str] = set()
    for turn in turns:
        column = column_of[turn.text]
        asked.add(board.values[column].type)
        against += board.answers[:, column] * _ANSWERS[turn.told] == YES * NO
    return Standing(
        feasible=against == 0,
        left=np.array([value.type not in asked for value in board.values], bool),
        fewest=tuple(int(at) + 1 for at in np.flatnonzero(against == against.min())),
    )
