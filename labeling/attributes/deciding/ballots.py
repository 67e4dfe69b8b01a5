"""Votes as arrays: one byte for each planned question of each cell.

A cell is one value of one subject; every cell has the same planned questions. The answers of one
question to all cells lie side by side, so that counting is one pass over each row of bytes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchwright.decisions.cells import name_of
from benchwright.knowledge import Value
from labeling.attributes.deciding.codes import AnswerCodes, Ints, Longs, Mask
from labeling.attributes.deciding.weights import Question

_CHUNK = 1 << 15  # cells that are worked on at once: what is needed for them stays in the cache


@dataclass(frozen=True, kw_only=True)
class Ballots:
    """The votes on n cells by q planned questions.

    ``image_ids`` and ``object_ids`` (null: the picture itself) name the subjects, sorted by
    both; ``values`` are sorted by (type, value), ``questions`` by (voter, template, view).
    ``subjects`` and ``columns`` (n,) are numbers of a subject and of a value, ascending; an
    exclusive type has a cell for each of its values or for none. ``answers`` is (q, n):
    NOT_ASKED, SAID_YES, SAID_NO, ABSTAINED of ``codes``. ``p_yes`` is the same for the
    probabilities of yes, NaN where there is none; it is null unless it was asked for.
    ``failed`` (n,) counts the questions that were put and brought no answer; they are NOT_ASKED.
    It is null where none did. ``left_out`` counts votes by questions, or on values, that are not
    planned.
    """

    image_ids: pa.Array
    object_ids: pa.Array
    values: tuple[Value, ...]
    questions: tuple[Question, ...]
    subjects: Ints
    columns: Ints
    answers: AnswerCodes
    p_yes: npt.NDArray[np.float32] | None = None
    failed: Ints | None = None
    left_out: int = 0

    def __len__(self) -> int:
        return len(self.subjects)

    @cached_property
    def types(self) -> Ints:
        """The number of each value's type, ascending."""
        names = [value.type for value in self.values]
        changes = [at > 0 and name != names[at - 1] for at, name in enumerate(names)]
        return np.cumsum(changes, dtype=np.int32)

    @cached_property
    def exclusive(self) -> Mask:
        """Whether each value is of an exclusive type."""
        return np.array([value.exclusive for value in self.values], bool)

    def chunks(self) -> Iterator[slice]:
        """Yield runs of cells, none of which cuts an exclusive type of a subject in two.

        Without any cell it is one run of none.
        """
        if not len(self):
            yield slice(0, 0)
        start = 0
        while start < len(self):
            end = min(start + _CHUNK, len(self))
            while end < len(self) and self._belongs(end):
                end += 1
            yield slice(start, end)
            start = end

    def _belongs(self, at: int) -> bool:
        """Whether a cell is of the same subject's exclusive type as the one before it."""
        mine, before = self.columns[at], self.columns[at - 1]
        return bool(
            self.exclusive[mine]
            and self.subjects[at] == self.subjects[at - 1]
            and self.types[mine] == self.types[before]
        )

    def exclusive_groups(self, cells: slice, out: Mask | None = None) -> tuple[Longs, Longs]:
        """Return the cells of exclusive types in a chunk, and where each subject's type starts.

        The first array holds places within the chunk, the second places within the first. ``out``
        (n,) marks cells that are taken out of their types: these are decided among the others.
        """
        columns = self.columns[cells]
        chosen = self.exclusive[columns] if out is None else self.exclusive[columns] & ~out[cells]
        places = np.flatnonzero(chosen)
        subjects, types = self.subjects[cells][places], self.types[columns[places]]
        first = np.ones(len(places), bool)
        first[1:] = (subjects[1:] != subjects[:-1]) | (types[1:] != types[:-1])
        return places, np.flatnonzero(first)

    def name(self, cell: int) -> str:
        """Return how an error or a list names a cell."""
        value, subject = self.values[self.columns[cell]], int(self.subjects[cell])
        images, things = self.image_ids, self.object_ids
        return name_of((images[subject].as_py(), things[subject].as_py(), value.type, value.value))

    def take(self, cells: Mask | Longs) -> "Ballots":
        """Return the ballots of some cells (a mask or ascending places).

        Raises ValueError when that would leave a part of a subject's exclusive type.
        """
        chosen = np.arange(len(self))[cells]
        kept = np.zeros(len(self), bool)
        kept[chosen] = True
        places, starts = self.exclusive_groups(slice(0, len(self)))
        if len(starts):
            sizes = np.diff(starts, append=len(places))
            share = np.add.reduceat(kept[places].astype(np.int64), starts)
            if ((share > 0) & (share < sizes)).any():
                raise ValueError("an exclusive type of a subject is taken whole or not at all")
        return Ballots(
            image_ids=self.image_ids,
            object_ids=self.object_ids,
            values=self.values,
            questions=self.questions,
            subjects=self.subjects[chosen],
            columns=self.columns[chosen],
            answers=np.ascontiguousarray(self.answers[:, chosen]),
            p_yes=None if self.p_yes is None else self.p_yes[:, chosen],
            failed=None if self.failed is None else self.failed[chosen],
            left_out=self.left_out,
        )


def planned(questions: Sequence[Question]) -> tuple[Question, ...]:
    """Return the questions in the order of the ballots; raises ValueError for one named twice."""
    if len(set(questions)) != len(questions):
        raise ValueError("a question is planned twice")
    return tuple(sorted(questions))
