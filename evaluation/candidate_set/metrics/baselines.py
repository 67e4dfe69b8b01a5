"""What can be had without looking: sets made of the release alone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from benchwright import seeds
from benchwright.records import CandidateSet
from evaluation.candidate_set.metrics.set_outcome import (
    SetOutcome,
    outcome_of_boxes,
    outcome_of_ids,
)

BASELINES = ("category", "all_boxes", "first_turn", "random_box")


@dataclass(frozen=True, slots=True, kw_only=True)
class Baselines:
    """Makes the sets of the baselines; ``first_ids`` are the true sets of the first turns.

    With ``is_given`` sets are compared by ids, as a model's are that selects of given boxes.
    """

    first_ids: Mapping[str, Sequence[str]]
    seed: int
    is_given: bool

    @classmethod
    def of(cls, samples: Iterable[CandidateSet], *, seed: int, is_given: bool) -> Self:
        """Return the baselines of all samples of a config."""
        first = {one.dialogue_id: one.candidate_ids for one in samples if one.turn == 1}
        return cls(first_ids=first, seed=seed, is_given=is_given)

    def outcomes(self, sample: CandidateSet) -> dict[str, SetOutcome]:
        """Return what each baseline comes to; one that has no set for a sample is left out.

        ``category`` takes all boxes that are of a category of the true ones, where the release
        knows them all; ``first_turn`` the true set of the first turn, at later turns; and
        ``random_box`` one box, drawn by the seed.
        """
        measure = self._by_ids if self.is_given else self._by_boxes
        return {name: measure(sample, ids) for name, ids in self._sets(sample).items()}

    def _sets(self, sample: CandidateSet) -> dict[str, Sequence[str]]:
        ids = [box.box_id for box in sample.boxes]
        found: dict[str, Sequence[str]] = {}
        if not ids:
            return found
        category_of = {box.box_id: box.category for box in sample.boxes}
        wanted = {category_of[name] for name in sample.candidate_ids}
        if wanted and None not in wanted:
            found["category"] = [name for name in ids if category_of[name] in wanted]
        found["all_boxes"] = ids
        if sample.turn > 1 and sample.dialogue_id in self.first_ids:
            found["first_turn"] = self.first_ids[sample.dialogue_id]
        where = (sample.dialogue_id, str(sample.turn))
        ordered = sorted(ids)
        found["random_box"] = [ordered[seeds.below(len(ids), self.seed, "random box", *where)]]
        return found

    @staticmethod
    def _by_ids(sample: CandidateSet, ids: Sequence[str]) -> SetOutcome:
        return outcome_of_ids(sample, ids)

    @staticmethod
    def _by_boxes(sample: CandidateSet, ids: Sequence[str]) -> SetOutcome:
        box_of = {box.box_id: box.bbox for box in sample.boxes}
        return outcome_of_boxes(sample, [box_of[name] for name in ids])
