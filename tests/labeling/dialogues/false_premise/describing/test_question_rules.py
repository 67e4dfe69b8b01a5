"""What the questions of a dialogue must keep."""

import pytest

from labeling.dialogues.false_premise.describing.question_rules import (
    fewest_open,
    question_faults,
)

DOG = "the brown dog on the blue carpet"
GOOD = (
    "What is {} sniffing at?",
    "Is the tail of {} up or down?",
    "Does {} look at ease in this room?",
    "How far is {} from the man at the window?",
    "Could {} be looking for something to eat, and does it seem hungry?",
    "Which way does the nose of {} point?",
    "Is {} right next to a toy?",  # right of no side
    "Are there other animals near {}?",  # others
    "What may {} do next?",
    "In which direction does {} look?",
)


def asked(number: int, question: str, description: str = DOG) -> list[str]:
    """Return the good questions with one of them, from 1, in the place of another."""
    questions = [one.format(description) for one in GOOD]
    questions[number - 1] = question.replace("{}", description)
    return questions


def test_good_questions() -> None:
    assert question_faults(asked(1, GOOD[0]), DOG, 10) == []


@pytest.mark.parametrize(
    ("question", "fault"),
    [
        ("Is this dog up?", "the description is missing from question 7"),
        ("Is The brown dog on the blue carpet up?", None),  # a capital of its own
        ("Is the Brown dog on the blue carpet up?", "the description is missing from question 7"),
        ("Is {} beside {}?", "the description stands 2 times in question 7"),
        ("", "question 7 is empty"),
        ("{}?", "question 7 asks for nothing"),
        ("Is {} up? Why?", "question 7 is not one question that ends with a question mark"),
        ("Tell me whether {} is up.", "question 7 is not one question"),
        ("Was macht {} heute Abend?", None),  # was is a word of English as well
        ("Que fait {} maintenant?", "question 7 is no question in English"),
        ("What's {} up to?", None),
        ("Aren’t the eyes of {} shut?", None),
        ("Is {} on a {mat}?", "question 7 holds '{'"),
        ("Is {} " + "very " * 60 + "old?", "question 7 has more than 250 characters"),
        ("Is the blue of {} faded?", "question 7 says 'blue' of the description once more"),
        ("Is another carpet near {}?", "question 7 says 'carpet' of the description once more"),
        ("Is {} a friendly puppy?", "question 7 names the target once more: 'puppy'"),
        ("Is the animal {} asleep?", "question 7 names the target once more: 'animal'"),
        ("Is {} asleep, or is it another animal that sleeps?", None),
        ("Is the other dog near {}?", "question 7 says 'dog' of the description once more"),
        ("Is {} in the red frame?", "question 7 speaks of the frame"),
        ("Is {} up\x00?", "question 7 holds characters that cannot be printed"),
        (GOOD[2], "questions 3 and 7 are the same"),
        ("does {} look at ease, in this room?", "questions 3 and 7 are the same"),
    ],
)
def test_faults(question: str, fault: str | None) -> None:
    found = question_faults(asked(7, question), DOG, 10)
    assert found == [] if fault is None else any(fault in one for one in found)


def test_synonyms_of_the_target_are_other_names_for_it() -> None:
    bike = "the red bicycle at the wall"
    found = question_faults(asked(7, "Is {} the bike of a child?", bike), bike, 10)
    assert found == ["question 7 names the target once more: 'bike'"]


def test_there_must_be_as_many_as_the_schedule_has_turns() -> None:
    questions = asked(1, GOOD[0])
    assert question_faults(questions[:9], DOG, 10) == ["there are 9 questions, wanted are 10"]
    assert question_faults([], DOG, 3)[0] == "there are 0 questions, wanted are 3"


def test_not_all_of_them_want_yes_or_no() -> None:
    for verb in ("Is", "Isn't", "Can’t"):
        closed = [f"{verb} {DOG} run {number} miles?" for number in range(10)]
        assert question_faults(closed, DOG, 10) == [
            "0 questions want more than yes or no, wanted are at least 3"
        ]


@pytest.mark.parametrize(("turns", "wanted"), [(2, 1), (3, 1), (10, 3), (11, 4)])
def test_open_questions(turns: int, wanted: int) -> None:
    assert fewest_open(turns) == wanted
