"""The feasible set of a gallery: which pictures the answers so far still allow."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchwright.knowledge import NO, UNKNOWN, YES, Value

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A gallery as a hidden-target game: g pictures, one of them the target.

    ``answers`` (g, q) is a(x, v) as 1 yes, -1 no, 0 unknown, for the q askable ``values``, which
    stand in the order of (type, value).
    """

    target: int
    values: tuple[Value, ...]
    answers: npt.NDArray[np.int8]

    def everything(self) -> Bools:
        """Return the feasible set before the first question: all pictures."""
        return np.ones(len(self.answers), bool)

    def after(self, feasible: Bools, value: int, answer: int) -> Bools:
        """Return what stays: after yes or no all x with a(x, v) unknown or equal to it.

        Unsure and skip (0) change nothing.
        """
        if answer == UNKNOWN:
            return feasible
        known = self.answers[:, value]
        stays: Bools = feasible & ((known == UNKNOWN) | (known == answer))
        return stays

    def telling(self) -> Bools:
        """Return (g, q): whether a value is known of picture and target, and differs."""
        differs: Bools = self.answers * self.answers[self.target] == YES * NO
        return differs


def board_of(answers: npt.NDArray[np.int8], values: tuple[Value, ...], target: int) -> Board:
    """Return the board of a gallery; ``answers`` (g, m) are those of all m values."""
    askable = [at for at, value in enumerate(values) if value.askable]
    return Board(
        target=target,
        values=tuple(values[at] for at in askable),
        answers=answers[:, askable],
    )
