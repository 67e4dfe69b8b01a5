"""Points and boxes in pixels as numbered boxes of a picture, one to one or not at all."""

from collections.abc import Sequence

from benchwright.box_matching import match_boxes
from benchwright.boxes import Box
from benchwright.records import BoxOfPicture

Point = tuple[float, float]
Size = tuple[int, int]


class NoMatch(ValueError):
    """What was marked is not so many boxes; ``reason`` is a short code that is counted."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def boxes_at(points: Sequence[Point], boxes: Sequence[BoxOfPicture], size: Size) -> list[str]:
    """Return the ids of the boxes that hold points [x, y], in their order (CandVG, section 3).

    Of several boxes the smallest holds a point, of equally small ones the first; the edge is part
    of a box. ``size`` is width and height of the upright picture in pixels. Raises NoMatch for a
    point outside the picture or all boxes, and for two points in one box.
    """
    found: dict[str, Point] = {}
    for point in points:
        box_id = _smallest_at(point, boxes, size)
        if box_id in found:
            two = f"the points {_told(found[box_id])} and {_told(point)}"
            raise NoMatch("two_in_one_box", f"{two} are both in box {box_id}")
        found[box_id] = point
    return list(found)


def boxes_like(drawn: Sequence[Box], boxes: Sequence[BoxOfPicture]) -> list[str]:
    """Return the ids of the boxes that drawn boxes [x, y, width, height] are, in their order.

    They are matched as in ``match_boxes``. Raises NoMatch for a box that is left without one.
    """
    try:
        pairs = match_boxes(drawn, [box.bbox for box in boxes])
    except ValueError as error:
        raise NoMatch("bad_boxes", str(error)) from error
    partner = {pair.first: boxes[pair.second].box_id for pair in pairs}
    for place, box in enumerate(drawn):
        if place not in partner:
            raise NoMatch("like_no_box", f"the box {_told(box)} is like none of the picture's")
    return [partner[place] for place in range(len(drawn))]


def boxes_named(ids: Sequence[str], boxes: Sequence[BoxOfPicture]) -> list[str]:
    """Return ids in their order; raise NoMatch for one that the picture has not, or named twice."""
    known = {box.box_id for box in boxes}
    for place, box_id in enumerate(ids):
        if box_id not in known:
            raise NoMatch("unknown_box", f"the picture has no box {box_id}")
        if box_id in ids[:place]:
            raise NoMatch("named_twice", f"box {box_id} is named twice")
    return list(ids)


def _smallest_at(point: Point, boxes: Sequence[BoxOfPicture], size: Size) -> str:
    x, y = point
    if not (0 <= x <= size[0] and 0 <= y <= size[1]):
        where = f"the picture of {size[0]} x {size[1]}"
        raise NoMatch("outside_picture", f"the point {_told(point)} is outside {where}")
    holding = [box for box in boxes if _holds(box.bbox, x, y)]
    if not holding:
        raise NoMatch("in_no_box", f"the point {_told(point)} is in no box")
    return min(holding, key=_area_and_number).box_id


def _holds(box: Box, x: float, y: float) -> bool:
    return box[0] <= x <= box[0] + box[2] and box[1] <= y <= box[1] + box[3]


def _area_and_number(box: BoxOfPicture) -> tuple[float, int, str]:
    return box.bbox[2] * box.bbox[3], len(box.box_id), box.box_id


def _told(numbers: Sequence[float]) -> str:
    return f"[{', '.join(f'{number:g}' for number in numbers)}]"
