"""Why dialogues are lost at a step: one reason each, of a kind that others share."""

from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.records import Described, Falsified
from labeling.dialogues.false_premise.funnel.losses import kind_of, losses
from labeling.dialogues.false_premise.funnel.reading import Made
from labeling.dialogues.false_premise.rules.turns import DEFAULT_SCHEDULE, Schedule

CAT, SOFA = "the brown cat on the blue carpet", "the brown dog on the red sofa"
COPY = "the brown dog on the blue carpet"


def of(kit: SimpleNamespace, schedule: Schedule = DEFAULT_SCHEDULE, **rows: Any) -> dict[str, Any]:
    dialogues = [kit.planned("a"), kit.planned("b")]
    found = losses(
        Made(
            planned={one.dialogue_id: one for one in dialogues},
            schedule=schedule,
            cells=kit.cells(dialogues, 2),
            **rows,
        )
    )
    return {step: dict(reasons) for step, reasons in found.items()}


def test_a_plan_lacks_pictures(kit: SimpleNamespace) -> None:
    assert of(kit) == {"planned": {"too few pictures": 4}}


@pytest.mark.parametrize(
    ("faults", "failed", "expected"),
    [
        (["question 3 is empty"], False, "question N is empty"),
        # of the last attempt, the first fault
        (["question 1 is empty", "the description has 19 words; b"], False,
         "the description has N words"),
        (["the description holds an opinion: cute"], False, "the description holds an opinion"),
        # the server gave no answer, whatever was wrong before
        (["question 3 is empty"], True, "no answer of the server"),
        ([], False, "no answer of the server"),
    ],
)  # fmt: skip
def test_why_it_is_not_described(
    faults: list[str], failed: bool, expected: str, kit: SimpleNamespace
) -> None:
    rows: dict[str, Described] = {
        "a-attribute": kit.described("a-attribute", *faults, true=None, failed=failed)
    }
    found = of(kit, described=rows)["described"]
    assert found == {expected: 1, "not asked yet": 1}


@pytest.mark.parametrize(
    ("faults", "refused", "failed", "expected"),
    [
        # a rule has a name, whatever its reason says of this case
        ([f"{CAT}: it changes identity, wanted is attribute"], (), False, "class as planned"),
        ([f"{COPY}: it is no other"], (), False, "one edit"),
        # the last attempt counts
        ([f"{CAT}: x", f"{COPY}: y"], (), False, "one edit"),
        # what voters affirm
        ([f"{SOFA}: as voters see it"], (SOFA,), False, "true of the picture, as voters see it"),
        # refused before, and then something else was wrong
        ([f"{SOFA}: as voters see it", f"{COPY}: y"], (SOFA,), False, "one edit"),
        # no rule is broken by it: what was said of it
        (["the black dog on the blue carpet: it puts in the same words as 'x'"], (), False,
         "it puts in the same words as …"),
        (["the variant before it has no false description"], (), False,
         "the variant before it has no false description"),
        (["its batch brought no answer yet"], (), True, "no answer of the server"),
    ],
)  # fmt: skip
def test_why_it_is_not_falsified(
    faults: list[str],
    refused: tuple[str, ...],
    failed: bool,
    expected: str,
    kit: SimpleNamespace,
) -> None:
    described = {name: kit.described(name) for name in ("a-attribute", "b-attribute")}
    row: Falsified = kit.falsified(
        "a-attribute", *faults, false=None, refused=refused, failed=failed
    )
    rows = [row, kit.falsified("b-attribute")]
    assert of(kit, described=described, falsified=rows)["falsified"] == {expected: 1}


def test_why_it_did_not_pass_most_frequent_first(kit: SimpleNamespace) -> None:
    drafts = [
        kit.draft("a-attribute", "one target by sight", "false by sight"),  # the first counts
        kit.draft("b-attribute"),
    ]
    found = of(kit, drafts=drafts, refused={"not false": 2})["passed"]
    assert list(found.items()) == [("not false", 2), ("unsettled, one target by sight", 1)]


def test_why_people_let_it_not_stand(kit: SimpleNamespace) -> None:
    found = of(kit, dialogues=[], withheld={"not judged yet": 1, "rejected": 3})["approved"]
    assert list(found.items()) == [("rejected", 3), ("not judged yet", 1)]


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("question 10 is empty", "question N is empty"),
        ("the target is named 'a \x1b[31mdog'", "the target is named …"),
        ("true_description: Field required", "true_description: Field required"),
        ("the description holds a pronoun: his, her", "the description holds a pronoun"),
        ("x" * 500, "x" * 69 + "…"),
        ("a\nb\x07c", "a b c"),
        ("", ""),
    ],
)
def test_a_kind_says_nothing_of_one_case(reason: str, kind: str) -> None:
    assert kind_of(reason) == kind


def test_the_rule_is_the_one_that_broke_whatever_the_schedule(kit: SimpleNamespace) -> None:
    rows = {"a-attribute": kit.described("a-attribute", turns=2)}
    broken = kit.falsified("a-attribute", f"{CAT}: it changes identity", false=None)
    found = of(kit, Schedule(correct=1, turns=2), described=rows, falsified=[broken])
    assert found["falsified"] == {"class as planned": 1}
