"""par: which questions the reference questioner asks, and how many."""

from dataclasses import dataclass

import numpy as np

from benchwright.feasible import Board, Bools
from benchwright.knowledge import NO, YES


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """The values that the reference questioner ``asked`` for, and how many pictures are ``left``.

    One is left where it found the target; more where it got stuck and can only guess among them.
    """

    asked: tuple[int, ...]
    left: int


def par(board: Board, *, one_of_a_type: bool = False) -> int | None:
    """Return the number of questions of the reference questioner; None when it gets stuck."""
    found = questions(board, one_of_a_type=one_of_a_type)
    return None if found is None else len(found)


def questions(board: Board, *, one_of_a_type: bool = False) -> list[int] | None:
    """Return the values asked until only the target is feasible; None when it gets stuck."""
    found = inquiry(board, one_of_a_type=one_of_a_type)
    return list(found.asked) if found.left == 1 else None


def inquiry(board: Board, *, one_of_a_type: bool = False) -> Inquiry:
    """Return what is asked until only the target is feasible, or nothing more can be told.

    It goes by ``next_question`` and is answered a(t, v), unsure where that is unknown. It asks each
    value once; with ``one_of_a_type`` each type is asked once at most (par_protocol).
    """
    feasible, left = board.everything(), np.ones(len(board.values), bool)
    asked: list[int] = []
    while np.count_nonzero(feasible) > 1:
        value = next_question(board, feasible, left)
        if value is None:
            break
        feasible = board.after(feasible, value, int(board.answers[board.target, value]))
        left &= _of_other_types(board, value) if one_of_a_type else np.arange(len(left)) != value
        asked.append(value)
    return Inquiry(asked=tuple(asked), left=int(np.count_nonzero(feasible)))


def next_question(board: Board, feasible: Bools, left: Bools) -> int | None:
    """Return the value that the reference questioner asks for, null when it is stuck.

    It does not know the target. Of the values that are ``left`` (q,) it asks the one that minimises
    the expected size of the feasible set F, (|Fy|·(|F|-|Fn|) + |Fn|·(|F|-|Fy|) + |Fu|·|F|) / |F|,
    ties by (type, value). Stuck is: none of them can change F.

    The numerator is |F|² - 2·|Fy|·|Fn|, so the largest product |Fy|·|Fn| is sought.
    """
    now = board.answers[feasible]
    split = (now == YES).sum(axis=0) * (now == NO).sum(axis=0)
    split[~left] = 0
    return int(split.argmax()) if split.any() else None


def _of_other_types(board: Board, value: int) -> Bools:
    kind = board.values[value].type
    return np.array([other.type != kind for other in board.values], bool)
