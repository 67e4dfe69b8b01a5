"""A dialogue is made anew from another false description, and back."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.records import Check, FalsePremise
from labeling.dialogues.false_premise.rebuilding import rebuild
from labeling.dialogues.false_premise.rules.changes import changes_between
from labeling.dialogues.false_premise.rules.edits import edited
from labeling.dialogues.false_premise.rules.turns import with_false
from stand_ins.false_premises import false_premise, false_premises


@pytest.mark.parametrize("record", false_premises(), ids=lambda record: record.dialogue_id)
def test_the_same_description_gives_the_same_dialogue(record: FalsePremise) -> None:
    assert rebuild(record, record.false_description) == record


def test_another_description() -> None:
    made = rebuild(false_premise("woman"), " the waiter in the white hat\n")
    assert made.false_description == "the waiter in the white hat"
    assert (made.edit.start, made.edit.before, made.edit.after) == (4, "woman", "waiter")
    assert made.turns[1].asked_question == made.turns[1].true_question
    assert (
        made.turns[3].asked_question == "What does the waiter in the white hat have on his hands?"
    )
    assert all(check.passed for check in made.checks)


def test_what_was_seen_of_another_description_is_forgotten() -> None:
    seen = Check(name="seen", passed=True, reason=None)
    record = false_premise()
    made = rebuild(
        replace(record, checks=(*record.checks, seen)), "the white dog on the blue carpet"
    )
    assert "seen" not in [check.name for check in made.checks]


@pytest.mark.parametrize(
    "text",
    ["", "   ", "\0", "<b>", "the " * 100_000, "\\1 \\g<0>", "😀", "the woman in the white hat"],
    ids=range(8),
)
def test_any_text_gives_a_dialogue_that_breaks_a_rule(text: str) -> None:
    made = rebuild(false_premise("woman"), text)
    assert len(made.turns) == 10
    assert not all(check.passed for check in made.checks)


COLOURS = ("black", "white", "grey", "red", "orange", "spotted", "wet", "huge")
PEOPLE = ("man", "waiter", "groom", "policeman", "bull", "robot")


def undone(made: FalsePremise) -> list[str]:
    """Return what is asked, with the true description put back."""
    pair = made.false_description, made.true_description
    return [
        with_false(turn.asked_question, *pair, made.premise_class)
        if turn.has_false_premise
        else turn.asked_question
        for turn in made.turns
    ]


@given(st.sampled_from(COLOURS), st.sampled_from(("dog", "woman", "boat", "donut")))
def test_rebuilt_and_undone_it_asks_the_true_questions(word: str, name: str) -> None:
    record = false_premise(name)
    words = record.true_description.split()
    made = rebuild(record, " ".join((words[0], word, *words[2:])))
    true, false = made.true_description, made.false_description
    assert edited(true, made.edit) == false
    assert len(changes_between(true, false, with_pronouns=True)) == 1
    assert undone(made) == [turn.true_question for turn in made.turns]


@given(st.sampled_from(PEOPLE))
def test_pronouns_come_back_too(word: str) -> None:
    made = rebuild(false_premise("woman"), f"the {word} in the white hat")
    assert undone(made) == [turn.true_question for turn in made.turns]


@given(st.text(max_size=40))
def test_no_text_breaks_it(text: str) -> None:
    made = rebuild(false_premise(), text)
    assert edited(made.true_description, made.edit) == made.false_description
