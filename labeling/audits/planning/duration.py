"""How long what is left to judge will take."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from benchwright.decisions.standing import Standing
from labeling.audits.planning.plan_file import PlannedItem


@dataclass(frozen=True, slots=True, kw_only=True)
class Duration:
    """Seconds that a judgement took: the median, and the quarters below and above it."""

    median: float
    low: float
    high: float


def duration(decisions: Standing) -> Duration | None:
    """Return what these judgements took; null where none says."""
    seconds = [
        decision.seconds
        for by_auditor in decisions.values()
        for decision in by_auditor.values()
        if decision.seconds is not None
    ]
    if not seconds:
        return None
    low, median, high = np.quantile(seconds, [0.25, 0.5, 0.75]).tolist()
    return Duration(median=median, low=low, high=high)


def judgements_left(items: Iterable[PlannedItem], decisions: Standing) -> int:
    """Return how many judgements are still to be made; a label that is seen twice wants two."""
    return sum(max(0, 1 + item.twice - len(decisions.get(item.thing(), {}))) for item in items)
