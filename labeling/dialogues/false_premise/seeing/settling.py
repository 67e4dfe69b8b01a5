"""What the answers of several voters come to."""

from collections.abc import Sequence
from typing import Literal

from benchwright.records import Answer

Settled = Literal["yes", "no"] | None


def settled(answers: Sequence[Answer | None]) -> Settled:
    """Return yes or no where two thirds of all who were asked say so, null where neither holds.

    ``answers`` are one of each voter, null for one that gave none. Whoever is unsure or silent
    counts among those asked, so that a single voice among many settles nothing.
    """
    for answer in ("yes", "no"):
        if answers and 3 * answers.count(answer) >= 2 * len(answers):
            return answer
    return None


def agreed(answers: Sequence[Answer]) -> Answer:
    """Return what one voter says to several wordings of a question: unsure where they differ."""
    said = set(answers)
    return said.pop() if len(said) == 1 else "unsure"
