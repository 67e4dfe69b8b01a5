import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.dialogues.question_chain.distracting.likeness import (
    NEAR,
    is_same_answer,
    likeness,
    may_mean,
    nearest,
    plain_words,
)

TEXTS = st.lists(
    st.sampled_from(["a", "car", "cars", "Car?", "two", "2", "is", "left", "colour", "color", "é"]),
    max_size=6,
).map(" ".join)


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        ("How many cars are there?", "how many CARS are there", 1.0),
        ("How many cars are there?", "How many cars can you see in the picture?", 1.0),
        ("How many cars are there?", "How many car are visible?", 1.0),  # another ending
        ("What colour is it?", "What color is it?", 1.0),  # another spelling
        ("How many are 2?", "How many are two?", 1.0),
        ("What's on the table?", "What is on the table?", 1.0),
        ("What is in the picture?", "What can you see?", 1.0),
        ("How many cars are there?", "How many red cars are there?", 3 / 4),
        ("What colour is the left car?", "What colour is the right car?", 3 / 5),
        ("How many men are there?", "How many women are there?", 2 / 4),
        ("Is bus 12 late?", "Is bus 13 late?", 2 / 4),  # numbers are never alike
        ("Is the road wet?", "Who is to blame?", 0.0),
        ("", "", 1.0),
        ("", "Who?", 0.0),
        ("Is there?", "Are there?", 1 / 3),  # of words that say nothing all count
    ],
)
def test_likeness(one: str, other: str, wanted: float) -> None:
    assert likeness(one, other) == pytest.approx(wanted)


@given(TEXTS, TEXTS)
def test_likeness_is_a_likeness(one: str, other: str) -> None:
    assert 0 <= likeness(one, other) <= 1
    assert likeness(one, other) == likeness(other, one)
    assert likeness(one, one) == 1


def test_the_first_that_is_near_is_named() -> None:
    others = ["Who laughs?", "How many cars are there?", "How many car are there?"]
    assert nearest("How many cars?", others) == "How many cars are there?"
    assert nearest("How many buses?", others, NEAR) is None
    assert nearest("How many buses?", others, 0.5) == "How many cars are there?"


@pytest.mark.parametrize(
    ("answer", "true", "same", "may"),
    [
        ("The  Red-Car", "red car", True, True),  # case, blanks, an article, a hyphen
        ("2", "two", True, True),
        ("a cat and two dogs", "2 dogs, a cat", True, True),  # a list has no order
        ("red or white", "white or red", True, True),
        ("1/2", "2/1", False, False),
        ("1,200", "200,1", False, False),
        # a way and who does what have one
        ("left, then right", "right, then left", False, False),
        ("the dog behind the man", "the man behind the dog", False, False),
        ("two cars", "2", False, True),
        ("no", "no, it is parked", False, True),
        ("not red", "red", False, True),  # it cannot be told by the words alone
        ("in its own lane", "in its lane", False, False),
        ("13", "3", False, False),
        ("blue", "red", False, False),
        ("twelve", "two", False, False),
        ("", "red", False, False),
    ],
)
def test_what_an_answer_may_mean(answer: str, true: str, same: bool, may: bool) -> None:
    assert is_same_answer(answer, true) == is_same_answer(true, answer) == same
    assert may_mean(answer, true) == may_mean(true, answer) == may


def test_plain_words() -> None:
    assert plain_words("The TWENTY  cars, a bus & an old-timer.") == (
        "20",
        "cars",
        "bus",
        "old",
        "timer",
    )
