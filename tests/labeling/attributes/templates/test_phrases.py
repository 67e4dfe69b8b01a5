"""Articles, plurals and adjectives."""

import pytest

from labeling.attributes.templates.phrases import (
    holds_one_of,
    is_adjective,
    is_plural,
    with_article,
)


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("bow", "a bow"),
        ("empire waist", "an empire waist"),
        ("o-neck", "an o-neck"),  # the name of the letter
        ("v-neck", "a v-neck"),
        ("x-back", "an x-back"),
        ("a-line skirt", "an a-line skirt"),  # its a is no article
        ("a belt", "a belt"),
        ("one-shoulder neckline", "a one-shoulder neckline"),
        ("uniform", "a uniform"),
        ("unbuttoned collar", "an unbuttoned collar"),
        ("unimpressive hem", "an unimpressive hem"),
        ("hourglass shape", "an hourglass shape"),
        ("8-panel skirt", "an 8-panel skirt"),
        ("80s look", "an 80s look"),
        ("1950s style", "a 1950s style"),
        ("cap sleeves", "cap sleeves"),  # plural
        ("dress", "a dress"),  # not plural
        ("lace", "lace"),  # cannot be counted
        ("", ""),
    ],
)
def test_articles(phrase: str, expected: str) -> None:
    assert with_article(phrase, frozenset({"lace"})) == expected


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("buttons", True),
        ("princess seams", True),
        ("dress", False),
        ("canvas", False),
        ("bus", False),
        ("gas", False),
        ("seam", False),
        ("", False),
    ],
)
def test_plurals(phrase: str, expected: bool) -> None:
    assert is_plural(phrase) is expected


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("sleeveless", True),
        ("ruched", True),
        ("waterproof", True),
        ("plain", True),  # known
        ("bow", False),
        ("bed", False),  # too short for its end to tell
        ("speed", False),
        ("", False),
    ],
)
def test_adjectives(phrase: str, expected: bool) -> None:
    assert is_adjective(phrase, frozenset({"plain"})) is expected


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("v neckline", ("neckline",), True),
        ("turtleneck", ("neck",), True),  # at the end of a word
        ("neckerchief", ("neck",), False),
        ("zipper front", ("front",), True),
        ("sleeve style", ("sleeve length",), False),
        ("bow", (), False),
        ("", ("neck",), False),
    ],
)
def test_holding(text: str, names: tuple[str, ...], expected: bool) -> None:
    assert holds_one_of(text, names) is expected
