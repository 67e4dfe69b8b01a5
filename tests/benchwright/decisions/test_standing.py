from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.decisions.standing import Thing, asked, outcome, standing, thing_of
from benchwright.records import Decision
from stand_ins.auditors import decision

LATER = "2026-03-01T12:05:00+00:00"


def test_a_second_auditor_overwrites_nobody() -> None:
    first, second = decision(1, "yes"), decision(1, "no", auditor="bo", at=LATER)
    assert standing([first, second]) == {thing_of(first): {"ana": first, "bo": second}}


def test_a_later_decision_of_the_same_auditor_takes_the_place() -> None:
    first, second = decision(1, "yes"), decision(1, "no", at=LATER)
    for order in ([first, second], [second, first]):  # a sheet may be read back late
        assert standing(order) == {thing_of(first): {"ana": second}}


def test_at_equal_times_the_one_added_later_stands() -> None:
    first, second = decision(1, "yes"), decision(1, "no")
    assert standing([first, second])[thing_of(first)]["ana"] == second


def test_times_are_compared_as_times() -> None:
    noon_in_madrid = decision(1, "yes", at="2026-03-01T12:30:00+01:00")  # half past eleven UTC
    noon = decision(1, "no", at="2026-03-01T12:00:00+00:00")
    assert standing([noon, noon_in_madrid])[thing_of(noon)]["ana"] == noon


@pytest.mark.parametrize("after_it", [False, True])
def test_who_withdraws_has_decided_nothing(after_it: bool) -> None:
    first = decision(1, "yes")
    other = decision(1, "no", auditor="bo")
    again = decision(1, "no", at="2026-03-01T12:09:00+00:00")
    undo = decision(1, None, verdict="withdrawn", at=LATER)
    found = standing([first, other, undo, *([again] if after_it else [])])
    assert found[thing_of(first)] == ({"ana": again} if after_it else {}) | {"bo": other}
    assert standing([first, undo]) == {}


def test_other_values_objects_and_checks_are_other_things() -> None:
    made = [
        decision(1),
        decision(1, object_id="7"),
        decision(1, field="colour/blue"),
        decision(image_id=None, record_id="d1", field="naturalness"),
    ]
    assert list(standing(made)) == [thing_of(each) for each in made]
    assert thing_of(made[3]) == Thing(None, None, "d1", "naturalness")


ASKED: dict[str, Any] = {}
RED, GREEN = ({"named_for": f"colour/{value}"} for value in ("red", "green"))
UNDO: dict[str, Any] = {"after": None, "verdict": "withdrawn"}
NO: dict[str, Any] = {"after": "no", "verdict": "corrected"}


@pytest.mark.parametrize(
    ("words", "stands"),
    [
        # judged by itself, named in place of red, and red is undone: it still is judged by itself
        ([ASKED, RED, RED | UNDO], 0),
        ([RED, ASKED, RED | UNDO], 1),
        # named later, it keeps what was judged by itself, whatever that is
        ([NO, ASKED, RED], 1),
        ([NO, RED], 0),
        ([UNDO | {"verdict": "unsure"}, RED], 0),
        # what was judged by itself is undone, and the name stands
        ([RED, NO, UNDO], 0),
        ([RED, NO, UNDO, RED | UNDO], None),
        # named for two: each is undone by itself, the latest stands
        ([RED, GREEN], 1),
        ([RED, GREEN, RED], 2),
        ([RED, GREEN, GREEN | UNDO], 0),
        ([RED, GREEN, RED | UNDO], 1),
        ([RED, GREEN, GREEN | UNDO, RED | UNDO], None),
        ([RED, RED | UNDO, RED], 2),
    ],
)
def test_a_value_that_was_named_touches_nothing_that_was_asked(
    words: list[dict[str, Any]], stands: int | None
) -> None:
    made = [
        decision(1, **{"field": "colour/blue", "at": f"2026-03-01T12:{at:02}:00Z", **word})
        for at, word in enumerate(words)
    ]
    thing = thing_of(made[0])
    expected = {} if stands is None else {thing: {"ana": made[stands]}}
    assert standing(made) == standing(made[::-1]) == expected


def test_an_asked_decision_keeps_the_probability_of_its_plan() -> None:
    drawn = decision(1, "yes", stratum="s", probability=0.1)
    named = decision(1, "yes", named_for="colour/blue", at=LATER)
    assert standing([drawn, named])[thing_of(drawn)]["ana"].probability == 0.1


def test_what_was_asked_is_told_from_what_was_named() -> None:
    one, other = decision(1), decision(2, named_for="colour/blue")
    bo = decision(1, auditor="bo", named_for="colour/blue")
    assert asked(standing([one, other, bo])) == {thing_of(one): {"ana": one}}


@given(st.permutations(range(6)))
def test_the_order_of_the_journal_does_not_matter(order: list[int]) -> None:
    made = [
        Decision(
            image_id=f"{at % 2}",
            object_id=None,
            record_id=None,
            field="a/b",
            auditor="ana",
            before="yes",
            after=None if at == 4 else "yes",
            verdict="withdrawn" if at == 4 else "confirmed",
            seconds=None,
            at=f"2026-03-01T12:00:0{at}+00:00",
            stratum=None,
            probability=None,
        )
        for at in range(6)
    ]
    assert standing(made[at] for at in order) == standing(made)


@pytest.mark.parametrize(
    ("answers", "found"),
    [
        (["yes"], ("yes", None)),
        ([None], (None, "unsure")),
        ([None, None], (None, "unsure")),
        (["yes", None], ("yes", None)),  # who cannot tell has no voice
        (["yes", "no"], (None, "undecided")),
        (["yes", "no", None], (None, "undecided")),
        (["yes", "no", "no"], ("no", None)),  # the third look
        (["yes", "yes", "no", "no"], (None, "undecided")),
    ],
)
def test_what_auditors_hold(answers: list[Any], found: Any) -> None:
    made = {
        f"a{number}": decision(1, after, auditor=f"a{number}")
        for number, after in enumerate(answers)
    }
    assert outcome(made) == found
