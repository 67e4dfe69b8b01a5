"""One predicted set beside the true one, as boxes or, where they were given, by their ids."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.box_matching import match_boxes
from benchwright.boxes import Box
from benchwright.protocols.candidate_set import MOST_BOXES
from benchwright.records import CandidateSet


@dataclass(frozen=True, slots=True, kw_only=True)
class SetOutcome:
    """What a predicted set has in common with the true one.

    ``predicted`` are the boxes that count, the first 15, and ``distinct`` those of them that are
    not the same; ``true`` is the size of the true set, ``matched`` the pairs of the one-to-one
    matching. ``is_first_right`` tells that the first box is one of the true set.
    """

    predicted: int
    distinct: int
    true: int
    matched: int
    is_first_right: bool

    @property
    def is_one_right(self) -> bool:
        """Whether exactly one box was given and is right (definition 19)."""
        return self.distinct == 1 and self.is_first_right

    @property
    def precision(self) -> float:
        """The share of the predicted boxes that are in pairs, 0 to 1; 0 without any."""
        return self.matched / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """The share of the true boxes that are in pairs, 0 to 1; there must be one."""
        return self.matched / self.true

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, 0 to 1."""
        return 2 * self.matched / (self.predicted + self.true)


def outcome_of_boxes(sample: CandidateSet, boxes: Sequence[Box]) -> SetOutcome:
    """Return what boxes come to; each counts, also one that is given twice."""
    counted = boxes[:MOST_BOXES]
    true = true_boxes(sample)
    return SetOutcome(
        predicted=len(counted),
        distinct=len(set(counted)),
        true=len(true),
        matched=len(match_boxes(counted, true)),
        is_first_right=bool(match_boxes(counted[:1], true)),
    )


def outcome_of_ids(sample: CandidateSet, ids: Sequence[str]) -> SetOutcome:
    """Return what a selection of given boxes comes to: an id counts once, overlap does not."""
    counted = list(dict.fromkeys(ids))[:MOST_BOXES]
    true = frozenset(sample.candidate_ids)
    return SetOutcome(
        predicted=len(counted),
        distinct=len(counted),
        true=len(true),
        matched=len(true.intersection(counted)),
        is_first_right=bool(counted) and counted[0] in true,
    )


def true_boxes(sample: CandidateSet) -> list[Box]:
    """Return the boxes that are still plausible."""
    box_of = {box.box_id: box.bbox for box in sample.boxes}
    return [box_of[name] for name in sample.candidate_ids]
