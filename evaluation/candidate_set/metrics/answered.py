"""One sample with what a model answered, and what the answer comes to."""

from dataclasses import dataclass
from typing import Literal

from benchwright.protocols.candidate_set import MOST_BOXES
from benchwright.records import CandidateSet, Grounding
from evaluation.candidate_set.metrics.set_outcome import (
    SetOutcome,
    outcome_of_boxes,
    outcome_of_ids,
)

Meant = Literal["one", "several", "nothing"]
_DECLINED, _NONE = "declined", "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A sample that was answered; an answer without a box predicts the empty set."""

    sample: CandidateSet
    grounding: Grounding
    outcome: SetOutcome

    @classmethod
    def of(cls, sample: CandidateSet, grounding: Grounding, *, is_given: bool) -> "Answered":
        """Return a sample with its answer, by ids where the boxes were given to choose from."""
        outcome = (
            outcome_of_ids(sample, grounding.chosen)
            if is_given
            else outcome_of_boxes(sample, grounding.boxes)
        )
        return cls(sample=sample, grounding=grounding, outcome=outcome)

    @property
    def name(self) -> str:
        """The id of the sample."""
        return f"{self.sample.dialogue_id}/{self.sample.turn}"

    @property
    def meant(self) -> Meant:
        """How many objects the sample is about."""
        if not self.sample.candidate_ids:
            return "nothing"
        return "one" if self.sample.kind == "single" else "several"

    @property
    def is_refused(self) -> bool:
        """Whether the model, or its server, would not answer."""
        return self.grounding.read_by == _DECLINED

    @property
    def is_unreadable(self) -> bool:
        """Whether nothing could be read: neither a box, nor that there is none."""
        return not self.outcome.predicted and self.grounding.read_by not in (_DECLINED, _NONE)

    @property
    def is_nothing(self) -> bool:
        """Whether the answer says that nothing is meant."""
        return not self.outcome.predicted and self.grounding.read_by == _NONE

    @property
    def is_long(self) -> bool:
        """Whether more boxes were given than count."""
        return len(self.grounding.boxes) > MOST_BOXES
