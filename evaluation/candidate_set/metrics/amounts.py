"""What one answered sample adds to each figure of a run (CandVG, section 4; definitions 19 to 21).

docs/candidate-set-runs.md says of each figure what it means.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from benchwright.records import CandidateSet
from evaluation.candidate_set.metrics.answered import Answered, Meant
from evaluation.candidate_set.metrics.baselines import BASELINES
from evaluation.candidate_set.metrics.set_outcome import SetOutcome
from evaluation.candidate_set.metrics.tracked import Tracked
from evaluation.scoring.figures import NOTHING, Amount, Amounts, Key, one_if

ACCURACY = "Acc@0.5"
OF_ONE = (ACCURACY, "first_box", "any_box")
OF_SETS = ("precision", "recall", "F1")
SIZES = ("predicted_size", "true_size")
_BY_BASELINE = (ACCURACY, *OF_SETS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Divisions:
    """The parts of a run by which figures are also given; ``turns`` are all of the config."""

    turns: Sequence[int]
    tracked: Tracked

    @classmethod
    def of(cls, samples: Collection[CandidateSet], played: Iterable[CandidateSet]) -> Self:
        """Return the divisions of a config of which some samples were played."""
        turns = sorted({sample.turn for sample in samples})
        return cls(turns=turns, tracked=Tracked.of(samples, played))


def amounts_of(
    answered: Answered, baselines: Mapping[str, SetOutcome], divisions: Divisions
) -> Amounts:
    """Return what a sample adds to each figure; every sample has the same keys.

    ``baselines`` are the sets that the release alone gives.
    """
    scores = _scores(answered.outcome, answered.meant)
    of_all = {**scores, **_of_answer(answered)}
    by_turn = {name: of_all[name] for name in (*OF_ONE, *OF_SETS, "several")}
    here = str(answered.sample.turn)
    return {
        **{Key(metric): amount for metric, amount in of_all.items()},
        **_baselines(baselines, answered.meant),
        **{
            Key(metric, "turn", str(turn)): amount if str(turn) == here else NOTHING
            for turn in divisions.turns
            for metric, amount in by_turn.items()
        },
        **_tracked(answered, divisions.tracked),
    }


def _scores(outcome: SetOutcome, meant: Meant) -> dict[str, Amount]:
    """Return the scores of a set, single objects and sets apart."""
    found = dict.fromkeys((*OF_ONE, *OF_SETS), NOTHING)
    if meant == "one":
        found[ACCURACY] = one_if(outcome.is_one_right)
        found["first_box"] = one_if(outcome.is_first_right)
        found["any_box"] = one_if(outcome.matched > 0)
    if meant == "several":
        found["precision"] = Amount(outcome.precision, 1)
        found["recall"] = Amount(outcome.recall, 1)
        found["F1"] = Amount(outcome.f1, 1)
    return found


def _of_answer(answered: Answered) -> dict[str, Amount]:
    outcome, meant = answered.outcome, answered.meant
    return {
        "no_target": one_if(answered.is_nothing) if meant == "nothing" else NOTHING,
        "several": one_if(outcome.distinct > 1) if meant == "one" else NOTHING,
        "predicted_size": Amount(outcome.predicted, 1),
        "true_size": Amount(outcome.true, 1),
        "unreadable": one_if(answered.is_unreadable),
        "refused": one_if(answered.is_refused),
        "nothing": one_if(answered.is_nothing),
        "over_limit": one_if(answered.is_long),
        "truncated": one_if(answered.grounding.status == "truncated"),
    }


def _baselines(found: Mapping[str, SetOutcome], meant: Meant) -> dict[Key, Amount]:
    nothing = dict.fromkeys(_BY_BASELINE, NOTHING)
    return {
        Key(metric, "baseline", name): amounts[metric]
        for name in BASELINES
        for amounts in [_scores(found[name], meant) if name in found else nothing]
        for metric in _BY_BASELINE
    }


def _tracked(answered: Answered, tracked: Tracked) -> dict[Key, Amount]:
    outcome, sample = answered.outcome, answered.sample
    sizes = dict(zip(SIZES, (outcome.predicted, outcome.true), strict=True))
    return {
        Key(metric, "tracked_turn", str(turn)): (
            Amount(size, 1) if turn == sample.turn and tracked.holds(sample) else NOTHING
        )
        for turn in range(1, tracked.turns + 1)
        for metric, size in sizes.items()
    }
