"""The rules of false premises: right and wrong ones of each."""

from dataclasses import replace
from typing import Any

import pytest

from benchwright.records import Edit, FalsePremise
from labeling.dialogues.false_premise.rules.checks import RULES, check_dialogue
from stand_ins.false_premises import false_premises, written


def reason_of(record: FalsePremise, name: str) -> str | None:
    """Return why a rule does not let a record pass, null where it does."""
    (check,) = (check for check in check_dialogue(record) if check.name == name)
    assert check.passed == (check.reason is None)
    return check.reason


def test_the_drafts_by_hand_keep_all_rules() -> None:
    for record in false_premises():
        assert [check for check in check_dialogue(record) if not check.passed] == []


@pytest.mark.parametrize("premise_class", ["identity", "attribute", "location"])
def test_each_class_has_its_own_rule(premise_class: Any) -> None:
    names = [check.name for check in written("a b", "a c", premise_class=premise_class).checks]
    own = {"identity": "another kind", "attribute": "one property", "location": "whole target"}
    assert names[-1] == own[premise_class]
    assert len(names) == 7
    assert set(names) <= RULES


ONE_EDIT = [
    ("the red car", "the blue car", None),  # one word
    ("a red car", "an orange car", None),  # and its article
    ("the dog in the grass", "the dog on the beach", None),  # one phrase
    ("the man", "the man near the door", None),  # put in
    ("the red car", "the red car", "the false description is no other than the true one"),
    (  # two words apart
        "the man in the red shirt",
        "the woman in the blue shirt",
        "2 edits: 'man' to 'woman' and 'red' to 'blue'",
    ),
    (  # as long as a description
        "the cat on the left side of the old sofa",
        "the cat under a large wooden kitchen table there",
        "the edit is longer than 5 words: 'on the left side of the old sofa' to "
        "'under a large wooden kitchen table there'",
    ),
    (  # another article
        "the red car",
        "a blue car",
        "the description begins with 'a' in the place of 'the'",
    ),
    ("the red car", "The blue car", "the false description writes 'The' otherwise"),
    ("the red car", "the blue, car", "the false description has other punctuation"),
    ("the red car", "", "the description begins with '' in the place of 'the'"),
]


@pytest.mark.parametrize(("true", "false", "wanted"), ONE_EDIT)
def test_one_edit(true: str, false: str, wanted: str | None) -> None:
    assert reason_of(written(true, false), "one edit") == wanted


def test_pronouns_go_along_with_an_edit_of_identity() -> None:
    pair = ("the man with his dog", "the woman with her dog")
    assert reason_of(written(*pair, premise_class="identity"), "one edit") is None
    assert reason_of(written(*pair), "one edit") == "2 edits: 'man' to 'woman' and 'his' to 'her'"


def test_the_edit_is_the_one_between_the_descriptions() -> None:
    record = written("the red car", "the blue car")
    for edit in (
        Edit(start=4, before="red", after="green"),
        Edit(start=99, before="red", after="blue"),
        Edit(start=0, before="the red car", after="the blue car"),  # not the smallest
    ):
        wrong = replace(record, edit=edit)
        said = "the edit is not the one between the two descriptions"
        assert reason_of(wrong, "one edit") == said


def asked(number: int, text: str, *, also_true: bool = False) -> FalsePremise:
    """Return a draft whose n-th question is asked in these words, and true in them if said so."""
    record = written("the red car", "the blue car")
    turns = [
        replace(turn, asked_question=text, **({"true_question": text} if also_true else {}))
        if turn.index == number
        else turn
        for turn in record.turns
    ]
    return replace(record, turns=tuple(turns))


@pytest.mark.parametrize(
    ("record", "wanted"),
    [
        (written("the red car", "the blue car"), None),
        (  # missing from a correct turn
            asked(2, "Is it fast?", also_true=True),
            "the true description does not stand in question 2",
        ),
        (  # twice
            asked(3, "Is the red car by the red car?", also_true=True),
            "the true description stands 2 times in question 3",
        ),
        (asked(7, "Is it fast?"), "the false description does not stand in question 7"),
        (asked(8, "Is the red car fast?"), "the false description does not stand in question 8"),
        (  # the false one is there already, and true of something else
            written(
                "the red car",
                "the blue car",
                [f"Is the red car by the blue car {number}?" for number in range(10)],
            ),
            "the false description stands 2 times in question 4",
        ),
    ],
    ids=["right", "missing", "twice", "not asked", "still true", "true of another"],
)
def test_description_once(record: FalsePremise, wanted: str | None) -> None:
    assert reason_of(record, "description once") == wanted


def identity(question: str, as_asked: str) -> FalsePremise:
    """Return a draft of the man who is called a woman, with one wording of question 4."""
    questions = [f"Is the man number {number}?" for number in range(1, 11)]
    questions[3] = question
    record = written("the man", "the woman", questions, "identity")
    turns = [
        replace(turn, asked_question=as_asked) if turn.index == 4 else turn for turn in record.turns
    ]
    return replace(record, turns=tuple(turns))


@pytest.mark.parametrize(
    ("record", "wanted"),
    [
        (asked(5, "Is the blue car number 5?"), None),
        (asked(2, "Is the red car number 22?"), "question 2 is asked otherwise, though nothing is"),
        (asked(5, "Is the blue car number six?"), "question 5 changes '5' to 'six'"),
        (asked(5, "Is the blue car really number 5?"), "question 5 has more or fewer words"),
        (asked(5, "Is the blue car number 5!"), "question 5 has other punctuation"),
        (asked(5, "Is it number 5?"), "question 5 does not hold its description once"),
        (identity("Is the man in his car?", "Is the woman in her car?"), None),
        (identity("Is the man in his car?", "Is the woman in their car?"), None),  # neutral
        (identity("Has the man seen he's wet?", "Has the woman seen she's wet?"), None),
        (
            identity("Is the man in his car?", "Is the woman in a car?"),
            "question 4 changes 'his' to 'a'",
        ),
        (
            identity("Has the man seen he's wet?", "Has the woman seen she'd wet?"),
            'question 4 changes "he\'s" to "she\'d"',
        ),
    ],
)
def test_nothing_else_changed(record: FalsePremise, wanted: str | None) -> None:
    found = reason_of(record, "nothing else changed")
    assert (found or "").startswith(wanted or "")
    assert (found is None) == (wanted is None)


def test_pronouns_change_only_with_identity() -> None:
    record = written(
        "the tall man", "the short man", [f"Is the tall man in his car {at}?" for at in range(10)]
    )
    turns = [replace(turn, asked_question=turn.asked_question.replace("his", "her"))
             for turn in record.turns[3:]]  # fmt: skip
    wrong = replace(record, turns=(*record.turns[:3], *turns))
    assert reason_of(wrong, "nothing else changed") == "question 4 changes 'his' to 'her'"


@pytest.mark.parametrize(
    ("flags", "indexes", "wanted"),
    [
        ("FFT", (1, 2, 3), None),
        ("FTF", (1, 2, 3), "a turn with the true description comes after one with the false one"),
        ("FFF", (1, 2, 3), "wants turns with and without the false description"),
        ("FFT", (1, 2, 4), "the turns are not numbered from 1 on"),
        ("", (), "wants turns with and without the false description"),
    ],
)
def test_turns_in_order(flags: str, indexes: tuple[int, ...], wanted: str | None) -> None:
    record = written("the red car", "the blue car")
    turns = tuple(
        replace(record.turns[5], has_false_premise=flag == "T", index=index)
        for flag, index in zip(flags, indexes, strict=True)
    )
    assert reason_of(replace(record, turns=turns), "turns in order") == wanted


@pytest.mark.parametrize(
    ("true", "false", "premise_class", "wanted"),
    [
        ("the red car", "the blue car", "attribute", None),
        ("the red car", "the car", "attribute", None),  # shorter; that it is one is another rule
        ("the man", "the man near the door", "location", None),  # one place phrase
        (
            "the man", "the tall man", "attribute",
            "the false description has 3 words, the true one 2",
        ),
        (
            "the man", "the police officer", "identity",
            "the false description has 3 words, the true one 2",
        ),
        (  # put in, but no place
            "the man", "the man with a hat", "location",
            "what is put in is no place phrase: 'with a hat'",
        ),
        (  # a place phrase, but in the place of another
            "the man on the left", "the man on the left side", "location", None,
        ),
        ("the man on a horse", "the man next to a horse", "location", None),  # as one word
        ("the bus behind a tree", "the bus in front of a tree", "location", None),
        (
            "the man at home", "the man near the door", "location",
            "the false description has 5 words, the true one 4",
        ),
    ],
)  # fmt: skip
def test_not_longer(true: str, false: str, premise_class: Any, wanted: str | None) -> None:
    assert reason_of(written(true, false, premise_class=premise_class), "not longer") == wanted


@pytest.mark.parametrize(
    ("true", "false", "planned", "wanted"),
    [
        ("the man in the red shirt", "the woman in the red shirt", "identity", None),
        ("the man in the red shirt", "the man in the blue shirt", "attribute", None),  # worn
        ("the smiling man", "the crying man", "attribute", None),
        ("the man in red", "the man in blue", "attribute", None),
        ("the cat in the dark", "the cat in the garden", "location", None),
        ("the man with a hat", "the man with a bag", "attribute", None),
        ("the man on the left", "the man on the right", "location", None),
        ("the leftmost man", "the rightmost man", "location", None),
        ("the cat next to the tv", "the cat behind the tv", "location", None),
        ("the man", "the man near the door", "location", None),
        (
            "the man on the left", "the man on the right", "attribute",
            "changes location; planned is attribute",
        ),
        ("the red car", "the blue car", "identity", "changes attribute; planned is identity"),
        ("the man", "the woman", "location", "changes identity; planned is location"),
        (  # two at once
            "the red car", "the blue bus", "identity",
            "changes attribute and identity; planned is identity",
        ),
        (  # a bag on the other arm is no place of the man
            "the man with a bag on his left arm", "the man with a bag on his right arm", "location",
            "changes location of a part; planned is location",
        ),
        ("the man", "the man", "identity", "nothing changes the identity"),
    ],
)  # fmt: skip
def test_class_as_planned(true: str, false: str, planned: Any, wanted: str | None) -> None:
    assert reason_of(written(true, false, premise_class=planned), "class as planned") == wanted


@pytest.mark.parametrize(
    ("true", "false", "wanted"),
    [
        ("the brown dog", "the brown cat", None),
        ("the old train at the station", "the old bus at the station", None),
        ("the slice of pizza on the plate", "the slice of cake on the plate", None),
        ("the red car", "the blue car", "the target is still named 'car'"),
        ("the dog", "the cats", "dog and cats are not as many"),
        ("the man", "the boy", "man and boy differ in age"),
        ("the bike", "the bicycle", "bike and bicycle are words for one thing"),
        ("the person", "the woman", "woman is a kind of person"),
    ],
)
def test_another_kind(true: str, false: str, wanted: str | None) -> None:
    assert reason_of(written(true, false, premise_class="identity"), "another kind") == wanted


@pytest.mark.parametrize(
    ("true", "false", "wanted"),
    [
        ("the red car", "the blue car", None),
        ("the wooden boat", "the steel boat", None),
        ("the smiling man", "the angry man", None),
        ("the light blue car", "the dark red car", None),  # two words, both of colour
        ("the light blue car", "the red car", None),  # as many or not
        ("the gold car", "the silver car", None),  # colours or materials, the same anyhow
        ("the fuzzy car", "the blue car", None),  # not known: people look
        ("the man in the shirt", "the man in the jacket", None),  # clothing
        ("the red car", "the wooden car", "'red' to 'wooden' goes from colour to material"),
        ("the red car", "the small car", "'red' to 'small' goes from colour to size"),
        (
            "the small red car", "the large blue car",
            "'small red' to 'large blue' changes size and colour",
        ),
        ("the red car", "the car", "an attribute is left out, not changed"),
        ("the car", "the red car", "an attribute is put in, not changed"),
    ],
)  # fmt: skip
def test_one_property(true: str, false: str, wanted: str | None) -> None:
    assert reason_of(written(true, false), "one property") == wanted


@pytest.mark.parametrize(
    ("true", "false", "wanted"),
    [
        ("the man on the left", "the man on the right", None),
        ("the dog in the grass", "the dog on the beach", None),
        ("the dog on the sofa", "the dog under the sofa", None),
        ("the dog on the sofa", "the dog on the bed", None),
        ("the man with a hat on the left", "the man with a hat on the right", None),
        ("the man on the left", "the woman on the right", "the target is named 'woman', not 'man'"),
        (
            "the man with a bag on his left arm", "the man with a bag on his right arm",
            "'left' to 'right' moves only something of the target",
        ),
        (  # the place is where it was
            "the dog on the blue sofa", "the dog on the red sofa",
            "'blue' to 'red' changes what stands at the place, not the place",
        ),
    ],
)  # fmt: skip
def test_whole_target(true: str, false: str, wanted: str | None) -> None:
    found = reason_of(written(true, false, premise_class="location"), "whole target")
    assert (found or "").startswith(wanted or "")
    assert (found is None) == (wanted is None)


def test_a_text_without_end_is_refused_at_once() -> None:
    checks = written("the red car", "the " + "a b " * 50_000 + "car").checks
    assert {check.reason for check in checks} == {"a description has more than 300 characters"}
