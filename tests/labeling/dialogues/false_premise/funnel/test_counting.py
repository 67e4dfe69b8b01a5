"""The funnel: how far the planned dialogues got, in all, by cell and by variant."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.errors import WorkspaceError
from labeling.dialogues.false_premise.funnel.counting import Reached, count_funnel, funnel_path

NAMES = ("a-attribute", "b-attribute", "c-location", "d-identity")


def reached(*counts: int | None) -> Reached:
    planned, *others = counts
    assert planned is not None
    return Reached(
        planned=planned,
        **dict(
            zip(
                ("described", "falsified", "passed", "people_first", "approved"),
                (*others, *[None] * (5 - len(others))),
                strict=True,
            )
        ),
    )


def _plan(steps: Any, kit: SimpleNamespace, wanted: int = 3) -> None:
    steps.plan(*(kit.planned(*name.split("-")) for name in NAMES), wanted=wanted)


def test_steps_that_were_not_done_are_null_and_not_zero(steps: Any, kit: SimpleNamespace) -> None:
    _plan(steps, kit)
    assert count_funnel(steps.workspace).all == reached(4)
    steps.describe(*(kit.described(name) for name in NAMES))
    assert count_funnel(steps.workspace).all == reached(4, 4)
    steps.falsify(*(kit.falsified(name, "no", false=None) for name in NAMES))
    assert count_funnel(steps.workspace).all == reached(4, 4, 0)
    steps.check()
    assert count_funnel(steps.workspace).all == reached(4, 4, 0, 0, 0)
    steps.decide()
    assert count_funnel(steps.workspace).all == reached(4, 4, 0, 0, 0, 0)


def _whole(steps: Any, kit: SimpleNamespace) -> None:
    a, b, c, d = NAMES
    _plan(steps, kit)
    steps.describe(
        kit.described(a), kit.described(b), kit.described(c), kit.described(d, "x: y", true=None)
    )
    steps.falsify(kit.falsified(a), kit.falsified(b), kit.falsified(c, "gone", false=None))
    steps.check(kit.draft(a), kit.draft(b, "false by sight"))
    steps.decide(kit.draft(b), not_judged_yet=1)


def test_it_is_counted_in_all_and_by_cell_and_stored(steps: Any, kit: SimpleNamespace) -> None:
    _whole(steps, kit)
    funnel = count_funnel(steps.workspace)
    assert funnel.all == reached(4, 3, 2, 1, 1, 1)
    by_class = {cell.premise_class: (cell.wanted, cell.reached) for cell in funnel.cells}
    assert by_class == {
        "identity": (3, reached(1, 0, 0, 0, 0, 0)),
        "attribute": (3, reached(2, 2, 2, 1, 1, 1)),
        "location": (3, reached(1, 1, 0, 0, 0, 0)),
    }
    assert funnel.variants == ()
    said = json.loads(funnel_path(steps.workspace).read_text("utf-8"))
    assert said["all"] == {
        "planned": 4, "described": 3, "falsified": 2, "passed": 1, "people_first": 1, "approved": 1,
    }  # fmt: skip
    assert [cell["reached"]["planned"] for cell in said["cells"]] == [1, 2, 1]
    assert said["lost"] == {
        "planned": {"too few pictures": 5},
        "described": {"x: y": 1},
        "falsified": {"gone": 1},
        "passed": {"unsettled, false by sight": 1},
        "approved": {"not judged yet": 1},
    }
    before = funnel_path(steps.workspace).read_bytes()
    count_funnel(steps.workspace)
    assert funnel_path(steps.workspace).read_bytes() == before


def test_what_was_made_of_an_earlier_step_is_not_counted(steps: Any, kit: SimpleNamespace) -> None:
    a, b, *_ = NAMES
    _whole(steps, kit)
    steps.check(kit.draft(a), kit.draft(b))  # others than those that people decided about
    assert count_funnel(steps.workspace).all == reached(4, 3, 2, 2, 0)
    steps.falsify(kit.falsified(a))
    assert count_funnel(steps.workspace).all == reached(4, 3, 1)
    steps.describe(kit.described(a))
    assert count_funnel(steps.workspace).all == reached(4, 1)
    steps.plan(kit.planned("a"), wanted=1)
    assert count_funnel(steps.workspace).all == reached(1)


def test_a_dialogue_got_there_when_one_of_its_variants_did(
    steps: Any, kit: SimpleNamespace
) -> None:
    a, b = NAMES[:2]
    steps.plan(kit.planned("a"), kit.planned("b"), wanted=2)
    steps.describe(kit.described(a), kit.described(b))
    rows = [kit.falsified(name, variant=number) for name in (a, b) for number in (1, 2)]
    steps.falsify(*rows[:3], kit.falsified(b, "gone", false=None, variant=2))
    steps.check(
        kit.draft(a, "false by sight"),
        kit.draft(a, variant=2),
        kit.draft(b, "one target by sight"),
    )
    steps.decide(kit.draft(a, variant=2))
    funnel = count_funnel(steps.workspace)
    # a passed with its second variant, so only b is for people
    assert funnel.all == reached(2, 2, 2, 1, 1, 1)
    assert {one.variant: one.reached for one in funnel.variants} == {
        1: reached(2, 2, 2, 0, 2, 0),
        2: reached(2, 2, 1, 1, 0, 1),
    }


def test_without_a_plan_it_says_what_to_run(steps: Any) -> None:
    with pytest.raises(WorkspaceError, match="run build-dialogues false-premise plan first"):
        count_funnel(steps.workspace)
