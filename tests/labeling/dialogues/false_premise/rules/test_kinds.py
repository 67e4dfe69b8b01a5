"""Whether words are clearly words for different things."""

import csv
from itertools import combinations
from pathlib import Path

import pytest

from builders.open_images.hierarchy import load_hierarchy
from labeling.dialogues.false_premise.rules.kinds import why_one_kind
from labeling.dialogues.false_premise.rules.lexicon import lexicon

OPEN_IMAGES = Path(__file__).parents[4] / "data" / "open_images" / "names"
OTHERWISE = [("frog", "reptile")]  # which it is not


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        # right: siblings and others that nobody takes for one another
        ("dog", "cat", None),
        ("man", "woman", None),
        ("car", "truck", None),
        ("train", "bus", None),
        ("boy", "girl", None),  # of one age
        ("donut", "croissant", None),
        ("dogs", "cats", None),
        ("puppy", "kitten", None),
        ("gizmo", "gadget", None),  # not known: people look
        ("woman", "waiter", None),  # a waiter is a man
        ("skier", "surfer", None),
        ("woman", "dog", None),
        # wrong: both may be said of one person
        ("woman", "firefighter", "one who is called woman may be called firefighter as well"),
        ("man", "waiter", "one who is called man may be called waiter as well"),
        ("child", "cyclist", "one who is called child may be called cyclist as well"),
        # wrong: one word
        ("dog", "dogs", "dog and dogs are one word"),
        # wrong: synonyms
        ("plane", "airplane", "plane and airplane are words for one thing"),
        ("bike", "motorcycle", "bike and motorcycle are words for one thing"),
        ("bike", "bicycle", "bike and bicycle are words for one thing"),
        ("cow", "cattle", "cow and cattle are words for one thing"),
        # wrong: a kind and what it is a kind of, however far and by whatever name
        ("car", "vehicle", "car is a kind of vehicle"),
        ("vehicle", "taxi", "taxi is a kind of vehicle"),
        ("cab", "automobile", "cab is a kind of automobile"),
        ("person", "woman", "woman is a kind of person"),
        ("poodles", "dogs", "poodles is a kind of dogs"),
        ("cookie", "dessert", "cookie is a kind of dessert"),  # one of its two kinds
        # wrong: age
        ("man", "boy", "man and boy differ in age"),
        ("woman", "girl", "woman and girl differ in age"),
        ("woman", "boy", "woman and boy differ in age"),  # whatever else differs
        ("dog", "puppy", "dog and puppy differ in age"),
        ("lamb", "sheep", "lamb and sheep differ in age"),
        ("child", "adult", "child and adult differ in age"),
    ],
)
def test_another_kind(one: str, other: str, wanted: str | None) -> None:
    assert why_one_kind(one, other) == wanted
    assert (why_one_kind(other, one) is None) == (wanted is None)


def test_kinds_are_those_of_open_images() -> None:
    """Of two words that both know, one is a kind of the other here as there."""
    classes = (OPEN_IMAGES / "class-descriptions-boxable.csv").read_text("utf-8").splitlines()
    names = {code: name.casefold() for code, name in csv.reader(classes)}
    hierarchy = load_hierarchy(OPEN_IMAGES / "bbox_labels_600_hierarchy.json")
    assert hierarchy is not None
    known = lexicon()
    shared = {code for code in hierarchy.nodes if names.get(code) in known.parents}
    assert len(shared) > 150
    wrong = [
        (names[code], names[above])
        for above in sorted(shared)
        for code in sorted(hierarchy.descendants(above) & shared)
        if names[above] not in known.above(names[code])
    ]
    assert sorted(wrong) == sorted(OTHERWISE)


def test_siblings_of_coco_are_clearly_different() -> None:
    """No two of the COCO classes of a super-category are taken for one another."""
    siblings = (
        "bicycle car motorcycle airplane bus train truck boat",
        "bird cat dog horse sheep cow elephant bear zebra giraffe",
        "banana apple sandwich orange broccoli carrot pizza donut cake",
    )
    for group in siblings:
        for one, other in combinations(group.split(), 2):
            assert why_one_kind(one, other) is None, (one, other)
