"""Where a game stands for a player that knows the labels, by what it was told alone."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.feasible import Bools
from benchwright.knowledge import NO, UNKNOWN, YES
from benchwright.records import Told, Turn
from evaluation.hidden_target.feasible import is_answered
from evaluation.hidden_target.game import Game

Texts = Mapping[tuple[str, str], str]  # the question for each value, by (type, value)
_ANSWERS: Mapping[Told, int] = {"yes": YES, "no": NO, "unsure": UNKNOWN}


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What the answers leave of g pictures and q values.

    ``feasible`` (g,) are the pictures that fit all answers, ``left`` (q,) the values of types that
    were not asked about. ``fewest`` are the pictures, by number from 1, that contradict the fewest
    answers: the feasible ones, where there are any. ``again`` is the column of what is best asked
    again: of all that was answered and not put twice, that without whose answer the most pictures
    fit, the earliest of equals; null where there is none.
    """

    feasible: Bools
    left: Bools
    fewest: tuple[int, ...]
    again: int | None


def standing(game: Game, texts: Texts, turns: Sequence[Turn]) -> Standing:
    """Return where a game stands after questions of ``texts``; nothing of the target is read."""
    board = game.gallery.board
    column_of = {texts[value.type, value.value]: at for at, value in enumerate(board.values)}
    put = Counter(column_of[turn.text] for turn in turns)
    latest = {column_of[turn.text]: turn.told for turn in turns if is_answered(turn)}
    asked = {board.values[column].type for column in put}
    against = {
        column: (board.answers[:, column] * _ANSWERS[told] == YES * NO).astype(int)
        for column, told in latest.items()
    }
    count = sum(against.values(), np.zeros(len(board.answers), int))
    once = [column for column in latest if put[column] == 1]
    return Standing(
        feasible=count == 0,
        left=np.array([value.type not in asked for value in board.values], bool),
        fewest=tuple(int(at) + 1 for at in np.flatnonzero(count == count.min())),
        again=max(
            once, key=lambda column: np.count_nonzero(count == against[column]), default=None
        ),
    )
