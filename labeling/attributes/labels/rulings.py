"""What people hold of labels: the answers that their decisions come to, cell by cell."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Self, cast

import pyarrow as pa
import pyarrow.compute as pc

from benchwright.decisions.cells import Cell, cell_of
from benchwright.decisions.on_labels import label_decisions, label_decisions_digest
from benchwright.decisions.standing import Standing, outcome
from benchwright.records import Answer, Decision
from benchwright.workspace import Workspace
from labeling.attributes.vocabulary.vocabulary import Vocabulary

TypeOfSubject = tuple[str, str | None, str]

_ANSWERS = ("yes", "no", None)  # what a decision on a label can hold


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What stands of a label, and whose decision it is: names, sorted, with commas between."""

    answer: Answer
    auditor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulings:
    """What people hold of the labels of a workspace.

    ``by_cell`` are the labels that they decided. Of ``undecided`` ones two answers are as
    frequent; ``contradictions`` are yes to more than one value of an exclusive type of a subject.
    Neither is in ``by_cell``: there the votes stand until a further auditor has looked.
    ``left_out`` counts the labels with decisions that can be of no row, by reason. ``digest`` is
    that of all standing decisions on labels, null where there is none.
    """

    by_cell: Mapping[Cell, Ruling]
    exclusive: frozenset[str]
    undecided: tuple[Cell, ...] = ()
    contradictions: tuple[Cell, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    digest: str | None = None
    _yes: Mapping[TypeOfSubject, Ruling] = field(default_factory=dict)

    @classmethod
    def of(cls, decisions: Standing, vocabulary: Vocabulary, pictures: pa.Array) -> Self:
        """Return what decisions that stand come to, on values of a vocabulary and on pictures."""
        known = set(pictures.filter(pc.is_in(pictures, value_set=_pictures_of(decisions))).tolist())
        values = {(value.type, value.value) for value in vocabulary.values}
        exclusive = frozenset(entry.type for entry in vocabulary.types if entry.exclusive)
        by_cell: dict[Cell, Ruling] = {}
        undecided: list[Cell] = []
        left_out: Counter[str] = Counter()
        for cell, by_auditor in _cells(decisions):
            voiced = {name: one for name, one in by_auditor.items() if one.after in _ANSWERS}
            if cell[2:] not in values:
                left_out["decisions_not_in_vocabulary"] += 1
            elif cell[0] not in known:
                left_out["decisions_not_in_catalog"] += 1
            elif not voiced:
                left_out["decisions_without_yes_or_no"] += 1
            elif (ruling := _ruling(voiced)) is None:
                undecided.append(cell)
            else:
                by_cell[cell] = ruling
        contradictions = _contradictions(by_cell, exclusive)
        for cell in contradictions:
            del by_cell[cell]
        return cls(
            by_cell=by_cell,
            exclusive=exclusive,
            undecided=tuple(undecided),
            contradictions=contradictions,
            left_out=dict(sorted(left_out.items())),
            digest=label_decisions_digest(decisions),
            _yes={
                cell[:3]: ruling
                for cell, ruling in by_cell.items()
                if ruling.answer == "yes" and cell[2] in exclusive
            },
        )

    def on(self, cell: Cell) -> Ruling | None:
        """Return what stands of a cell, null where the votes do.

        A cell that nobody decided is no when people said yes to another value of its exclusive
        type: that follows from their decision, so it is theirs.
        """
        own = self.by_cell.get(cell)
        if own is not None or (yes := self._yes.get(cell[:3])) is None:
            return own
        return Ruling(answer="no", auditor=yes.auditor)

    def pictures(self) -> pa.Array:
        """Return the pictures of which people decided something, sorted."""
        return pa.array(sorted({cell[0] for cell in self.by_cell}), pa.string())


def read_rulings(workspace: Workspace, vocabulary: Vocabulary, pictures: pa.Array) -> Rulings:
    """Return what people hold of labels; ``pictures`` are the image ids of the catalog."""
    return Rulings.of(label_decisions(workspace), vocabulary, pictures)


def _cells(decisions: Standing) -> Iterator[tuple[Cell, Mapping[str, Decision]]]:
    for thing, by_auditor in sorted(
        decisions.items(), key=lambda entry: [part or "" for part in entry[0]]
    ):
        cell = cell_of(thing)
        if cell is not None:
            yield cell, by_auditor


def _pictures_of(decisions: Standing) -> pa.Array:
    return pa.array(sorted({thing.image_id or "" for thing in decisions}), pa.string())


def _ruling(by_auditor: Mapping[str, Decision]) -> Ruling | None:
    """Return what auditors hold; null where two answers are as frequent."""
    after, is_open = outcome(by_auditor)
    if is_open == "undecided":
        return None
    holders = sorted(name for name, decision in by_auditor.items() if decision.after == after)
    return Ruling(answer=cast("Answer", after or "unsure"), auditor=", ".join(holders))


def _contradictions(by_cell: Mapping[Cell, Ruling], exclusive: frozenset[str]) -> tuple[Cell, ...]:
    found: dict[TypeOfSubject, list[Cell]] = defaultdict(list)
    for cell, ruling in by_cell.items():
        if ruling.answer == "yes" and cell[2] in exclusive:
            found[cell[:3]].append(cell)
    return tuple(cell for cells in found.values() if len(cells) > 1 for cell in cells)
