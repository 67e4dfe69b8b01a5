"""Turns: exact replacement of the description, and what may change beside it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.dialogues.false_premise.rules.articles import takes_an
from labeling.dialogues.false_premise.rules.turns import (
    Schedule,
    build_turns,
    places_of,
    with_false,
)

QUESTIONS = [f"Is the red car number {number}?" for number in range(1, 11)]


@pytest.mark.parametrize(
    ("question", "description", "count"),
    [
        ("Is the red car fast?", "the red car", 1),
        ("The red car: is it fast?", "the red car", 1),  # a capital at the beginning
        ("the red car", "the red car", 1),
        ("Is the red car's door open?", "the red car", 1),  # whose
        ("Is the red car by the red car?", "the red car", 2),
        ("Is the Red car fast?", "the red car", 0),  # not word for word
        ("Is the red cart fast?", "the red car", 0),  # part of a longer word
        ("Is the red car-like thing fast?", "the red car", 0),
        ("Does lathe red car run?", "the red car", 0),
        ("Is the  red car fast?", "the red car", 0),  # another blank
        ("Is a.b fast?", "a.b", 1),  # nothing in it is a pattern
        ("Is axb fast?", "a.b", 0),
        ("Is it fast?", "", 0),
    ],
)
def test_places(question: str, description: str, count: int) -> None:
    places = places_of(question, description)
    assert len(places) == count
    assert all("".join(place) == question for place in places)


@pytest.mark.parametrize(
    ("question", "true", "false", "premise_class", "wanted"),
    [
        # nothing but the description
        (
            "Is the red car his?", "the red car", "the blue car", "attribute",
            "Is the blue car his?",
        ),
        # a capital stays one
        (
            "The red car is whose?", "the red car", "the blue car", "attribute",
            "The blue car is whose?",
        ),
        # a description without an article takes the one before it along, and only that one
        (
            "Is there a red apple on a plate?", "red apple", "orange apple", "attribute",
            "Is there an orange apple on a plate?",
        ),
        ("An old dog is here?", "old dog", "young dog", "attribute", "A young dog is here?"),
        # one that begins with the same word takes none along
        ("Is it a odd dog?", "odd dog", "odd cat", "identity", "Is it a odd cat?"),
        # pronouns only after an edit of identity
        ("Is the man in his car?", "the man", "the woman", "identity", "Is the woman in her car?"),
        (
            "Is the tall man in his car?", "the tall man", "the short man", "attribute",
            "Is the short man in his car?",
        ),
        # both sides of the description
        (
            "In his hand, what does the man hold for himself?", "the man", "the woman", "identity",
            "In her hand, what does the woman hold for herself?",
        ),
        # a word that is not known: pronouns are left to people
        ("Is the man in his car?", "the man", "the gizmo", "identity", "Is the gizmo in his car?"),
        # the description is not there, or twice: nothing is guessed
        ("Is it red?", "the red car", "the blue car", "attribute", "Is it red?"),
        ("The man by the man?", "the man", "the woman", "identity", "The man by the man?"),
    ],
)  # fmt: skip
def test_with_false(question: str, true: str, false: str, premise_class: str, wanted: str) -> None:
    assert with_false(question, true, false, premise_class) == wanted  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("apple", True), ("Orange", True), ("hour", True), ("unidentified", True),
        ("umbrella", True), ("car", False), ("unicycle", False), ("European", False),
        ("one-eyed", False), ("used", False), ("", False),
    ],
)  # fmt: skip
def test_articles(word: str, wanted: bool) -> None:
    assert takes_an(word) is wanted


def test_the_schedule_is_three_and_seven() -> None:
    turns = build_turns(QUESTIONS, "the red car", "the blue car", "attribute")
    assert [turn.has_false_premise for turn in turns] == [False] * 3 + [True] * 7
    assert [turn.index for turn in turns] == list(range(1, 11))
    assert [turn.true_question for turn in turns] == QUESTIONS
    assert turns[2].asked_question == "Is the red car number 3?"
    assert turns[3].asked_question == "Is the blue car number 4?"


def test_another_schedule() -> None:
    schedule = Schedule(correct=1, turns=2)
    turns = build_turns(QUESTIONS[:2], "the red car", "the blue car", "attribute", schedule)
    assert [turn.has_false_premise for turn in turns] == [False, True]


def test_too_few_questions_are_a_bug() -> None:
    with pytest.raises(ValueError, match="wanted 10 questions, got 2"):
        build_turns(QUESTIONS[:2], "the red car", "the blue car", "attribute")


words = st.sampled_from(["one", "two", "red", "é", "car", "old-time", "7"])
phrases = st.lists(words, min_size=1, max_size=4).map(" ".join)


@given(phrases, phrases, st.text(max_size=20), st.text(max_size=20))
def test_putting_the_true_description_back_gives_the_true_question(
    true: str, false: str, before: str, after: str
) -> None:
    question = f"{before} ({true}) {after}"
    asked = with_false(question, true, false, "location")
    if len(places_of(question, true)) != 1 or len(places_of(asked, false)) != 1:
        return
    assert with_false(asked, false, true, "location") == question
