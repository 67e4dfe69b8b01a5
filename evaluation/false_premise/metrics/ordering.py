"""Which premise classes are corrected more often than which, and in how many draws it is so.

FPCO-Dialog finds identity before attribute before location (section 5.2, appendices G and H).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from benchwright.statistics.bootstrap import Counts
from evaluation.false_premise.metrics.corrections import Corrections, Longs, Mask, Reals

Order = tuple[str, ...]  # classes, the most corrected one first


@dataclass(frozen=True, kw_only=True)
class ClassCounts:
    """Labels by unit and class, both (units, classes): corrections, and all.

    A unit is what is drawn together. All detectors count alike, so that a share is the mean of
    theirs.
    """

    classes: tuple[str, ...]
    yes: Longs
    labels: Longs

    def shares(self) -> dict[str, float]:
        """Return the share of corrections by class; a class without labels has none."""
        yes, labels = self.yes.sum(axis=0).tolist(), self.labels.sum(axis=0).tolist()
        return {
            name: above / below
            for name, above, below in zip(self.classes, yes, labels, strict=True)
            if below
        }

    def drawn(self, counts: Counts) -> Reals:
        """Return the shares by draw, (draws, classes), of units drawn so often; NaN for none."""
        times = counts.astype(float)
        above, below = times @ self.yes, times @ self.labels
        found: Reals = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
        return found

    def held(self, counts: Counts, order: Order) -> float:
        """Return the share of draws in which each class is above the next one of an order."""
        drawn = self.drawn(counts)[:, [self.classes.index(name) for name in order]]
        return float((drawn[:, :-1] > drawn[:, 1:]).all(axis=1).mean())


def class_counts(corrections: Corrections, turns: Mask, units: Longs) -> ClassCounts:
    """Return the labels of turns (dialogues, turns) by unit, whose numbers are (dialogues,)."""
    yes = ((corrections.codes == 1) & turns[:, :, None]).sum(axis=(1, 2))
    labels = turns.sum(axis=1) * len(corrections.detectors)
    classes = tuple(corrections.classes)
    has = np.stack([corrections.of_class(name) for name in classes], axis=1)
    made = (int(units.max(initial=-1)) + 1, len(classes))
    both = np.zeros((2, *made), np.int64)
    for table, figures in zip(both, (yes, labels), strict=True):
        np.add.at(table, units, has * figures[:, None])
    return ClassCounts(classes=classes, yes=both[0], labels=both[1])


def class_shares(corrections: Corrections, turn: int) -> dict[str, float]:
    """Return CorrTP at a turn by class, as the mean of the detectors."""
    if not corrections.classes:
        return {}
    units = np.zeros(len(corrections.dialogues), np.int64)
    return class_counts(corrections, corrections.up_to(turn), units).shares()


def order_of(shares: Mapping[str, float]) -> Order | None:
    """Return the classes by their shares; null where two have the same or there are not two."""
    order = sorted(shares, key=lambda name: -shares[name])
    is_strict = all(shares[one] > shares[other] for one, other in pairwise(order))
    return tuple(order) if is_strict and len(order) > 1 else None


def orders_by_turn(corrections: Corrections) -> dict[int, Order | None]:
    """Return the order of the classes by CorrTP at each turn (appendix H)."""
    return {turn: order_of(class_shares(corrections, turn)) for turn in corrections.false_turns}


def spelt(order: Sequence[str] | None) -> str:
    """Return an order as it is read."""
    return " > ".join(order) if order else "tied"
