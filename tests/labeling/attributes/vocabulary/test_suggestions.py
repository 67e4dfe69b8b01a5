"""Misspellings are suggested, and become aliases only when a person takes them."""

import random
from collections.abc import Mapping

import pytest

from benchwright.records import AttributeType, AttributeValue
from labeling.attributes.vocabulary.suggestions import Suggestion, accept, known_terms, suggest
from labeling.attributes.vocabulary.vocabulary import Vocabulary

Counts = Mapping[tuple[str, str], int]


def vocabulary(counts: Counts) -> Vocabulary:
    types = sorted({type_name for type_name, _ in counts})
    return Vocabulary(
        types=tuple(
            AttributeType(type=name, aliases=(), exclusive=True, complete=False, askable=True)
            for name in types
        ),
        values=tuple(
            AttributeValue(type=name, value=value, aliases=(), templates=())
            for name, value in sorted(counts)
        ),
    )


def said(counts: Counts) -> list[tuple[str, str]]:
    found = suggest(vocabulary(counts), counts)
    return [(f"{one.type}: {one.value}", f"{one.into_type}: {one.into}") for one in found]


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        # a well-known term is suggested even where no picture has it
        ({("sleeve", "sleevless"): 9}, [("sleeve: sleevless", "sleeve: sleeveless")]),
        # the more frequent of two unknown spellings is taken for the right one
        (
            {("cut", "zorbique"): 9, ("cut", "zorbiqe"): 3},
            [("cut: zorbiqe", "cut: zorbique")],
        ),
        # of two as frequent, one way only
        (
            {("cut", "zorbiqua"): 3, ("cut", "zorbique"): 3},
            [("cut: zorbiqua", "cut: zorbique")],
        ),
        # a well-known term is never taken for a misspelling, however rare
        ({("fabric", "satin"): 1, ("fabric", "satn"): 500}, [("fabric: satn", "fabric: satin")]),
        # two well-known terms that look alike stay apart
        ({("fabric", "knitting"): 1, ("fabric", "knitted"): 90}, []),
        # one word more is another word
        ({("neck", "zorb"): 50, ("neck", "zorb neck"): 1}, []),
        # short words resemble too many
        ({("fabric", "lacy"): 4}, []),
        # a rare value of one type that is common in another is in the wrong column
        (
            {("sleeve", "quillon"): 1, ("sleeve", "zorbed"): 80, ("neck", "quillon"): 10},
            [("sleeve: quillon", "neck: quillon")],
        ),
        # not when it is no rarer than a tenth
        ({("sleeve", "quillon"): 2, ("neck", "quillon"): 10}, []),
        # a value that two types share by right
        ({("fabric", "lace"): 1, ("decoration", "lace"): 70}, []),
    ],
)
def test_what_is_suggested(counts: Counts, expected: list[tuple[str, str]]) -> None:
    assert said(counts) == expected


def test_the_most_frequent_come_first_then_by_name() -> None:
    counts = {
        ("b", "sleevless"): 2,
        ("a", "polyster"): 2,
        ("a", "embroidary"): 2,
        ("c", "automn"): 5,
    }
    assert [one for one, _ in said(counts)] == [
        "c: automn",
        "a: embroidary",
        "a: polyster",
        "b: sleevless",
    ]


def test_suggestions_do_not_depend_on_the_order_of_the_counts() -> None:
    counts = [
        (("a", f"{word}{end}"), number)
        for number, word in enumerate(
            ["sleevless", "polyster", "zorbique", "zorbiqe", "quillon", "quilon", "quillonn"]
        )
        for end in ("", "x")
    ]
    expected = said(dict(counts))
    assert expected
    random.Random(5).shuffle(counts)
    assert said(dict(counts)) == expected


def test_every_well_known_term_is_left_alone() -> None:
    counts = {("any", term): 1 for term in known_terms().values()}
    assert said(counts) == []


def taken(counts: Counts) -> Vocabulary:
    made = vocabulary(counts)
    for suggestion in suggest(made, counts):
        made = accept(made, suggestion)
    return made


def test_accepting_makes_an_alias() -> None:
    made = taken({("cut", "zorbique"): 9, ("cut", "zorbiqe"): 3})
    assert [(one.value, one.aliases) for one in made.values] == [("zorbique", ("zorbiqe",))]


def test_a_term_that_was_no_value_becomes_one() -> None:
    made = taken({("sleeve", "sleevless"): 9})
    assert [(one.value, one.aliases) for one in made.values] == [("sleeveless", ("sleevless",))]


def test_a_misspelling_of_a_misspelling_ends_at_the_term() -> None:
    made = taken({("sleeve", "sleevless"): 200, ("sleeve", "sleeevless"): 3})
    assert [one.value for one in made.values] == ["sleeveless"]
    lookup = made.lookup()
    assert {key[1] for key in lookup} == {"sleeveless", "sleevless", "sleeevless"}


def test_a_misplaced_value_keeps_the_column_that_it_came_from() -> None:
    made = taken({("sleeve", "quillon"): 1, ("sleeve", "zorbed"): 80, ("neck", "quillon"): 10})
    assert {key: f"{value.type}: {value.value}" for key, value in made.lookup().items()} == {
        ("neck", "quillon"): "neck: quillon",
        ("sleeve", "quillon"): "neck: quillon",
        ("sleeve", "zorbed"): "sleeve: zorbed",
    }


def suggestion(type_name: str, value: str, into_type: str, into: str) -> Suggestion:
    return Suggestion(
        kind="spelling" if type_name == into_type else "misplaced",
        type=type_name,
        value=value,
        into_type=into_type,
        into=into,
        similarity=0.9,
        count=1,
    )


def test_what_was_moved_before_is_moved_along() -> None:
    made = vocabulary({("a", "one"): 1, ("b", "two"): 1, ("c", "three"): 1})
    made = accept(made, suggestion("a", "one", "b", "two"))
    made = accept(made, suggestion("b", "two", "c", "three"))
    lookup = made.lookup()
    assert {key: value.value for key, value in lookup.items()} == {
        ("a", "one"): "three",
        ("b", "two"): "three",
        ("c", "three"): "three",
    }


def test_a_colon_in_a_value_names_no_column() -> None:
    made = vocabulary({("note", "ratio: 3"): 1, ("note", "ratios: 3"): 5})
    made = accept(made, suggestion("note", "ratio: 3", "note", "ratios: 3"))
    assert {key: value.value for key, value in made.lookup().items()} == {
        ("note", "ratio:3"): "ratios: 3",
        ("note", "ratios:3"): "ratios: 3",
    }


def test_accepting_twice_is_accepting_once() -> None:
    made = vocabulary({("cut", "zorbique"): 9, ("cut", "zorbiqe"): 3})
    (one,) = suggest(made, {("cut", "zorbique"): 9, ("cut", "zorbiqe"): 3})
    once = accept(made, one)
    assert accept(once, one) == once


@pytest.mark.parametrize(
    "counts",
    [
        {("era", "1950s"): 40, ("era", "1960s"): 30, ("era", "1970s"): 3},  # decades
        {("size", "size 36"): 400, ("size", "size 38"): 3},  # however rare
        {("label", "generic label #0"): 9, ("label", "generic label #3"): 9},
    ],
)
def test_another_number_is_another_value(counts: Counts) -> None:
    assert said(counts) == []
