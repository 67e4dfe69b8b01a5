"""The boxes of a picture that a dialogue may mean, each with a number."""

from collections.abc import Sequence

from benchwright.boxes import Box, iou
from benchwright.records import BoxOfPicture, Dialogue, Item, SceneObject

SAME_BOX = 0.9  # IoU from which two boxes are two writings of one


def has_candidates(item: Item, dialogue: Dialogue) -> bool:
    """Tell whether a source gives boxes to choose among, the target's own counted.

    One box alone is a picture without ambiguity, not one without boxes.
    """
    return bool(dialogue.candidate_boxes) or not all(each.is_crowd for each in item.objects)


def numbered_boxes(item: Item, dialogue: Dialogue) -> tuple[BoxOfPicture, ...]:
    """Return the boxes, their ids 1 and on, from the top down and from left to right.

    They are the candidate boxes of the dialogue or, where it lists none, the objects of the
    picture but crowds; the target's box is added where none of them is it. The order hangs on the
    boxes alone, so that a number says nothing of which is meant. A category is that of the object
    with the same box. Boxes that are exactly equal count once.
    """
    objects = [each for each in item.objects if not each.is_crowd]
    found = list(dialogue.candidate_boxes or (each.bbox for each in objects))
    target = dialogue.target_box
    if target is not None and _nearest(target, found) is None:
        found.append(target)
    placed = sorted(dict.fromkeys(found), key=lambda box: (box[1], box[0], box[3], box[2]))
    return tuple(
        BoxOfPicture(box_id=str(number), category=_category(box, objects), bbox=box)
        for number, box in enumerate(placed, 1)
    )


def target_of(boxes: Sequence[BoxOfPicture], dialogue: Dialogue) -> str | None:
    """Return the id of the box that is meant in the end, null where the source does not say."""
    if dialogue.target_box is None:
        return None
    place = _nearest(dialogue.target_box, [box.bbox for box in boxes])
    return None if place is None else boxes[place].box_id


def _category(box: Box, objects: Sequence[SceneObject]) -> str | None:
    place = _nearest(box, [each.bbox for each in objects])
    return None if place is None else objects[place].category


def _nearest(box: Box, others: Sequence[Box]) -> int | None:
    """Return the place of the box that is another writing of a box, null where there is none."""
    overlaps = [iou(box, other) for other in others]
    best = max(overlaps, default=0.0)
    return overlaps.index(best) if best >= SAME_BOX else None
