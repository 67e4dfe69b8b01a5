"""What is found out of a run beside its figures: agreement, orders, draws, people."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from benchwright.statistics.intervals import Estimate
from evaluation.false_premise.metrics.cells import CellStudy, cell_study
from evaluation.false_premise.metrics.corrections import Corrections
from evaluation.false_premise.metrics.ordering import Order, orders_by_turn, spelt
from evaluation.false_premise.metrics.people import Corrected, Judged, PeopleSay, people_say
from evaluation.false_premise.metrics.raters import (
    PairAgreement,
    agreement_of_detectors,
    facts_of,
)
from evaluation.false_premise.metrics.variants import VariantStudy, variant_study


@dataclass(frozen=True, slots=True, kw_only=True)
class Studies:
    """The studies of one run (FPCO-Dialog, appendices B, C, G and H); null where one has no ground.

    ``own`` are detectors that are the model itself, which should not judge alone (appendix D).
    """

    agreement: tuple[PairAgreement, ...]
    own: tuple[str, ...]
    orders: dict[int, Order | None]
    cells: CellStudy | None
    variants: VariantStudy | None
    people: PeopleSay | None

    def facts(self) -> dict[str, Any]:
        """Return them as scores.json has them."""
        return {
            "detector_agreement": list(facts_of(self.agreement)),
            "own_detectors": self.own,
            "class_orders": {str(turn): spelt(order) for turn, order in self.orders.items()},
            "cells": asdict(self.cells) if self.cells else None,
            "variants": _variant_facts(self.variants) if self.variants else None,
            "people": _people_facts(self.people) if self.people else None,
        }


def studied(corrections: Corrections, own: Iterable[str], judged: Judged, seed: int) -> Studies:
    """Return the studies of a run; ``judged`` is what people say of its responses."""
    return Studies(
        agreement=tuple(agreement_of_detectors(corrections, seed)),
        own=tuple(own),
        orders=orders_by_turn(corrections),
        cells=cell_study(corrections, seed),
        variants=variant_study(corrections, seed),
        people=people_say(corrections, judged, seed),
    )


def _variant_facts(found: VariantStudy) -> dict[str, Any]:
    pairs = {" > ".join(pair): held for pair, held in found.pairs.items()}
    return {**asdict(found), "pairs": pairs}


def _people_facts(found: PeopleSay) -> dict[str, Any]:
    return {
        "people": len(found.people),
        "responses": found.responses,
        "agreement": list(facts_of(found.agreement)),
        "corrected": list(_corrected_facts(found.corrected)),
    }


def _corrected_facts(found: Iterable[Corrected]) -> Iterator[dict[str, Any]]:
    for each in found:
        told = each.found
        yield {
            "scope": each.scope,
            "judged": each.judged,
            "detectors": told.predicted if told else None,
            "people_alone": _estimate(told.judged) if told else None,
            "corrected": _estimate(told.corrected) if told else None,
            "weight": told.weight if told else None,
        }


def _estimate(found: Estimate) -> dict[str, float]:
    return {"value": found.share, "low": found.low, "high": found.high}
