"""Does it hang on the words? Other false descriptions of the same targets (appendix G)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from benchwright.statistics.stratified_draws import DRAWS, stratified_counts
from evaluation.false_premise.metrics.corrections import Corrections, Mask
from evaluation.false_premise.metrics.ordering import Order, class_counts, order_of


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantSet:
    """The share of corrections by class of the variants of one number; a tied order is null."""

    variant: int
    shares: dict[str, float]
    order: Order | None


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantStudy:
    """What the first false turn comes to where a target has several false descriptions.

    ``targets`` counts these. ``order`` is that of all variants together; ``held`` is the share of
    draws of one variant for each target in which it holds, null where it is tied, ``pairs`` that
    in which the one class is above the other.
    """

    targets: int
    sets: tuple[VariantSet, ...]
    shares: dict[str, float]
    order: Order | None
    draws: int
    held: float | None
    pairs: dict[tuple[str, str], float]


def variant_study(corrections: Corrections, seed: int, draws: int = DRAWS) -> VariantStudy | None:
    """Return how far the order of the classes hangs on the variants; null without any.

    A target is a picture with a class and a true description. Only the first false turn of each
    dialogue counts: what comes later hangs on what was answered to it.
    """
    targets = [
        (one.image_id, one.premise_class, one.true_description) for one in corrections.dialogues
    ]
    several = {target for target, count in Counter(targets).items() if count > 1}
    chosen = np.array([target in several for target in targets], bool)
    if not several or not corrections.false_turns:
        return None
    number_of = {target: number for number, target in enumerate(sorted(several))}
    strata = np.array([number_of[target] for target in targets if target in several])
    first = _first_turns(corrections) & chosen[:, None]
    units = np.where(chosen, np.cumsum(chosen) - 1, 0)
    counts = class_counts(corrections, first, units)
    shares = counts.shares()
    order = order_of(shares)
    drawn = stratified_counts(strata, 1, seed, is_put_back=True, draws=draws)
    return VariantStudy(
        targets=len(several),
        sets=tuple(_sets(corrections, first)),
        shares=shares,
        order=order,
        draws=draws,
        held=counts.held(drawn, order) if order else None,
        pairs={
            (one, other): counts.held(drawn, (one, other))
            for one, other in combinations(sorted(shares, key=lambda name: -shares[name]), 2)
        },
    )


def _first_turns(corrections: Corrections) -> Mask:
    """Return the first false turn of each dialogue, (dialogues, turns)."""
    first: Mask = corrections.is_false & (corrections.is_false.cumsum(axis=1) == 1)
    return first


def _sets(corrections: Corrections, turns: Mask) -> Iterator[VariantSet]:
    variants = np.array([one.variant for one in corrections.dialogues])
    for variant in np.unique(variants[turns.any(axis=1)]).tolist():
        of_this = turns & (variants == variant)[:, None]
        units = np.zeros(len(variants), np.int64)
        shares = class_counts(corrections, of_this, units).shares()
        yield VariantSet(variant=variant, shares=shares, order=order_of(shares))
