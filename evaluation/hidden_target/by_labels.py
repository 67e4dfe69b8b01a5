"""What the labels of a release say to a question."""

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from benchwright.knowledge import NO, UNKNOWN, YES, Value
from benchwright.records import Asked
from evaluation.releases.galleries import Gallery

_LETTERS = {YES: "y", NO: "n", UNKNOWN: "u"}


def answers_by_labels(gallery: Gallery, asked: Sequence[Asked]) -> npt.NDArray[np.int8]:
    """Return (g,) what is true of each picture: 1 yes, -1 no, 0 unknown.

    Several values in one question are joined by Kleene's and: no where one is no, yes where all
    are yes, else unknown. Nothing is known where nothing is asked. Values that may not be asked
    about are answered too: that is for a detector to see. Raises KeyError for a value that the
    release does not have.
    """
    if not asked:
        return np.zeros(len(gallery), np.int8)
    columns = [_column(gallery, each) for each in asked]
    joined: npt.NDArray[np.int8] = np.minimum.reduce(columns)
    return joined


def fits_by_labels(gallery: Gallery, asked: Sequence[Asked]) -> str:
    """Return the same as a letter for each picture: y, n or u (unknown)."""
    return "".join(_LETTERS[each] for each in answers_by_labels(gallery, asked).tolist())


def _column(gallery: Gallery, asked: Asked) -> npt.NDArray[np.int8]:
    wanted = asked.type, asked.value
    at = bisect_left(gallery.values, wanted, key=_name)  # values stand by (type, value)
    if at == len(gallery.values) or _name(gallery.values[at]) != wanted:
        raise KeyError(wanted)
    column: npt.NDArray[np.int8] = gallery.answers[:, at]
    return -column if asked.is_negated else column


def _name(value: Value) -> tuple[str, str]:
    return value.type, value.value
