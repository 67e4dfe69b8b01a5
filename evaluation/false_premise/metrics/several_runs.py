"""What is found over the runs of several models: ranks, falls, and judges that judge themselves."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum

import numpy as np

from evaluation.false_premise.metrics.corrections import Corrections


@dataclass(frozen=True, slots=True, kw_only=True)
class WithoutItself:
    """A model that is one of the detectors: its score and rank by all, and by the others alone."""

    model: str
    score: float
    rank: int
    score_by_others: float
    rank_by_others: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveOneJudgeOut:
    """What changes where no model judges itself; ``ranks`` of all models, 1 for the highest score.

    ``is_order_kept`` tells whether all ranks are the same.
    """

    judges: tuple[WithoutItself, ...]
    ranks: Mapping[str, int]
    is_order_kept: bool


def mean_over(values: Iterable[float]) -> float | None:
    """Return the unweighted mean over models, null of none."""
    found = list(values)
    return fsum(found) / len(found) if found else None


def ranks(scores: Mapping[str, float]) -> dict[str, int]:
    """Return the rank of each model, 1 for the highest score; equal ones share the better rank."""
    return {
        model: 1 + sum(other > score for other in scores.values())
        for model, score in scores.items()
    }


def changes(turns: Mapping[str, Mapping[int, float]], first: int, last: int) -> dict[str, float]:
    """Return by model what TurnCorr at the last turn is more than at the first (appendix H)."""
    return {model: found[last] - found[first] for model, found in turns.items()}


def fallen(changes: Mapping[str, float], more_than: float = 0.05) -> list[str]:
    """Return the models whose TurnCorr falls by more than this, the greatest fall first."""
    falls = sorted((change, model) for model, change in changes.items())
    return [model for change, model in falls if change < -more_than]


def leave_one_judge_out(
    scores: Mapping[str, Mapping[str, float]], judges: Mapping[str, str]
) -> LeaveOneJudgeOut:
    """Score models that are detectors by the other detectors alone (appendix D).

    ``scores`` are by model and detector, ``judges`` names the detector that a model is. A model
    without another detector keeps its score.
    """
    by_all = {model: _mean(found.values()) for model, found in scores.items()}
    by_others = {
        model: _mean(
            [score for name, score in found.items() if name != judges.get(model)] or found.values()
        )
        for model, found in scores.items()
    }
    before, after = ranks(by_all), ranks(by_others)
    return LeaveOneJudgeOut(
        judges=tuple(
            WithoutItself(
                model=model,
                score=by_all[model],
                rank=before[model],
                score_by_others=by_others[model],
                rank_by_others=after[model],
            )
            for model in scores
            if judges.get(model) in scores[model] and len(scores[model]) > 1
        ),
        ranks=after,
        is_order_kept=before == after,
    )


def together(runs: Mapping[str, Corrections]) -> Corrections:
    """Return several runs, at least one, as one over the dialogues that all of them have.

    A detector of a run is then RUN/DETECTOR. With as many detectors of each run, a share is the
    mean over the runs, as the orders of the classes in the paper's appendices are.
    """
    names = set.intersection(*({one.dialogue_id for one in run.dialogues} for run in runs.values()))
    chosen = [_of(run, names) for run in runs.values()]
    return Corrections(
        dialogues=chosen[0].dialogues,
        detectors=tuple(
            f"{name}/{detector}" for name, run in runs.items() for detector in run.detectors
        ),
        codes=np.concatenate([run.codes for run in chosen], axis=2),
    )


def _of(run: Corrections, names: set[str]) -> Corrections:
    places = [at for at, one in enumerate(run.dialogues) if one.dialogue_id in names]
    dialogues = tuple(run.dialogues[at] for at in places)
    width = max((turn.index for one in dialogues for turn in one.turns), default=0)
    return Corrections(
        dialogues=dialogues, detectors=run.detectors, codes=run.codes[places, :width]
    )


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return fsum(found) / len(found)
