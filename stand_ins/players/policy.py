"""The reference questioner as it plays, without a look at the target (definition 6)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.knowledge import NO, UNKNOWN, YES, Value
from benchwright.records import Told
from stand_ins.players.table import Answers

_ANSWER = {"yes": YES, "no": NO, "unsure": UNKNOWN, "skip": UNKNOWN}


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a game stands: the value to ask for, null where no question helps any more.

    ``feasible`` are the numbers of the pictures, from 1, that fit what was told.
    """

    asks: int | None
    feasible: tuple[int, ...]

    @property
    def guess(self) -> int:
        """The first picture that is left; the first of all where none is."""
        return self.feasible[0] if self.feasible else 1


def standing_after(answers: Answers, values: Sequence[Value], told: Sequence[Told]) -> Standing:
    """Return where the game stands when the questions of the policy were told ``told``.

    ``answers`` (pictures, values) is what is known of the gallery. It asks each type once at most,
    always the askable value that splits what is left into the most even halves; what was skipped
    is given up.
    """
    types = np.array([value.type for value in values], dtype=object)
    left = np.array([value.askable for value in values])
    feasible = np.ones(len(answers), bool)
    asks = _best(answers[feasible], left)
    for word in told:
        if asks is None:
            break
        answer = _ANSWER[word]
        known = answers[:, asks]
        if answer != UNKNOWN:
            feasible &= (known == UNKNOWN) | (known == answer)
        left &= types != types[asks]
        asks = _best(answers[feasible], left)
    return Standing(asks=asks, feasible=tuple(int(at) + 1 for at in np.flatnonzero(feasible)))


def _best(now: Answers, left: np.ndarray) -> int | None:
    split = (now == YES).sum(axis=0) * (now == NO).sum(axis=0) * left
    return int(split.argmax()) if split.any() else None
