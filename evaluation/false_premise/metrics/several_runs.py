"""What is found over the runs of several models: ranks, falls, and judges that judge themselves."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from math import fsum


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


def fallen(changes: Mapping[str, float], more_than: float = 0.05) -> list[str]:
    """Return the models whose TurnCorr falls by more than this, the greatest fall first."""
    falls = sorted((change, model) for model, change in changes.items())
    return [model for change, model in falls if change < -more_than]


def leave_one_judge_out(
    scores: Mapping[str, Mapping[str, float]], judges: Mapping[str, Collection[str]]
) -> LeaveOneJudgeOut:
    """Score models that are detectors by the other detectors alone (appendix D).

    ``scores`` are by model and detector, ``judges`` are the detectors that a model itself is, by
    model. A model without another detector keeps its score.
    """
    by_all = {model: _mean(found.values()) for model, found in scores.items()}
    others = {
        model: [score for name, score in found.items() if name not in judges.get(model, ())]
        for model, found in scores.items()
    }
    by_others = {model: _mean(found) if found else by_all[model] for model, found in others.items()}
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
            if 0 < len(others[model]) < len(scores[model])
        ),
        ranks=after,
        is_order_kept=before == after,
    )


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return fsum(found) / len(found)
