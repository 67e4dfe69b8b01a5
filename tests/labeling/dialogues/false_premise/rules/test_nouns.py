"""Words for things."""

import pytest

from labeling.dialogues.false_premise.rules.edits import words_of
from labeling.dialogues.false_premise.rules.lexicon import lexicon
from labeling.dialogues.false_premise.rules.nouns import head_of, pronoun_of, singular


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("dogs", "dog"),
        ("women", "woman"),
        ("buses", "bus"),  # not buse
        ("puppies", "puppy"),
        ("tomatoes", "tomato"),
        ("bus", "bus"),  # no plural
        ("dress", "dress"),
        ("sheep", "sheep"),
        ("french fries", "french fries"),  # known as it is
        ("police officers", "police officer"),
        ("gizmos", "gizmo"),  # of an unknown word the plain s goes
    ],
)
def test_singular(word: str, wanted: str) -> None:
    assert singular(word) == wanted


@pytest.mark.parametrize(
    ("description", "wanted"),
    [
        ("the red car", "car"),
        ("the smiling man in the green shirt", "man"),  # -ing before the noun
        ("the man riding a horse", "man"),  # -ing after it: a horse is no target
        ("the dog house", "house"),  # a compound
        ("the orange cat", "cat"),  # a fruit that is a colour here
        ("the orange striped cat", "cat"),
        ("the orange on the plate", "orange"),  # and one that is a fruit
        ("the hot dog on a bun", "hot dog"),
        ("the police officer next to the bus", "police officer"),
        ("the dog asleep on the sofa", "dog"),
        ("the woman wearing a hat", "woman"),
        ("the gizmo on the shelf", "gizmo"),  # not known
        ("the leftmost boat", "boat"),
        ("the slice of pizza on the plate", "pizza"),
        ("the two bowls of hot soup", "soup"),
        ("the slice of quiche", "quiche"),  # not known
        ("the bowl of the dog", "bowl"),
        ("the wing of the plane", "wing"),  # no measure
        ("the black and white dog in the grass", "dog"),  # and between two values
        ("the orange and white cat", "cat"),
        ("the man and the dog", "man"),
        ("dog", "dog"),
        ("on the left", "left"),  # nothing better
        ("", ""),
    ],
)
def test_head(description: str, wanted: str) -> None:
    words = words_of(description)
    start, end = head_of(words)
    assert " ".join(words[start:end]) == wanted


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("man", "he"),
        ("guy", "he"),  # a synonym of one
        ("girl", "she"),
        ("policeman", "he"),
        ("police officer", "they"),
        ("cyclist", "they"),
        ("men", "they"),
        ("dogs", "they"),
        ("dog", "it"),
        ("bus", "it"),
        ("gizmo", None),
    ],
)
def test_pronouns(word: str, wanted: str | None) -> None:
    assert pronoun_of(word) == wanted


def test_the_lists_hold_together() -> None:
    known = lexicon()
    for young, old in known.young.items():
        assert young in known.parents, young
        assert old in known.parents, old
    for word in (*known.ages, *known.pronouns):
        assert known.is_noun(word), word
    for kind in known.parents:
        assert kind not in known.above(kind)
        assert (
            known.above(kind) & {"person", "vehicle", "animal", "food"} or not known.parents[kind]
        )
    assert "on" in known.before_a_place  # and not true, as YAML would have it
