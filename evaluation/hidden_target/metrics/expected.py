"""How far the reference questioner gets in a gallery, without anybody playing (definition 6)."""

from dataclasses import dataclass

import numpy as np

from benchwright.feasible import Board
from benchwright.reference_questioner import next_question


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceEnd:
    """Where the reference questioner of the protocol, each type once, comes to an end.

    ``feasible`` counts the pictures that are left: 1 where it finds the target, else the dead end
    in which it can only guess, right once in ``feasible`` times.
    """

    questions: int
    feasible: int


def reference_end(board: Board) -> ReferenceEnd:
    """Return the end of the reference questioner in a gallery, with as many turns as it wants."""
    types = np.array([value.type for value in board.values], dtype=object)
    feasible, left, asked = board.everything(), np.ones(len(board.values), bool), 0
    while np.count_nonzero(feasible) > 1:
        value = next_question(board, feasible, left)
        if value is None:
            break
        feasible = board.after(feasible, value, int(board.answers[board.target, value]))
        left &= types != types[value]
        asked += 1
    return ReferenceEnd(questions=asked, feasible=int(np.count_nonzero(feasible)))
