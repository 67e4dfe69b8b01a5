"""Caption pairs: with a value and without it, k unlike ones for k templates."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchwright.errors import UsageError
from benchwright.records import AttributeType, AttributeValue
from labeling.attributes.templates.patterns import patterns
from labeling.attributes.voting.captions import _wordings, caption_pair


def pair(kind: str, value: str, noun: str, number: int = 1) -> tuple[str, str]:
    made = caption_pair(*entry(kind, value), noun, number)
    return made.with_value, made.without


def entry(kind: str, value: str) -> tuple[AttributeType, AttributeValue]:
    return (
        AttributeType(type=kind, aliases=(), exclusive=True, complete=False, askable=True),
        AttributeValue(type=kind, value=value, aliases=(), templates=()),
    )


@pytest.mark.parametrize(
    ("kind", "value", "noun", "with_value", "without"),
    [
        # the value gets the head of its kind, and the type as the vocabulary spells it
        (
            "neckline",
            "sweetheart",
            "dress",
            "a photo of a dress with a sweetheart neckline",
            "a photo of a dress with another neckline",
        ),
        (
            "colour",
            "red",
            "train",
            "a photo of a red train",
            "a photo of a train in another colour",
        ),
        # plural nouns take no article
        (
            "material",
            "cotton",
            "trousers",
            "a photo of trousers made of cotton",
            "a photo of trousers made of another material",
        ),
        # what is there or not is named, nobody asks whether pockets are yes
        (
            "pockets",
            "yes",
            "dress",
            "a photo of a dress with pockets",
            "a photo of a dress without pockets",
        ),
        (
            "neckline",
            "no collar",
            "dress",
            "a photo of a dress without collar",
            "a photo of a dress with a collar",
        ),
        ("sleeve", "sleeveless", "dress", "a photo of a sleeveless dress", "a photo of a dress"),
        ("age", "old", "dog", "a photo of an old dog", "a photo of a dog"),
        (
            "doors",
            "4",
            "car",
            "a photo of a car with 4 doors",
            "a photo of a car with another number of doors",
        ),
        (
            "decoration",
            "bow",
            "dress",
            "a photo of a dress with a bow",
            "a photo of a dress without bow",
        ),
        # a type that no pattern knows
        (
            "gauge",
            "narrow",
            "train",
            "a photo of a train whose gauge is narrow",
            "a photo of a train whose gauge is another",
        ),
    ],
)
def test_what_the_first_pair_says(
    kind: str, value: str, noun: str, with_value: str, without: str
) -> None:
    assert pair(kind, value, noun) == (with_value, without)


def test_what_is_missing_is_missing_from_all_parts() -> None:
    assert caption_pair(*entry("pockets", "none"), "dress", 1).of_all_parts
    assert not caption_pair(*entry("pockets", "yes"), "dress", 1).of_all_parts


def test_every_kind_that_has_captions_is_a_kind_of_the_patterns() -> None:
    assert set(_wordings().kinds) <= set(patterns().kinds)
    assert set(_wordings().sets) == {"quality", "thing", "trait", "present", "absent", "number"}


_NAMES = st.text(st.characters(codec="utf-8"), max_size=12).filter(lambda text: text.strip())


@given(
    st.sampled_from([*(spelling for spelling, _ in patterns().types.values()), "odd", "{x}"]),
    st.sampled_from(["yes", "none", "red", "v-neck", "sleeveless", "3", "{noun}", "100%", "with"])
    | _NAMES,
)
def test_pairs_are_unlike_and_leave_no_place_open(kind: str, value: str) -> None:
    assume(value.strip().lower() not in ("a", "an", "the"))  # no name: they say nothing
    made = []
    while True:
        try:
            made.append(pair(kind, value, "thing", len(made) + 1))
        except UsageError as error:
            assert re.search(r"there are \d+", str(error))  # noqa: PT017
            break
    assert len(made) in (10, 15, 20)  # frames and pairs have no common divisor
    assert len(set(made)) == len(made)
    for with_value, without in made:
        assert with_value != without
        assert "{a_" not in with_value + without


def test_numbers_that_are_none() -> None:
    for number in (0, -1, 16):
        with pytest.raises(UsageError, match="there are 15"):
            pair("colour", "red", "dress", number)
