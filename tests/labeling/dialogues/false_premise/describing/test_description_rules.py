"""What a description must say."""

import pytest

from labeling.dialogues.false_premise.describing.description_rules import (
    description_faults,
    is_of_one_line,
)

NO_PROPERTY, NO_PLACE = "names no property", "does not say where the whole target is"


@pytest.mark.parametrize(
    ("label", "description"),
    [
        ("dog", "the brown dog on the blue carpet"),
        ("dog", "the black and white dog in the grass"),
        ("dog", "the small fluffy dog under the table"),
        ("person", "the woman in the white hat on the slope"),  # worn
        ("person", "the smiling woman in the foreground"),
        ("person", "the surfer in the black wetsuit on the wave"),
        ("person", "the crouching catcher behind the batter"),
        ("bus", "the white and blue bus at the stop"),
        ("car", "the black SUV behind the bicycle"),  # a kind of car
        ("Land vehicle", "the red bus on the left side"),  # a wider label of Open Images
        ("sandwich", "the half-eaten sandwich on the left"),
        ("Woman", "the tall woman near the door"),
        ("gizmo", "the red car on the left"),  # of a label that is not known nothing can be said
        ("donut", "the black-and-white donut on the tray"),  # one word
        ("person", "the woman in the black dress to the left of the cake"),  # worn, then a side
        ("person", "the woman in the red coat nearest the camera"),
        ("person", "the cyclist in the yellow jersey ahead of the car"),
    ],
)
def test_good_descriptions(label: str, description: str) -> None:
    assert description_faults(description, label) == []


@pytest.mark.parametrize(
    ("description", "fault"),
    [
        ("a brown dog on the carpet", "does not begin with the word the"),
        ("The brown dog on the carpet", "does not begin with the word the"),
        ("the dog", "has 2 words"),
        ("the brown dog " + "that lies there as ever and ever " * 2 + "on it", "has 19 words"),
        ("the cute brown dog on the carpet", "holds an opinion: cute"),
        ("the brown dog on her carpet", "holds a pronoun: her"),
        ("the dog on the carpet near the door", NO_PROPERTY),
        ("the dog holding a toy on the carpet", NO_PROPERTY),  # a thing beside it
        ("the brown dog that looks up", NO_PLACE),
        ("the brown dog in the yellow top", NO_PLACE),  # worn
        ("the brown dog with a ball in its mouth", NO_PLACE),  # the place of a part
        ("the brown thing on the blue carpet", "names the target 'thing'"),
        ("the brown cat on the blue carpet", "is of a cat, and the target is a dog"),
        ("the man in the red shirt on the left", "is of a man, and the target is a dog"),
        ("", "does not begin"),
        ("the <dog> on the carpet", "holds '<'"),
    ],
)
def test_faults(description: str, fault: str) -> None:
    assert any(fault in found for found in description_faults(description, "dog"))


@pytest.mark.parametrize(
    ("word", "other", "wanted"),
    [
        ("dog", "dogs", True),
        ("puppy", "dog", True),
        ("animal", "dog", True),
        ("bike", "bicycle", True),  # words for one thing
        ("bike", "motorcycle", True),
        ("guy", "person", True),
        ("cat", "dog", False),
        ("gizmo", "dog", False),
    ],
)
def test_words_of_one_line(word: str, other: str, wanted: bool) -> None:
    assert is_of_one_line(word, other) is wanted
    assert is_of_one_line(other, word) is wanted
