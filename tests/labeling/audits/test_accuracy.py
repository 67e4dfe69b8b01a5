"""Label accuracy against sums by hand."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.decisions.standing import standing
from labeling.audits.accuracy import Accuracy, label_accuracy
from labeling.audits.planning.plan_file import (
    AuditPlan,
    PlannedItem,
    PlannedStratum,
    PlanSettings,
)

SIZES = {"colour 0.00-0.50": (900, 10), "trim 0.00-0.50": (100, 10)}  # and how many are judged


def plan() -> AuditPlan:
    items = [
        PlannedItem(
            image_id=f"{number:016x}",
            object_id=None,
            type=name.split()[0],
            value="red",
            answer="yes",
            margin=0.5,
            stratum=name,
            probability=planned / size,
            twice=False,
        )
        for start, (name, (size, planned)) in zip((0, 10), SIZES.items(), strict=True)
        for number in range(start, start + planned)
    ]
    strata = tuple(
        PlannedStratum(
            name=name,
            type=name.split()[0],
            value=None,
            low=0,
            high=50,
            size=size,
            planned=planned,
            twice=0,
        )
        for name, (size, planned) in SIZES.items()
    )
    return AuditPlan(
        stage="main", labels="x", settings=PlanSettings(), strata=strata, items=tuple(items)
    )


def accuracy(kit: SimpleNamespace, afters: dict[int, Any], *more: Any) -> Accuracy:
    """Return the accuracy after one auditor's answers by number of the item; others say yes."""
    made = [
        kit.judged(item, afters.get(number, "yes"))
        for number, item in enumerate(plan().items)
        if afters.get(number, "yes") != "not yet"
    ]
    return label_accuracy(plan(), standing([*made, *more]))


def test_strata_weigh_as_much_as_they_hold(kit: SimpleNamespace) -> None:
    found = accuracy(kit, dict.fromkeys(range(10, 20), "no") | {0: "no"})
    overall, colour = found.overall, found.by_type["colour"]
    assert overall.estimate is not None
    assert colour.estimate is not None
    assert overall.estimate.share == pytest.approx(0.9 * 0.9)  # 11 of 20 were wrong
    assert colour.estimate.share == 0.9
    assert (overall.size, overall.planned, overall.told) == (1000, 20, 20)
    assert (overall.worst, overall.best) == (pytest.approx(0.81), pytest.approx(0.81))


def test_who_cannot_tell_is_left_out_and_bounds_say_what_it_could_mean(
    kit: SimpleNamespace,
) -> None:
    overall = accuracy(kit, {0: "no", 1: None}).overall
    assert overall.estimate is not None
    # of ten of colour nine can be told, so that 810 of its 900 count
    assert overall.estimate.share == pytest.approx((810 * 8 / 9 + 100) / 910)
    assert (overall.told, overall.unsure, overall.undecided) == (19, 1, 0)
    assert overall.worst == pytest.approx(0.9 * 0.8 + 0.1)
    assert overall.best == pytest.approx(0.9 * 0.9 + 0.1)


def test_auditors_who_differ_leave_a_label_undecided_until_a_third_looks(
    kit: SimpleNamespace,
) -> None:
    first = plan().items[0]
    bo = kit.judged(first, "no", "bo")
    overall = accuracy(kit, {}, bo).overall
    assert (overall.told, overall.undecided) == (19, 1)
    assert overall.best == pytest.approx(1)
    settled = accuracy(kit, {}, bo, kit.judged(first, "no", "cy")).overall
    assert (settled.told, settled.undecided) == (20, 0)
    assert settled.best == pytest.approx(0.91)


def test_what_the_plan_did_not_draw_does_not_count(kit: SimpleNamespace) -> None:
    stray = [kit.decision(number, "no") for number in range(100, 150)]
    assert accuracy(kit, {}, *stray) == accuracy(kit, {})


def test_a_value_that_was_only_named_does_not_count(kit: SimpleNamespace) -> None:
    named = {"named_for": "colour/blue", "at": "2026-04-01T00:00:00Z"}
    # by who was asked of it too, by another, and where nobody was asked
    said = [
        kit.judged(item, "no", name, **named) for item in plan().items for name in ("ana", "bo")
    ]
    part = {0: "no", 1: "not yet", 2: None}
    assert accuracy(kit, part, *said) == accuracy(kit, part)


def test_a_part_that_nobody_judged_leaves_the_whole_unknown(kit: SimpleNamespace) -> None:
    found = accuracy(kit, dict.fromkeys(range(10, 20), "not yet"))
    assert (found.overall.estimate, found.overall.worst, found.overall.told) == (None, None, 10)
    assert found.by_type["colour"].estimate is not None
    assert found.by_type["trim"].estimate is None


def test_the_labels_are_held_against_what_they_are_now(kit: SimpleNamespace) -> None:
    # the votes say no by now, and the auditor, who saw a yes and corrected it, said no
    new = plan()
    items = (replace(new.items[0], answer="no"), *new.items[1:])
    made = [kit.judged(plan().items[0], "no"), *(kit.judged(each, "yes") for each in items[1:])]
    found = label_accuracy(replace(new, items=items), standing(made))
    assert found.overall.estimate is not None
    assert found.overall.estimate.share == 1
