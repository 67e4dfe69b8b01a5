"""The one edit between two descriptions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.records import Edit
from labeling.dialogues.false_premise.rules.edits import edit_between, edited, words_of

CASES = [
    # one word
    ("the red car", "the blue car", (4, "red", "blue")),
    # words that begin alike are still whole words
    ("the grey cat", "the green cat", (4, "grey", "green")),
    # the article goes with the word that it stands before
    ("a red apple", "an orange apple", (0, "a red", "an orange")),
    # a phrase
    ("the plane in the sky", "the plane on the runway", (10, "in the sky", "on the runway")),
    # put in at the end, with the blank before it
    ("the man", "the man near the door", (7, "", " near the door")),
    # put in in the middle, with the blank after it
    ("the man smiling", "the man outside smiling", (8, "", "outside ")),
    # left out
    ("the small red car", "the red car", (4, "small ", "")),
    # a word that stands twice
    ("the red red car", "the red car", (8, "red ", "")),
    # nothing
    ("the man", "the man", (7, "", "")),
    # blanks count
    ("the man", "the  man", (3, " ", "  ")),
    # hyphens and apostrophes part no word
    ("the t-shirt", "the t-bone", (4, "t-shirt", "t-bone")),
    # all of it
    ("cat", "dog", (0, "cat", "dog")),
    # from nothing
    ("", "dog", (0, "", "dog")),
]


@pytest.mark.parametrize(("true", "false", "wanted"), CASES)
def test_the_edit(true: str, false: str, wanted: tuple[int, str, str]) -> None:
    edit = edit_between(true, false)
    assert (edit.start, edit.before, edit.after) == wanted
    assert edited(true, edit) == false


TOKENS = ("the", "a", "red", "man's", "dog-house", ",", "", "é", "😀", "\n")
texts = st.lists(st.sampled_from(TOKENS), max_size=8)


@given(texts.map(" ".join), texts.map(" ".join))
def test_an_edit_always_leads_there_and_back(true: str, false: str) -> None:
    edit = edit_between(true, false)
    assert edited(true, edit) == false
    back = Edit(start=edit.start, before=edit.after, after=edit.before)
    assert edited(false, back) == true


def test_an_edit_of_another_text_is_a_bug() -> None:
    with pytest.raises(ValueError, match="'red' does not stand at character 4"):
        edited("the blue car", Edit(start=4, before="red", after="green"))


def test_words() -> None:
    assert words_of("The man’s T-shirt, at 3 o'clock!") == [
        "the",
        "man’s",
        "t-shirt",
        "at",
        "3",
        "o'clock",
    ]
