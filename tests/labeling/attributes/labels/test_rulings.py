"""What decisions on labels come to, cell by cell."""

from typing import Any

import pyarrow as pa
import pytest

from benchwright.decisions.on_labels import label_decisions_digest, of_labels
from benchwright.records import AttributeType, AttributeValue, Decision
from labeling.attributes.labels.rulings import Ruling, Rulings
from labeling.attributes.vocabulary.vocabulary import Vocabulary
from stand_ins.auditors import decision

PICTURES = pa.array([f"{number:016x}" for number in range(1, 4)], pa.string())
VALUES = (("colour", "red"), ("colour", "blue"), ("trim", "bow"), ("trim", "lace"))
VOCABULARY = Vocabulary(
    types=tuple(
        AttributeType(type=name, aliases=(), exclusive=exclusive, complete=False, askable=True)
        for name, exclusive in (("colour", True), ("trim", False))
    ),
    values=tuple(
        AttributeValue(type=name, value=value, aliases=(), templates=()) for name, value in VALUES
    ),
)


def rulings(*decisions: Decision) -> Rulings:
    return Rulings.of(of_labels(decisions), VOCABULARY, PICTURES)


def cell(field: str = "colour/red", number: int = 1) -> tuple[str, None, str, str]:
    kind, value = field.split("/")
    return (f"{number:016x}", None, kind, value)


YES, NO = {"after": "yes"}, {"after": "no"}
BY_BO: dict[str, Any] = {"auditor": "bo"}
BY_CY: dict[str, Any] = {"auditor": "cy"}
LATER: dict[str, Any] = {"at": "2026-03-02T12:00:00+00:00"}


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ([NO], ("no", "ana")),
        ([YES, YES | BY_BO], ("yes", "ana, bo")),
        ([YES | BY_BO, YES], ("yes", "ana, bo")),  # whoever came first
        ([YES, NO | BY_BO], None),  # undecided
        ([YES, NO | BY_BO, NO | BY_CY], ("no", "bo, cy")),  # the third look
        ([YES, NO | LATER], ("no", "ana")),  # thought better of it
        ([{"after": None}], ("unsure", "ana")),
        ([{"after": None}, NO | BY_BO], ("no", "bo")),  # who cannot tell has no voice
        ([{"after": None}, {"after": None, **BY_BO}], ("unsure", "ana, bo")),
        ([YES, LATER | {"after": None, "verdict": "withdrawn"}], None),
        ([{"after": "maybe"}], None),  # no answer of a label
        ([{"after": "maybe"}, NO | BY_BO], ("no", "bo")),
    ],
)
def test_what_auditors_hold_of_one_label(
    said: list[dict[str, Any]], found: tuple[Any, str] | None
) -> None:
    made = rulings(*(decision(**each) for each in said))
    expected = None if found is None else Ruling(answer=found[0], auditor=found[1])
    assert made.on(cell()) == expected
    assert made.on(cell(number=2)) is None


def test_yes_to_a_value_is_no_to_the_others_of_its_exclusive_type() -> None:
    made = rulings(decision(), decision(after="yes", field="trim/bow", auditor="bo"))
    assert made.on(cell("colour/blue")) == Ruling(answer="no", auditor="ana")
    assert made.on(cell("trim/lace")) is None
    assert made.on(cell("colour/blue", 2)) is None
    thing = decision(object_id="7")
    assert rulings(thing).on(cell("colour/blue")) is None  # of an object, not of its picture
    # what nobody could tell stays so
    unsure = decision(after=None, field="colour/blue")
    assert rulings(decision(), unsure).on(cell("colour/blue")) == Ruling(
        answer="unsure", auditor="ana"
    )


def test_two_yes_in_an_exclusive_type_contradict_each_other() -> None:
    both = [decision(), decision(field="colour/blue", **LATER)]
    made = rulings(*both)
    assert made.contradictions == (cell("colour/blue"), cell())
    assert not made.by_cell
    assert made.on(cell()) is None
    settled = rulings(*both, decision(after="no", at="2026-03-03T12:00:00+00:00"))
    assert settled.contradictions == ()
    assert settled.on(cell("colour/blue")) == Ruling(answer="yes", auditor="ana")


def test_decisions_that_can_be_of_no_row_are_counted() -> None:
    made = rulings(
        decision(field="colour/green"),  # no such value any more
        decision(9),  # no such picture
        decision(after="maybe"),
        decision(after="no", field="trim/bow"),
    )
    assert set(made.by_cell) == {cell("trim/bow")}
    assert made.left_out == {
        "decisions_not_in_catalog": 1,
        "decisions_not_in_vocabulary": 1,
        "decisions_without_yes_or_no": 1,
    }


@pytest.mark.parametrize(
    ("more", "same"),
    [
        ({"seconds": 9.0, "note": "hm"}, True),
        ({"at": "2026-04-01T12:00:00+00:00"}, True),
        ({"stratum": "s", "probability": 0.5, "before": None}, True),
        ({"after": "no"}, False),
        ({"auditor": "bo"}, False),  # whose it is stands in the labels
        ({"object_id": "1"}, False),
        ({"field": "colour/blue"}, False),
    ],
)
def test_the_digest_is_of_what_changes_labels(more: dict[str, Any], *, same: bool) -> None:
    def digest(*decisions: Decision) -> str | None:
        return label_decisions_digest(of_labels(decisions))

    other = decision(2)
    assert (digest(decision(**more), other) == digest(other, decision())) is same
    dialogue = decision(image_id=None, record_id="d1", field="dialogue")
    assert digest(decision(), dialogue) == digest(decision())
    assert digest(dialogue) is None
    assert digest(decision(), decision(after=None, verdict="withdrawn", **LATER)) is None
