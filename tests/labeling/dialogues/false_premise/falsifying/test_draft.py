"""Drafts put together of what was planned, described and falsified."""

from dataclasses import replace

import pytest

from benchwright.records import Described, Edit, Falsified, ModelUse, PlannedDialogue
from labeling.dialogues.false_premise.falsifying.draft import draft_id, draft_of
from labeling.dialogues.false_premise.rules.turns import DEFAULT_SCHEDULE, Schedule

TRUE, FALSE = "the brown dog on the blue carpet", "the black dog on the blue carpet"
PLANNED = PlannedDialogue(
    dialogue_id="p-attribute",
    image_id="p",
    object_id="1",
    box=(1.0, 2.0, 3.0, 4.0),
    complexity="single-target clean",
    category="animal",
    premise_class="attribute",
)
DESCRIBED = Described(
    dialogue_id="p-attribute",
    true_description=TRUE,
    questions=tuple(f"What is {TRUE} doing at {hour} o'clock?" for hour in range(1, 11)),
    model="ann",
    faults=(),
    is_failed=False,
)
FALSIFIED = Falsified(
    dialogue_id="p-attribute",
    variant=1,
    false_description=FALSE,
    model="ben",
    faults=(),
    refused=(),
    is_failed=False,
)


def test_a_draft_that_keeps_the_rules() -> None:
    draft = draft_of(PLANNED, DESCRIBED, FALSIFIED, DEFAULT_SCHEDULE)
    assert all(check.passed for check in draft.checks)
    assert draft.checks
    assert draft.edit == Edit(start=4, before="brown", after="black")
    assert [turn.has_false_premise for turn in draft.turns] == [False] * 3 + [True] * 7
    assert draft.turns[2].asked_question == DESCRIBED.questions[2]
    assert draft.turns[3].asked_question == f"What is {FALSE} doing at 4 o'clock?"
    assert draft.models == (
        ModelUse(step="describe", model="ann"),
        ModelUse(step="falsify", model="ben"),
    )
    planned = {name: getattr(PLANNED, name) for name in PlannedDialogue.__slots__}
    assert {name: getattr(draft, name) for name in planned if name != "object_id"} == {
        name: value for name, value in planned.items() if name != "object_id"
    }


def test_the_reasons_stand_in_a_draft_that_breaks_them() -> None:
    broken = replace(FALSIFIED, false_description="the black cat on the blue carpet")
    failed = [
        check
        for check in draft_of(PLANNED, DESCRIBED, broken, DEFAULT_SCHEDULE).checks
        if not check.passed
    ]
    assert {check.name for check in failed} >= {"class as planned"}
    assert all(check.reason for check in failed)


@pytest.mark.parametrize(
    ("variant", "wanted"),
    [(1, "p-attribute"), (2, "p-attribute-variant-2"), (11, "p-attribute-variant-11")],
)
def test_ids_of_variants(variant: int, wanted: str) -> None:
    assert draft_id("p-attribute", variant) == wanted
    falsified = replace(FALSIFIED, variant=variant)
    draft = draft_of(PLANNED, DESCRIBED, falsified, DEFAULT_SCHEDULE)
    assert (draft.dialogue_id, draft.variant) == (wanted, variant)


def test_what_is_missing_is_named() -> None:
    with pytest.raises(ValueError, match="p-attribute has no false description"):
        draft_of(PLANNED, DESCRIBED, replace(FALSIFIED, false_description=None), DEFAULT_SCHEDULE)
    with pytest.raises(ValueError, match="p-attribute has no true description"):
        draft_of(PLANNED, replace(DESCRIBED, true_description=None), FALSIFIED, DEFAULT_SCHEDULE)
    with pytest.raises(ValueError, match="wanted 12 questions, got 10"):
        draft_of(PLANNED, DESCRIBED, FALSIFIED, Schedule(turns=12))
