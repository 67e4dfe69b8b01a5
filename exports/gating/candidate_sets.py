"""What a blind choice of boxes gets on candidate sets."""

from collections.abc import Iterator, Sequence

import numpy as np

from benchwright.boxes import area
from benchwright.records import CandidateSet
from benchwright.statistics.intervals import Estimate, weighted_share
from exports.gating.check import Check, guess_check
from exports.gating.limits import ALL_BOXES

_NAME = "candidate-set-guess"


def candidate_sets(samples: Sequence[CandidateSet]) -> Iterator[Check]:
    """Yield how often all boxes are the set, and how often the largest box is the only one."""
    everything = [set(one.candidate_ids) == {box.box_id for box in one.boxes} for one in samples]
    yield guess_check(
        _NAME,
        "candidate-set",
        "sets that are all boxes of their picture",
        _share(samples, everything),
        n=len(samples),
        limit=ALL_BOXES,
        rows=[_row(one) for one, hit in zip(samples, everything, strict=True) if hit],
    ).advised("add boxes of other things to the pictures, or leave such turns out")
    single = [one for one in samples if one.kind == "single" and len(one.boxes) > 1]
    if single:
        hits = [_largest_is_it(one) for one in single]
        yield guess_check(
            _NAME,
            "candidate-set",
            "single boxes that are the largest of their picture",
            _share(single, hits),
            chance=sum(1 / len(one.boxes) for one in single) / len(single),
            n=len(single),
        )


def _largest_is_it(sample: CandidateSet) -> float:
    """Return how likely the largest box is the one left, 0 to 1; several as large share that."""
    most = max(area(box.bbox) for box in sample.boxes)
    largest = [box.box_id in sample.candidate_ids for box in sample.boxes if area(box.bbox) == most]
    return sum(largest) / len(largest)


def _row(sample: CandidateSet) -> str:
    return f"{sample.dialogue_id}/{sample.turn}"


def _share(samples: Sequence[CandidateSet], hits: Sequence[float]) -> Estimate:
    return weighted_share(hits, np.ones(len(hits)), [one.image_id for one in samples])
