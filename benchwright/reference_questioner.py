"""par: which questions the reference questioner asks, and how many."""

import numpy as np

from benchwright.feasible import Board
from benchwright.knowledge import NO, YES


def par(board: Board, *, one_of_a_type: bool = False) -> int | None:
    """Return the number of questions of the reference questioner; None when it gets stuck."""
    found = questions(board, one_of_a_type=one_of_a_type)
    return None if found is None else len(found)


def questions(board: Board, *, one_of_a_type: bool = False) -> list[int] | None:
    """Return the values asked until only the target is feasible; None when it gets stuck.

    The questioner does not know the target. It asks the value that minimises the expected size of
    the feasible set F, (|Fy|·(|F|-|Fn|) + |Fn|·(|F|-|Fy|) + |Fu|·|F|) / |F|, ties by (type,
    value), each value once; it is answered a(t, v), unsure where that is unknown. With
    ``one_of_a_type`` each type is asked once at most (par_protocol). Stuck is: no question left
    can change F.

    The numerator is |F|² - 2·|Fy|·|Fn|, so the largest product |Fy|·|Fn| is sought.
    """
    feasible = board.everything()
    types = np.array([value.type for value in board.values], dtype=object)
    left = np.ones(len(board.values), bool)
    asked: list[int] = []
    while np.count_nonzero(feasible) > 1:
        now = board.answers[feasible]
        split = (now == YES).sum(axis=0) * (now == NO).sum(axis=0)
        split[~left] = 0
        if not split.any():
            return None
        value = int(split.argmax())
        feasible = board.after(feasible, value, int(board.answers[board.target, value]))
        left &= (types != types[value]) if one_of_a_type else np.arange(len(left)) != value
        asked.append(value)
    return asked
