"""Agreement of annotators with a reference: accuracy of single boxes, P, R and F1 of sets."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.box_matching import match_boxes
from benchwright.boxes import Box
from benchwright.records import CandidateSet, Decision
from benchwright.statistics.agreement.coefficient import (
    Coefficient,
    coefficient,
    quotient,
    undefined,
)
from benchwright.statistics.agreement.judgements import Reals
from benchwright.statistics.agreement.sets import SetPairs, SetScores, set_agreement
from benchwright.statistics.bootstrap import Resample
from benchwright.statistics.draws import DRAWS
from labeling.dialogues.candidate_set.box_ids import ids_of
from labeling.dialogues.candidate_set.deciding import FIELD
from labeling.dialogues.stored import ByField, record_id_of


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedTurn:
    """A turn of a dialogue, and the boxes that each annotator who marked it holds plausible."""

    dialogue_id: str
    image_id: str
    boxes: Mapping[str, Sequence[Box]]  # by annotator, one box or more


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """The turns that somebody marked, and how many marks name boxes that are not there."""

    turns: Sequence[MarkedTurn]
    unread: int

    def annotators(self) -> list[str]:
        """Return who marked a turn, by name."""
        return sorted({name for turn in self.turns for name in turn.boxes})


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAgreement:
    """How the marks of ``annotator`` agree with those of the reference on turns that both marked.

    ``turns`` of ``dialogues`` are of both, ``by_reference`` and ``by_annotator`` turns were marked
    by one of the two alone. ``accuracy`` is of the turns for which the reference has one box,
    ``sets`` of those for which it has more; each score says how many turns it is of.
    """

    annotator: str
    dialogues: int
    turns: int
    by_reference: int
    by_annotator: int
    accuracy: Coefficient
    sets: SetScores


def marked_turns(drafts: Iterable[CandidateSet], of_record: Mapping[str, ByField]) -> Marked:
    """Return the turns of drafts that somebody marked, by the decisions that stand about them."""
    turns, unread = [], 0
    for draft in drafts:
        by_annotator = of_record.get(record_id_of(draft), {}).get(FIELD, {})
        said = {name: one for name, one in by_annotator.items() if one.after is not None}
        found = {name: _boxes(draft, decision) for name, decision in said.items()}
        boxes = {name: held for name, held in found.items() if held}
        unread += len(found) - len(boxes)
        if boxes:
            turn = MarkedTurn(dialogue_id=draft.dialogue_id, image_id=draft.image_id, boxes=boxes)
            turns.append(turn)
    return Marked(turns=turns, unread=unread)


def agreement_with(
    reference: str,
    annotator: str,
    turns: Sequence[MarkedTurn],
    *,
    seed: int = 0,
    draws: int = DRAWS,
) -> PairAgreement:
    """Return the agreement of an annotator with a reference, with intervals over pictures.

    A single box agrees where the annotator has just one, with an IoU of .5 or more (definition
    19). Precision, recall and F1 are means over turns, of boxes matched one to one (definition
    20): the mean F1 may lie under the harmonic mean of the other two, as in CandVG. Null where
    there is no such turn.
    """
    both = [turn for turn in turns if turn.boxes.keys() >= {reference, annotator}]
    singles = [turn for turn in both if len(turn.boxes[reference]) == 1]
    sets = [turn for turn in both if len(turn.boxes[reference]) > 1]
    sizes = [(len(turn.boxes[annotator]), len(turn.boxes[reference])) for turn in sets]
    pairs = SetPairs.counted(
        [_matched(turn, annotator, reference) for turn in sets],
        [size for size, _ in sizes],
        [size for _, size in sizes],
        _pictures(sets),
    )
    return PairAgreement(
        annotator=annotator,
        dialogues=len({turn.dialogue_id for turn in both}),
        turns=len(both),
        by_reference=sum(reference in turn.boxes for turn in turns) - len(both),
        by_annotator=sum(annotator in turn.boxes for turn in turns) - len(both),
        accuracy=_accuracy(singles, annotator, reference, seed, draws),
        sets=set_agreement(pairs, seed, draws).mean,
    )


def _accuracy(
    singles: Sequence[MarkedTurn], annotator: str, reference: str, seed: int, draws: int
) -> Coefficient:
    if not singles:
        return undefined(0, 0)
    right = [
        len(turn.boxes[annotator]) == _matched(turn, annotator, reference) == 1 for turn in singles
    ]
    resample = Resample(_pictures(singles), seed, draws)
    table = np.hstack([resample.by_cluster(right), resample.by_cluster(np.ones(len(right)))])

    def share(sums: Reals) -> Reals:
        return quotient(sums[:, 0], sums[:, 1])

    return coefficient(resample, table, share, len(singles), 0)


def _matched(turn: MarkedTurn, annotator: str, reference: str) -> int:
    return len(match_boxes(turn.boxes[annotator], turn.boxes[reference]))


def _pictures(turns: Sequence[MarkedTurn]) -> list[int]:
    """Return the number of the picture of each turn, in the order of the ids."""
    names = sorted({turn.image_id for turn in turns})
    numbers = {name: number for number, name in enumerate(names)}
    return [numbers[turn.image_id] for turn in turns]


def _boxes(draft: CandidateSet, decision: Decision) -> Sequence[Box]:
    """Return the boxes that a decision marks, none where it names another one."""
    known = {box.box_id: box.bbox for box in draft.boxes}
    try:
        ids = ids_of(decision.after or "")
    except ValueError:
        return ()
    return [known[box_id] for box_id in ids] if known.keys() >= set(ids) else ()
