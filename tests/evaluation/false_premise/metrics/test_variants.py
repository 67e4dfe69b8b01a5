"""Lexical variants: scored on the first false turn, drawn between."""

from math import comb

import pytest

from benchwright.records import FalsePremise
from evaluation.false_premise.metrics.corrections import CLASSES
from evaluation.false_premise.metrics.variants import VariantStudy, variant_study
from stand_ins.corrections import corrections, dialogue, turns

OF_CLASS = 10


def targets(*, first_false: int = 4) -> list[FalsePremise]:
    """Ten targets of each class, each with two variants."""
    return [
        dialogue(
            100 * variant + 10 * at + number,
            name,
            image_id=f"{name}-{number}",
            variant=variant,
            turns=turns(10, first_false),
        )
        for variant in (1, 2)
        for at, name in enumerate(CLASSES)
        for number in range(OF_CLASS)
    ]


def by_variant(corrected: dict[tuple[str, int], int], **more: int) -> VariantStudy:
    """So many of the ten targets are corrected, by class and variant, at the first false turn."""
    found = variant_study(
        corrections(
            targets(**more),
            lambda one, turn, _: (
                "yes"
                if turn == more.get("first_false", 4)
                and int(one.image_id.split("-")[1]) < corrected[one.premise_class, one.variant]
                else "no"
            ),
        ),
        seed=0,
    )
    assert found is not None
    return found


def test_without_variants_there_is_nothing_to_study() -> None:
    assert variant_study(corrections(targets()[:30], lambda *_: "no"), 0) is None
    assert variant_study(corrections([], lambda *_: "no"), 0) is None


def test_an_order_that_hangs_on_the_words() -> None:
    found = by_variant(
        {
            ("identity", 1): 8,
            ("identity", 2): 8,
            ("attribute", 1): 10,
            ("attribute", 2): 5,
            ("location", 1): 1,
            ("location", 2): 1,
        }
    )
    assert found.targets == 30
    assert found.shares == pytest.approx({"identity": 0.8, "attribute": 0.75, "location": 0.1})
    assert found.order == CLASSES
    assert [(each.variant, each.order) for each in found.sets] == [
        (1, ("attribute", "identity", "location")),
        (2, CLASSES),
    ]
    assert found.sets[0].shares == {"identity": 0.8, "attribute": 1, "location": 0.1}
    # five targets of attribute have a coin each; the order holds with two heads or fewer
    assert found.held == pytest.approx(sum(comb(5, heads) for heads in range(3)) / 32, abs=0.05)
    assert found.pairs == {
        ("identity", "attribute"): found.held,
        ("identity", "location"): 1,
        ("attribute", "location"): 1,
    }


def test_the_first_false_turn_alone_counts() -> None:
    late = corrections(targets(), lambda one, turn, _: "yes" if turn > 4 else "no")
    found = variant_study(late, 0)
    assert found is not None
    assert set(found.shares.values()) == {0}
    assert (found.order, found.held) == (None, None)
    early = by_variant({(name, v): 10 for name in CLASSES for v in (1, 2)}, first_false=2)
    assert set(early.shares.values()) == {1}


def test_a_target_with_one_variant_is_left_out() -> None:
    asked = [*targets(), dialogue(999, "location", image_id="alone")]
    some = corrections(asked, lambda one, *_: "yes" if one.image_id == "alone" else "no")
    found = variant_study(some, 0)
    assert found is not None
    assert found.targets == 30
    assert found.shares["location"] == 0


def test_another_true_description_is_another_target() -> None:
    asked = [dialogue(1), dialogue(2, image_id=dialogue(1).image_id, true_description="the cup")]
    assert variant_study(corrections(asked, lambda *_: "no"), 0) is None
