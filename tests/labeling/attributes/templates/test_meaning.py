"""What a value claims."""

import pytest

from benchwright.records import AttributeType, AttributeValue
from labeling.attributes.templates.meaning import Meaning, meaning_of, own_names


def kind(name: str, *aliases: str) -> AttributeType:
    return AttributeType(type=name, aliases=aliases, exclusive=False, complete=False, askable=True)


def value(name: str, *aliases: str) -> AttributeValue:
    return AttributeValue(type="t", value=name, aliases=aliases, templates=())


@pytest.mark.parametrize(
    ("type_name", "name", "claim", "thing"),
    [
        ("neckline", "v-neck", "quality", None),
        ("pockets", "yes", "present", "pockets"),
        ("pockets", "No", "absent", "pockets"),
        ("has hood", "true", "present", "hood"),
        ("is stacked", "yes", "present", "stacked"),
        ("sleeve length", "none", "absent", "sleeve"),  # nobody is free of a length
        ("number of doors", "none", "absent", "doors"),
        ("trim", "with pockets", "present", "pockets"),
        ("trim", "without any buttons", "absent", "buttons"),
        ("neckline", "no-collar", "absent", "collar"),
        ("neckline", "sleeveless", "quality", None),
        ("neckline", "notched", "quality", None),  # begins with no, but is a word
        ("perfume", "no 5", "quality", None),  # a number
        ("light", "on", "quality", None),
    ],
)
def test_claims(type_name: str, name: str, claim: str, thing: str | None) -> None:
    found = meaning_of(kind(type_name), value(name))
    assert found.claim == claim
    assert found.things[:1] == (() if thing is None else (thing,))


def test_names_by_which_a_value_is_asked_for() -> None:
    assert own_names(kind("neckline"), value("v-neck", "v", "sleeve: vneck")) == (
        "v-neck",
        "v",
        "vneck",  # a spelling from the wrong column
    )
    assert own_names(kind("pockets", "pouches"), value("yes")) == ("yes", "pockets", "pouches")
    assert own_names(kind("belt"), value("none")) == ("none", "free of any belt", "free of belt")
    assert meaning_of(kind("x"), value("")) == Meaning(claim="quality")
