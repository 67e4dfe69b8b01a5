from dataclasses import replace

import pytest

from benchwright.boxes import Box
from benchwright.records import SceneObject
from labeling.dialogues.candidate_set.numbering import numbered_boxes, target_of
from stand_ins.dialogues import spoken_about


def scene(category: str, bbox: Box, *, is_crowd: bool = False) -> SceneObject:
    return SceneObject(
        object_id=f"{category}-{bbox[0]}",
        category=category,
        bbox=bbox,
        area=bbox[2] * bbox[3],
        is_crowd=is_crowd,
        is_occluded=None,
        is_truncated=None,
        attributes=(),
        mask=None,
    )


LEFT, RIGHT, LOW = (10.0, 10.0, 20.0, 40.0), (40.0, 10.0, 20.0, 40.0), (0.0, 50.0, 90.0, 20.0)
ALMOST_LEFT = (10.0, 10.0, 20.0, 39.0)  # IoU .975


@pytest.mark.parametrize(
    ("candidates", "objects", "target", "boxes", "meant"),
    [
        # from the top down, then from left to right, whatever the order of the source
        ([LOW, RIGHT, LEFT], [], LEFT, [LEFT, RIGHT, LOW], "1"),
        # equal boxes count once
        ([LEFT, RIGHT, LEFT], [], RIGHT, [LEFT, RIGHT], "2"),
        # the target in another writing is no further box
        ([LEFT, RIGHT], [], ALMOST_LEFT, [LEFT, RIGHT], "1"),
        # a target that no candidate is becomes one, at the place of its own
        ([LEFT, LOW], [], RIGHT, [LEFT, RIGHT, LOW], "2"),
        # the source does not say which is meant
        ([LEFT, RIGHT], [], None, [LEFT, RIGHT], None),
        # no candidates: the objects of the picture, but crowds
        ([], [scene("cup", RIGHT), scene("dog", LEFT)], LEFT, [LEFT, RIGHT], "1"),
        ([], [scene("cup", RIGHT), scene("dog", LEFT, is_crowd=True)], RIGHT, [RIGHT], "1"),
        # nothing is known but the target
        ([], [], LEFT, [LEFT], "1"),
        ([], [], None, [], None),
    ],
)
def test_boxes_are_numbered(
    candidates: list[Box],
    objects: list[SceneObject],
    target: Box | None,
    boxes: list[Box],
    meant: str | None,
) -> None:
    item = spoken_about(candidates=candidates, target=target, objects=tuple(objects))
    numbered = numbered_boxes(item, item.dialogues[0])
    assert [box.bbox for box in numbered] == boxes
    assert [box.box_id for box in numbered] == [str(at + 1) for at in range(len(boxes))]
    assert target_of(numbered, item.dialogues[0]) == meant


def test_the_target_of_another_dialogue_is_not_taken_for_one_of_these_boxes() -> None:
    item = spoken_about(candidates=[LEFT, RIGHT], target=LEFT)
    boxes = numbered_boxes(item, item.dialogues[0])
    assert target_of(boxes, replace(item.dialogues[0], target_box=LOW)) is None


def test_categories_are_those_of_the_objects_with_the_same_box() -> None:
    objects = (scene("cup", ALMOST_LEFT), scene("table", LOW))
    item = spoken_about(candidates=[LEFT, RIGHT], objects=objects)
    found = [box.category for box in numbered_boxes(item, item.dialogues[0])]
    assert found == ["cup", None]
