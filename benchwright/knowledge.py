"""What is known of every picture: yes, no or unknown for each attribute value.

a(x, v) is the label where there is one: for a catalog, yes for what it lists. Where there is none
it is no where v's type is exclusive and another value of it is yes, or where the vocabulary
declares the type complete and the labels keep what the catalog states; else unknown. Attr(x) is
the set of values with yes, askable or not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

YES, NO, UNKNOWN = 1, -1, 0


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Value:
    """One attribute value with what the vocabulary says of its type."""

    type: str
    value: str
    exclusive: bool = False
    complete: bool = False
    askable: bool = True


def runs_of_types(values: Sequence[Value]) -> tuple[range, ...]:
    """Return the places of the values of each type, of values that are sorted by it."""
    starts = [at for at, value in enumerate(values) if at == 0 or value.type != values[at - 1].type]
    return tuple(range(start, end) for start, end in pairwise([*starts, len(values)]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """The knowledge about n pictures and m values, values sorted by (type, value).

    ``ids`` (n,) are image ids as 64-bit numbers, ascending. ``groups`` (n,) is one number for the
    pictures of one group; a picture without a group has a number of its own. ``yes`` holds
    Attr(x) row by row as column numbers, ascending within ``indptr`` (n + 1); ``no`` and ``unsure``
    with their ``indptr`` what labels state otherwise. What follows from the flags of the types is
    added by ``answers``; a label that is unsure stays unknown in a complete type, for there models
    or people looked and could not tell.
    """

    ids: np.ndarray
    groups: np.ndarray
    values: tuple[Value, ...]
    indptr: np.ndarray
    yes: np.ndarray
    no_indptr: np.ndarray
    no: np.ndarray
    unsure_indptr: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    unsure: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))

    def image_id(self, row: int) -> str:
        """Return the image id of a row: 16 hex digits."""
        return f"{int(self.ids[row]):016x}"

    def attributes(self, row: int) -> np.ndarray:
        """Return Attr(x) as column numbers, ascending."""
        return self.yes[self.indptr[row] : self.indptr[row + 1]]

    def answers(self, rows: Sequence[int]) -> np.ndarray:
        """Return a(x, v) as int8 of shape (rows, m): 1 yes, -1 no, 0 unknown."""
        known = np.zeros((len(rows), len(self.values)), np.int8)
        for at, row in enumerate(rows):
            known[at, self.no[self.no_indptr[row] : self.no_indptr[row + 1]]] = NO
            known[at, self.attributes(row)] = YES
        open_to_flags = known == UNKNOWN
        for at, row in enumerate(rows if len(self.unsure_indptr) else ()):
            unsure = slice(*self.unsure_indptr[row : row + 2])
            open_to_flags[at, self.unsure[unsure]] = False
        for run in runs_of_types(self.values):
            columns = slice(run.start, run.stop)
            part = known[:, columns]
            first = self.values[run.start]
            implied = open_to_flags[:, columns] & first.complete
            if first.exclusive:
                implied |= (part == UNKNOWN) & (part == YES).any(axis=1)[:, None]
            part[implied] = NO
        return known
