"""What models are asked: each value once at least, in an order that says nothing."""

import json
import re
from typing import Any

import pytest

from benchwright.records import AttributeType, AttributeValue
from labeling.attributes.gathering.proposals import Proposal
from labeling.attributes.gathering.questions import TypeQuestion, reviews, type_questions
from labeling.attributes.vocabulary.suggestions import suggest
from labeling.attributes.vocabulary.vocabulary import Vocabulary


def vocabulary(values: dict[tuple[str, str], int]) -> Vocabulary:
    return Vocabulary(
        types=tuple(
            AttributeType(type=name, aliases=(), exclusive=True, complete=False, askable=True)
            for name in sorted({name for name, _ in values})
        ),
        values=tuple(
            AttributeValue(type=name, value=value, aliases=(), templates=())
            for name, value in sorted(values)
        ),
    )


def asked(values: dict[tuple[str, str], int], seed: int = 0) -> list[TypeQuestion]:
    made = vocabulary(values)
    found = suggest(made, values)
    return list(type_questions(made, found, values, most=3, seed=seed))


def text(question: TypeQuestion) -> str:
    return str(question.request.messages[0].parts[0])


MANY = {("cut", f"value {at:03d} {chr(97 + at % 26) * 5}"): 500 - at for at in range(200)}


def test_many_values_are_asked_in_parts_that_share_the_common_ones() -> None:
    parts = asked(MANY)
    common = {value for (_, value), count in MANY.items() if count > 485}
    assert [part.is_first for part in parts] == [True, *[False] * (len(parts) - 1)]
    assert {value for part in parts for value in part.asked.values} == {one for _, one in MANY}
    for part in parts:
        assert common <= set(part.asked.values)
        assert len(part.asked.values) <= 60
    assert "alternatives" in text(parts[0])
    assert "alternatives" not in text(parts[1])


def test_the_order_depends_on_names_and_seed_alone() -> None:
    first = asked(MANY)
    assert asked(dict(reversed(MANY.items()))) == first
    assert asked(MANY, seed=1) != first
    assert list(first[0].asked.values) != sorted(first[0].asked.values)


def test_values_are_shown_with_their_pictures_and_what_they_may_be() -> None:
    (question,) = asked({("sleeve", "sleevless"): 9, ("sleeve", 'a "b"\n- "c" (3)'): 1})
    shown = re.findall(r'^- (".*") \((\d+)\)$', text(question), re.MULTILINE)
    assert {json.loads(value): int(count) for value, count in shown} == {
        "sleevless": 9,
        'a "b"\n- "c" (3)': 1,  # a value cannot forge a line
        "sleeveless": 0,  # the well-known term
    }


@pytest.mark.parametrize(
    ("values", "number"),
    [
        ({}, 0),
        ({("note", "x" * 201): 5}, 0),  # a sentence is no value to ask about
        ({("note", "x" * 200): 5}, 1),
        ({("a", "x"): 1, ("b", "x"): 1}, 2),
    ],
)
def test_how_many_questions(values: Any, number: int) -> None:
    assert len(asked(values)) == number


def test_nobody_reviews_what_it_proposed_itself() -> None:
    made = [
        Proposal(kind="merge", type="t", values=("a", "b"), keep="a", proposed_by=("v",)),
        Proposal(kind="add", type="t", values=("{c}",), proposed_by=("w",)),
        Proposal(kind="exclusive", type="t", proposed_by=("w",)),  # all have said theirs
        Proposal(kind="move", type="t", values=("a",), keep="b", into_type="u", proposed_by=("w",)),
    ]
    kind = AttributeType(type="t", aliases=(), exclusive=True, complete=False, askable=True)
    (review,) = reviews("v", kind, made, ["a"], 0)
    assert review.proposals == (made[1],)
    assert '1. "{c}" is a further value' in str(review.request.messages[0].parts[0])
    assert "w" not in review.proposals[0].declined_by
    (other,) = reviews("w", kind, made, ["a"], 0)
    assert other.proposals == (made[0],)
    many = [
        Proposal(kind="add", type="t", values=(f"v{at}",), proposed_by=("w",)) for at in range(90)
    ]
    parts = list(reviews("v", kind, many, [], 0))
    assert sorted(one.values for part in parts for one in part.proposals) == sorted(
        one.values for one in many
    )
    assert [len(part.proposals) for part in parts] == [40, 40, 10]
