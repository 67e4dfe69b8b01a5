"""Edits of descriptions as people write them, of persons, vehicles, animals and food."""

from typing import Any

import pytest

from labeling.dialogues.false_premise.rules.checks import check_dialogue
from stand_ins.false_premises import written


def broken(premise_class: Any, true: str, false: str) -> list[str]:
    record = written(true, false, premise_class=premise_class)
    return [check.name for check in check_dialogue(record) if not check.passed]


SIDES = [
    # true, false: the whole target is somewhere else
    ("the woman to the left of the cake", "the woman to the right of the cake"),
    (  # behind what is worn
        "the seated woman in the black dress to the left of the cake",
        "the seated woman in the black dress to the right of the cake",
    ),
    (  # a top is worn, and no upper side
        "the woman in the white top to the left of the cake",
        "the woman in the white top to the right of the cake",
    ),
    ("the second donut from the left", "the second donut from the right"),
    (
        "the man in the red shirt left of the door",
        "the man in the red shirt right of the door",
    ),
    (
        "the cyclist in the yellow jersey ahead of the car",
        "the cyclist in the yellow jersey behind the car",
    ),
    (
        "the woman in the red coat closest to the fence",
        "the woman in the red coat farthest from the fence",
    ),
    (
        "the woman in the red coat nearest the camera",
        "the woman in the red coat farthest from the camera",
    ),
    ("the brown horse farthest from the barn", "the brown horse closest to the barn"),
    ("the donut on the far right of the box", "the donut in the middle of the box"),
    ("the leftmost black motorcycle by the wall", "the rightmost black motorcycle by the wall"),
    ("the man in the red coat behind the door", "the man in the red coat left of the door"),
    (
        "the man with his back to the camera by the door",
        "the man with his back to the camera by the bench",
    ),
]


@pytest.mark.parametrize(("true", "false"), SIDES)
def test_another_side_is_an_edit_of_location_and_of_nothing_else(true: str, false: str) -> None:
    assert broken("location", true, false) == []
    assert broken("attribute", true, false)[0] == "class as planned"


@pytest.mark.parametrize(
    ("premise_class", "true", "false"),
    [
        # a hyphen is a letter of its word
        ("attribute", "the cream-coloured cat on the sofa", "the black cat on the sofa"),
        ("attribute", "the black cat on the sofa", "the cream-coloured cat on the sofa"),
        # a brown bear is a bear that is brown
        ("attribute", "the large brown bear in the water", "the large black bear in the water"),
        ("identity", "the large brown bear in the water", "the large brown horse in the water"),
        ("identity", "the red fire truck on the right", "the red school bus on the right"),
        # worn by what stands somewhere
        (
            "attribute",
            "the woman by the bus in the yellow top",
            "the woman by the bus in the red top",
        ),
    ],
)
def test_they_keep_all_rules(premise_class: str, true: str, false: str) -> None:
    assert broken(premise_class, true, false) == []


@pytest.mark.parametrize(
    ("premise_class", "true", "false", "rule"),
    [
        (
            "identity",
            "the yellow bus on the left",
            "the yellow school bus on the left",
            "not longer",
        ),
        (
            "identity",
            "the yellow school bus here",
            "the yellow public bus here",
            "class as planned",
        ),
        ("attribute", "the dog in the top row", "the dog in the bottom row", "class as planned"),
        (  # a mark between words is one all the same
            "attribute",
            "the cream-coloured cat on the sofa",
            "the black - cat on the sofa",
            "one edit",
        ),
    ],
)
def test_they_break_a_rule(premise_class: str, true: str, false: str, rule: str) -> None:
    assert broken(premise_class, true, false)[0] == rule


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("the boy with dirt on the left of his face", "the boy with dirt on the right of his face"),
        (
            "the boy with dirt on the far left of his face",
            "the boy with dirt on the far right of his face",
        ),
        ("the man with a bird up on his arm", "the man with a bird down on his arm"),
    ],
)
def test_a_side_of_a_part_is_no_place_of_the_target(true: str, false: str) -> None:
    assert broken("location", true, false) == ["class as planned", "whole target"]
