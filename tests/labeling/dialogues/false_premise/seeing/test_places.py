from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.boxes import Box, iou
from benchwright.records import SceneObject
from labeling.dialogues.false_premise.seeing.places import ONE_THING, boxes_to_look_at

SIZE = 640, 480  # what is under 16 pixels is too small
TARGET: Box = (100.0, 100.0, 50.0, 50.0)
LARGE: Box = (0.0, 0.0, 300.0, 90.0)
MIDDLE: Box = (300.0, 300.0, 60.0, 60.0)


def thing(box: Box, **more: Any) -> SceneObject:
    said: dict[str, Any] = {
        "object_id": "1",
        "category": "dog",
        "area": box[2] * box[3],
        "is_crowd": False,
        "is_occluded": None,
        "is_truncated": None,
        "attributes": (),
        "mask": None,
    }
    return SceneObject(bbox=box, **{**said, **more})


CASES: list[tuple[str, list[SceneObject], tuple[Box, ...]]] = [
    (
        "the target is first, then the largest",
        [thing(MIDDLE), thing(TARGET), thing(LARGE)],
        (TARGET, LARGE, MIDDLE),
    ),
    ("a crowd is no thing", [thing(TARGET), thing(LARGE, is_crowd=True)], (TARGET,)),
    (
        "a side of 15 pixels is too short",
        [thing(TARGET), thing((0.0, 0.0, 400.0, 15.0))],
        (TARGET,),
    ),
    (
        "one of 16 is not",
        [thing(TARGET), thing((0.0, 0.0, 400.0, 16.0))],
        (TARGET, (0.0, 0.0, 400.0, 16.0)),
    ),
    ("a second box of the target", [thing(TARGET), thing((100.0, 101.0, 50.0, 49.0))], (TARGET,)),
    (
        "a second box of another thing, the larger counts",
        [thing((300.0, 301.0, 60.0, 59.0)), thing(MIDDLE)],
        (TARGET, MIDDLE),
    ),
    ("a target that is no object of the picture any more", [thing(LARGE)], (TARGET, LARGE)),
    (
        "a part of the target is a thing",
        [thing(TARGET), thing((110.0, 110.0, 20.0, 20.0))],
        (TARGET, (110.0, 110.0, 20.0, 20.0)),
    ),
]


@pytest.mark.parametrize(
    ("objects", "boxes"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_where_voters_look(objects: list[SceneObject], boxes: tuple[Box, ...]) -> None:
    places = boxes_to_look_at(objects, TARGET, SIZE, 8)
    assert places.boxes == boxes
    assert places.left_out == 0


def test_a_small_target_is_looked_at_all_the_same() -> None:
    small: Box = (5.0, 5.0, 3.0, 3.0)
    assert boxes_to_look_at([thing(small), thing(LARGE)], small, SIZE, 8).boxes == (small, LARGE)


def test_the_bound_keeps_the_target_and_the_largest_and_says_how_many_it_cut() -> None:
    objects = [thing((60.0 * number, 0.0, 20.0 + number, 20.0)) for number in range(9)]
    places = boxes_to_look_at([*objects, thing(TARGET)], TARGET, SIZE, 3)
    assert places.boxes == (TARGET, (480.0, 0.0, 28.0, 20.0), (420.0, 0.0, 27.0, 20.0))
    assert places.left_out == 7


_BOXES = st.tuples(*(st.integers(0, 300).map(float),) * 2, *(st.integers(1, 300).map(float),) * 2)


@given(boxes=st.lists(_BOXES, max_size=8), data=st.data())
def test_the_order_of_the_objects_does_not_matter_and_no_thing_is_shown_twice(
    boxes: list[Box], data: st.DataObject
) -> None:
    places = boxes_to_look_at(map(thing, boxes), TARGET, SIZE, 5)
    assert places == boxes_to_look_at(
        map(thing, data.draw(st.permutations(boxes))), TARGET, SIZE, 5
    )
    assert 1 <= len(places.boxes) <= 5
    assert places.boxes[0] == TARGET
    for number, box in enumerate(places.boxes):
        assert all(iou(box, other) < ONE_THING for other in places.boxes[:number])
