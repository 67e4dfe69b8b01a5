"""What people make of a draft with a false premise."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from benchwright.decisions.standing import standing
from benchwright.records import Approval, Decision, FalsePremise
from labeling.dialogues.false_premise.deciding import (
    corrected_description,
    corrected_text,
    decided,
)
from labeling.dialogues.stored import Decided
from stand_ins.false_premises import false_premise, said_of

WAITER, GROOM = "the waiter in the white hat", "the groom in the white hat"


def after(*decisions: Decision, record: FalsePremise | None = None) -> Decided[FalsePremise]:
    """Return what becomes of the draft of the woman, by decisions on it."""
    held = standing(decisions)
    by_field = {thing.field: by_auditor for thing, by_auditor in held.items()}
    return decided(record or false_premise("woman"), by_field)


def said(
    auditor: str, verdict: str = "confirmed", text: str | None = None, at: int = 0
) -> Decision:
    more: dict[str, Any] = {"verdict": verdict, "at": f"2026-03-01T12:00:{at:02}+00:00"}
    if verdict != "confirmed":
        more["after"] = None if text is None else corrected_text(text)
    return said_of(false_premise("woman"), auditor, **more)


@pytest.mark.parametrize(
    ("decisions", "withheld", "false_description"),
    [
        # nobody, or nobody any more
        ([], "not judged yet", None),
        ([said("ana"), said("ana", "withdrawn", at=1)], "not judged yet", None),
        # one or all approve
        ([said("ana")], None, None),
        ([said("ana"), said("bo")], None, None),
        # one approves, the other cannot tell
        ([said("ana"), said("bo", "unsure")], None, None),
        ([said("ana", "unsure")], "unsure", None),
        # rejected, or a third must look
        ([said("ana", "rejected")], "rejected", None),
        ([said("ana", "rejected"), said("bo", "unsure")], "rejected", None),
        ([said("ana"), said("bo", "rejected")], "undecided", None),
        ([said("ana"), said("bo", "rejected"), said("cy")], None, None),
        ([said("ana"), said("bo", "rejected"), said("cy", "rejected")], "rejected", None),
        # corrected
        ([said("ana", "corrected", WAITER)], None, WAITER),
        # thought better of: the later one of an auditor stands
        ([said("ana", "corrected", WAITER), said("ana", at=1)], None, None),
        ([said("ana"), said("ana", "corrected", WAITER, 1)], None, WAITER),
        # two wordings that are as frequent: the latest correction, in whatever order they came
        ([said("ana", "corrected", WAITER, 5), said("bo", at=9)], None, WAITER),
        ([said("ana", "corrected", WAITER, 5), said("bo", "corrected", GROOM, 4)], None, WAITER),
        ([said("bo", "corrected", GROOM, 6), said("ana", "corrected", WAITER, 5)], None, GROOM),
        # the most frequent one
        ([said("ana", "corrected", WAITER, 9), said("bo"), said("cy")], None, None),
        (
            [said("ana", "corrected", WAITER), said("bo", "corrected", WAITER), said("cy", at=9)],
            None,
            WAITER,
        ),
        # a correction that breaks a rule
        ([said("ana", "corrected", "the girl in the white hat")], "breaks a rule",
         "the girl in the white hat"),
    ],
)  # fmt: skip
def test_decided(
    decisions: Sequence[Decision], withheld: str | None, false_description: str | None
) -> None:
    found = after(*decisions)
    assert found.withheld == withheld
    draft = false_premise("woman")
    assert found.record.false_description == (false_description or draft.false_description)
    assert len(found.record.approvals) == len(
        {one.auditor for one in decisions if found.record.approvals}
    )


def test_a_corrected_dialogue_asks_what_it_was_corrected_to() -> None:
    record = after(said("ana", "corrected", WAITER)).record
    assert (
        record.turns[3].asked_question == "What does the waiter in the white hat have on his hands?"
    )
    assert record.edit.after == "waiter"
    assert all(check.passed for check in record.checks)


def test_approvals_are_kept_by_auditor() -> None:
    draft = false_premise("woman")
    rejected = said_of(
        draft, "bo", verdict="rejected", after=None, failed=("grounding",), note="no"
    )
    assert after(rejected, said("ana")).record.approvals == (
        Approval(auditor="ana", verdict="confirmed", failed=(), note=None),
        Approval(auditor="bo", verdict="rejected", failed=("grounding",), note="no"),
    )


def test_what_was_said_of_another_draft_says_nothing() -> None:
    other = replace(false_premise("woman"), variant=2)
    assert after(said("ana"), record=other).withheld == "not judged yet"


def test_an_approved_draft_that_breaks_a_rule_does_not_stand() -> None:
    broken = replace(false_premise("woman"), premise_class="location")
    assert after(said_of(broken), record=broken).withheld == "breaks a rule"


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "no JSON",
        "[]",
        '"the man"',
        "{}",
        '{"false_description": 3}',
        '{"false_description": "  "}',
        '{"false_description": "a", "more": 1}',
        "[" * 100_000,
    ],
    ids=range(10),
)
def test_what_is_no_correction_is_told_in_a_line_and_is_not_counted(text: str | None) -> None:
    with pytest.raises(ValueError, match="a correction wants the new wording") as told:
        corrected_description(text)
    assert len(str(told.value).splitlines()) == 1
    assert len(str(told.value)) < 300
    if text is not None:
        broken = said_of(false_premise("woman"), verdict="corrected", after=text)
        assert after(broken).withheld == "not judged yet"


def test_a_correction_comes_back() -> None:
    assert corrected_description(corrected_text('l\'été "😀"')) == 'l\'été "😀"'
    assert json.loads(corrected_text("a")) == {"false_description": "a"}
    assert corrected_description('{"false_description": " the  man\\n"}') == "the man"


@pytest.mark.parametrize("draft_of", ["ana", "bo"])
def test_what_confirms_another_draft_is_not_read(draft_of: str) -> None:
    other = {"after": "0" * 16}
    lines = {name: said(name) for name in ("ana", "bo")}
    lines[draft_of] = replace(lines[draft_of], **other)
    found = after(*lines.values())
    assert found.withheld is None
    assert len(found.record.approvals) == 1
    assert after(replace(said("ana"), **other)).withheld == "not judged yet"
