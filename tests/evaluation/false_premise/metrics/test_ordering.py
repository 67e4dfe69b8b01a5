"""Orders of the classes, by turn and in draws."""

from collections.abc import Sequence

import numpy as np
import pytest

from benchwright.records import PremiseClass
from evaluation.false_premise.metrics.corrections import CLASSES, Corrections
from evaluation.false_premise.metrics.ordering import (
    class_counts,
    class_shares,
    order_of,
    orders_by_turn,
    spelt,
)
from stand_ins.corrections import corrections, dialogue


def by_class(corrected: dict[PremiseClass, Sequence[int]]) -> Corrections:
    """One dialogue of each class, which both detectors find corrected at these turns."""
    asked = [dialogue(number, name) for number, name in enumerate(corrected)]
    return corrections(
        asked, lambda one, turn, _: "yes" if turn in corrected[one.premise_class] else "no"
    )


def test_orders_by_turn() -> None:
    found = by_class({"location": [4], "identity": [4, 5, 6], "attribute": [5, 6]})
    # at turn 4 two are corrected and one is not; then two corrections, one, and one
    assert class_shares(found, 4) == {"identity": 1, "attribute": 0, "location": 1}
    orders = orders_by_turn(found)
    assert (orders[4], orders[5]) == (None, None)
    assert orders[6] == orders[10] == CLASSES
    assert class_shares(found, 10) == pytest.approx(
        {"identity": 3 / 7, "attribute": 2 / 7, "location": 1 / 7}
    )


@pytest.mark.parametrize(
    ("shares", "order"),
    [
        ({"a": 0.1, "b": 0.3, "c": 0.2}, ("b", "c", "a")),
        ({"a": 0.3, "b": 0.3, "c": 0.2}, None),  # tied above
        ({"a": 0.3, "b": 0.1, "c": 0.1}, None),  # tied below
        ({"a": 0.3}, None),  # nothing to order
        ({}, None),
    ],
)
def test_order_of(shares: dict[str, float], order: tuple[str, ...] | None) -> None:
    assert order_of(shares) == order


def test_an_order_is_spelt() -> None:
    assert spelt(CLASSES) == "identity > attribute > location"
    assert spelt(None) == "tied"


def test_an_order_holds_where_each_class_is_strictly_above_the_next() -> None:
    found = by_class({"identity": [4, 5], "attribute": [4], "location": []})
    counts = class_counts(found, found.up_to(10), np.arange(3))
    assert counts.labels.tolist() == [[14, 0, 0], [0, 14, 0], [0, 0, 14]]
    drawn = np.array(
        [
            [1, 1, 1],  # holds
            [3, 1, 2],  # shares stay what they are
            [0, 1, 1],  # no identity: it cannot be said to hold
        ],
        np.uint8,
    )
    assert counts.held(drawn, CLASSES) == pytest.approx(2 / 3)
    assert counts.held(drawn, ("attribute", "location")) == 1
    assert counts.held(drawn, ("location", "attribute")) == 0
