"""One word or two: what is merged by itself, and what only looks alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.attributes.vocabulary.spelling import fold, garbled, similarity, tidy


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("V-Neck", "v neck"),  # case, hyphen and blank
        ("vneck", "v_neck"),  # no separator at all
        ("  cap  sleeves ", "Cap-Sleeves"),  # blanks around and doubled
        ("Women's", "womens"),  # straight apostrophe
        ("Women’s", "womens"),  # curly apostrophe
        ("3/4 sleeve", "3-4 Sleeve"),  # a separator between digits may be any
        ("3/4", "¾"),  # a fraction in one sign
        ("ＶＮＥＣＫ", "vneck"),  # full-width letters
        ("Straße", "STRASSE"),  # case folding, not lower case
        ("cafe\u0301", "café"),  # accent as a letter of its own
        ("\u03aa\u0301", "\u0390"),  # an upper-case letter that has no composed form
    ],
)
def test_these_are_one_word(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3/4", "34"),  # digits keep what divides them
        ("1.5", "15"),
        ("cafe", "café"),  # an accent is a difference
        ("short", "shorts"),
        ("a+b", "ab"),  # a sign is no separator
        ("a,b", "ab"),
    ],
)
def test_these_are_two_words(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(st.text())
def test_a_key_is_its_own_key(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_what_is_shown_has_the_same_key(text: str) -> None:
    assert fold(tidy(text)) == fold(text)
    assert tidy(tidy(text)) == tidy(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  V-Neck ", "v-neck"),  # hyphens stay
        ("cap_sleeves", "cap sleeves"),
        ("off\tthe\n shoulder", "off the shoulder"),
        ("", ""),
    ],
)
def test_the_shown_spelling(text: str, expected: str) -> None:
    assert tidy(text) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("silk", "silk", 1.0),
        ("sleevless", "sleeveless", 0.9),  # one of ten letters missing
        ("automn", "autumn", 1 - 1 / 6),  # one changed
        ("slik", "silk", 0.75),  # a swap of neighbours is one edit
        ("halter", "halterneck", 0.0),  # one begins the other: other words, not other spelling
        ("halterneck", "halter", 0.0),
        ("ruffle", "ruffles", 6 / 7),  # but one more letter can be a slip
        ("", "silk", 0.0),  # the empty word begins every other
        ("", "", 1.0),
    ],
)
def test_similarity(one: str, other: str, expected: float) -> None:
    assert similarity(one, other) == pytest.approx(expected)


def test_a_garbled_end_is_forgiven_in_long_words_only() -> None:
    assert similarity("sweethrt", "sweetheart") == pytest.approx(0.8)
    assert garbled("sweethrt", "sweetheart") > 0.85
    assert garbled("model", "modal") == similarity("model", "modal")  # five letters
    assert garbled("halter", "halterneck") == 0


@given(st.text(max_size=12), st.text(max_size=12))
def test_alikeness_is_mutual_and_within_bounds(one: str, other: str) -> None:
    for measure in (similarity, garbled):
        assert 0 <= measure(one, other) <= 1
        assert measure(one, other) == pytest.approx(measure(other, one))
