"""Points and boxes in pixels as numbered boxes."""

from typing import Any

import pytest

from benchwright.boxes import Box
from benchwright.records import BoxOfPicture
from labeling.dialogues.candidate_set.mapping.points import (
    NoMatch,
    boxes_at,
    boxes_like,
    boxes_named,
)

SIZE = (100, 80)


def numbered(*boxes: Box) -> list[BoxOfPicture]:
    return [
        BoxOfPicture(box_id=str(number), category=None, bbox=box)
        for number, box in enumerate(boxes, 1)
    ]


# 1 holds 2; 3 and 4 are equally large and overlap; 5 is at the edge of the picture
BOXES = numbered(
    (0, 0, 40, 40), (10, 10, 10, 10), (50, 0, 20, 20), (60, 0, 20, 20), (90, 70, 10, 10)
)


@pytest.mark.parametrize(
    ("points", "wanted"),
    [
        ([(30, 30)], ["1"]),
        ([(15, 15)], ["2"]),  # the smaller one within
        ([(65, 10)], ["3"]),  # of equal ones the first
        ([(75, 10), (55, 10), (15, 15), (30, 30)], ["4", "3", "2", "1"]),
        ([(20, 20)], ["2"]),  # the edge is part of a box
        ([(40, 40)], ["1"]),
        ([(100, 80)], ["5"]),  # the corner of the picture
        ([(0, 0)], ["1"]),
        ([], []),
    ],
)
def test_a_point_is_the_smallest_box_that_holds_it(points: Any, wanted: list[str]) -> None:
    assert boxes_at(points, BOXES, SIZE) == wanted


def test_equally_small_boxes_are_taken_by_number_and_not_by_digits() -> None:
    alike = [BoxOfPicture(box_id=name, category=None, bbox=(0, 0, 9, 9)) for name in ("10", "2")]
    assert boxes_at([(1, 1)], alike, SIZE) == ["2"]


@pytest.mark.parametrize(
    ("points", "reason", "said"),
    [
        ([(45, 60)], "in_no_box", "the point [45, 60] is in no box"),
        ([(30, 30), (31, 31)], "two_in_one_box", "[30, 30] and [31, 31] are both in box 1"),
        ([(15, 15), (15, 15)], "two_in_one_box", "box 2"),
        ([(101, 10)], "outside_picture", "outside the picture of 100 x 80"),
        ([(-0.5, 10)], "outside_picture", "[-0.5, 10]"),
        ([(10, 81)], "outside_picture", ""),
    ],
)
def test_what_is_no_box_each_is_refused(points: Any, reason: str, said: str) -> None:
    with pytest.raises(NoMatch) as refused:
        boxes_at(points, BOXES, SIZE)
    assert refused.value.reason == reason
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("drawn", "wanted"),
    [
        ([(1, 1, 40, 40)], ["1"]),
        ([(10, 10, 10, 11), (0, 0, 40, 40)], ["2", "1"]),
        # both are like 3 and only the first is like 4 too: each gets one
        ([(54, 0, 20, 20), (50, 0, 20, 20)], ["4", "3"]),
    ],
)
def test_a_drawn_box_is_the_one_it_is_matched_with(drawn: Any, wanted: list[str]) -> None:
    assert boxes_like(drawn, BOXES) == wanted


@pytest.mark.parametrize(
    ("drawn", "reason"),
    [
        ([(0, 0, 19, 19)], "like_no_box"),
        ([(0, 0, 40, 40), (0, 0, 40, 40)], "like_no_box"),
        ([(5, 5, 0, 0)], "like_no_box"),
        ([(0, 0, 1e200, 1e200)], "bad_boxes"),
    ],
)
def test_a_drawn_box_that_is_none_is_refused(drawn: Any, reason: str) -> None:
    with pytest.raises(NoMatch) as refused:
        boxes_like(drawn, BOXES)
    assert refused.value.reason == reason


def test_boxes_are_named_once_each() -> None:
    assert boxes_named(["4", "1"], BOXES) == ["4", "1"]
    for ids, reason in (
        (["9"], "unknown_box"),
        (["1", "1"], "named_twice"),
        (["01"], "unknown_box"),
    ):
        with pytest.raises(NoMatch) as refused:
            boxes_named(ids, BOXES)
        assert refused.value.reason == reason
