"""Where voters look: the whole picture, the box of the target, the boxes of other things."""

from collections.abc import Iterable
from dataclasses import dataclass

from benchwright.boxes import Box, area, iou
from benchwright.records import SceneObject

SMALLEST_SIDE = 1 / 40  # of the longer side of the picture: what is smaller cannot be told
ONE_THING = 0.9  # two boxes with this intersection over union are of one thing


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The boxes that voters are shown of a picture, the target's first, then the largest first.

    A box is [x, y, width, height] in pixels. ``left_out`` counts those that are large enough and
    that the bound cut away.
    """

    boxes: tuple[Box, ...]
    left_out: int


def boxes_to_look_at(
    objects: Iterable[SceneObject], target: Box, size: tuple[int, int], most: int
) -> Places:
    """Return where to look in a picture of ``size`` (width, height); at most ``most`` boxes.

    The target is always among them. Left away are crowds, boxes with a side under 1/40 of the
    longer side of the picture, and second boxes of what has one already (Open Images frames one
    woman as a person and as a woman).
    """
    shortest = SMALLEST_SIDE * max(size)
    boxes = [thing.bbox for thing in objects if not thing.is_crowd]
    chosen = [target]
    for box in sorted(boxes, key=lambda box: (-area(box), box)):
        if min(box[2:]) >= shortest and all(iou(box, other) < ONE_THING for other in chosen):
            chosen.append(box)
    return Places(boxes=tuple(chosen[:most]), left_out=max(0, len(chosen) - most))
