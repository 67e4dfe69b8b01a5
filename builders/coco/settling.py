"""Objects brought into the frame of the upright picture, when that is known.

A COCO file states the size of the picture that its numbers are of. A picture that was turned
upright on the way in has another size than the one that lies in the file, and the two tell which
of them was annotated. Where sizes are the same both ways, the upright one is taken and a change
row says so; where the stated size is neither, the boxes are of another picture and are refused.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from benchwright.boxes import Box, area, clip, turn
from benchwright.records import Change, Item, Reject, SceneObject
from builders.coco.annotations import DrawnObject, once
from builders.coco.segmentation import Drawn, draw, rle_size
from builders.masks import decode, encode, mask_area, turn_mask
from builders.outcomes import Outcome
from builders.settling import Settled

Size = tuple[int, int]  # width, height


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The picture as it was annotated: its size, and the EXIF orientation to undo (1: none).

    ``is_assumed``: the sizes do not tell whether it was annotated upright.
    """

    size: Size
    orientation: int
    is_assumed: bool = False


def frame_of(stated: Size | None, upright: Size, undone: int) -> Frame | None:
    """Return the frame that numbers are in, None where the stated size is of no such picture.

    ``upright`` is the size of the stored picture, ``undone`` the orientation that was undone.
    """
    stored = upright if undone < 5 else (upright[1], upright[0])
    if undone == 1:
        return Frame(size=upright, orientation=1) if stated in (None, upright) else None
    if stated is None or stated == upright == stored:
        return Frame(size=upright, orientation=1, is_assumed=True)
    if stated == upright:
        return Frame(size=upright, orientation=1)
    return Frame(size=stored, orientation=undone) if stated == stored else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settler:
    """Settles items; ``drawn`` are their objects as the files have them, both by source id.

    ``changes`` are what was changed before the picture was known; they count if it is kept.
    """

    drawn: Mapping[str, Mapping[str, DrawnObject]]
    changes: Mapping[str, Sequence[Change]]

    def __call__(self, item: Item, outcome: Outcome) -> Settled:
        """Return the item with its objects upright, and what became of the others."""
        if item.width is None or item.height is None:
            raise ValueError("a picture was wanted")
        desk = _Desk(item.source, item.source_id, (item.width, item.height), outcome.orientation)
        drawn = self.drawn[item.source_id]
        objects = desk.settle_all(item.objects, drawn)
        if desk.assumed:
            desk.changes.append(
                Change(
                    source=item.source,
                    kind="picture",
                    source_id=item.source_id,
                    reason="orientation_assumed",
                    message=f"its EXIF orientation is {outcome.orientation} and the file's size "
                    "fits both ways; its boxes are taken as of the upright picture",
                )
            )
        return Settled(
            item=replace(item, objects=objects),
            rejects=tuple(desk.rejects),
            changes=(*self.changes.get(item.source_id, ()), *desk.changes),
        )


@dataclass(slots=True)
class _Desk:
    """Where the objects of one picture are settled."""

    source: str
    source_id: str
    upright: Size
    undone: int
    rejects: list[Reject] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    assumed: bool = False

    def settle_all(
        self, objects: Sequence[SceneObject], drawn: Mapping[str, DrawnObject]
    ) -> tuple[SceneObject, ...]:
        """Return the objects upright, each once.

        Two that the file spells differently (a mask in another encoding, a box that reaches out
        of the picture) may turn out to be the same; the first keeps the attributes of both.
        """
        kept: dict[tuple[object, ...], SceneObject] = {}
        for one in objects:
            before = len(self.changes)
            settled = self.settle(one, drawn[one.object_id])
            if settled is None:
                continue
            key = settled.category, settled.bbox, settled.mask, settled.is_crowd
            first = kept.get(key)
            if first is None:
                kept[key] = settled
                continue
            del self.changes[before:]
            message = f"the same object as {first.object_id}, in another spelling"
            self._refuse(one, drawn[one.object_id], "duplicate_object", message)
            kept[key] = replace(first, attributes=once([*first.attributes, *settled.attributes]))
        return tuple(kept.values())

    def settle(self, one: SceneObject, drawn: DrawnObject) -> SceneObject | None:
        stated = drawn.size or rle_size(drawn.segmentation)
        frame = frame_of(stated, self.upright, self.undone)
        if frame is None:
            sizes = f"{_size(stated)}, the picture is {_size(self.upright)}"
            self._refuse(one, drawn, "size_mismatch", f"annotated on a picture of {sizes}")
            return None
        shape = draw(drawn.segmentation, *frame.size)
        before = len(self.changes)
        for reason, message in [*drawn.notes, *shape.faults]:
            self._changed(one, drawn, reason, message)
        box = self._box(one, drawn, shape, frame)
        if box is None:
            del self.changes[before:]  # it is refused: what was changed is of no matter
            return None
        self.assumed |= frame.is_assumed
        if frame.orientation != 1:
            self._changed(
                one, drawn, "turned", f"by EXIF orientation {frame.orientation}, as its picture"
            )
            # the turning subtracts, and may leave a rounding's breadth outside
            box = clip(turn(box, frame.size, frame.orientation), *self.upright) or box
        mask = _turned(shape.mask, frame)
        return replace(one, bbox=box, mask=mask, area=self._area(one, drawn, mask, box))

    def _box(self, one: SceneObject, drawn: DrawnObject, shape: Drawn, frame: Frame) -> Box | None:
        """Return the box in the frame of the annotation, within the picture."""
        given = drawn.box
        if given is not None and min(given[2:]) > 0:
            box = given
        elif shape.box is not None and min(shape.box[2:]) > 0:
            box = shape.box
            if given is not None or drawn.problem is not None:
                was = drawn.problem or f"the box {list(given or ())} is empty"
                self._changed(one, drawn, "box_from_mask", f"{was}; taken from the segmentation")
        elif given is not None:
            self._refuse(one, drawn, "empty_box", f"the box {list(given)} has no area")
            return None
        else:
            self._refuse(
                one, drawn, "no_box", drawn.problem or "no box, and no segmentation that gives one"
            )
            return None
        width, height = frame.size
        if box[0] >= 0 and box[1] >= 0 and box[0] + box[2] <= width and box[1] + box[3] <= height:
            return box
        inside = clip(box, width, height)
        if inside is None:
            where = f"the picture of {_size(frame.size)}"
            self._refuse(one, drawn, "outside_picture", f"the box {list(box)} lies outside {where}")
            return None
        if inside != box:
            self._changed(
                one, drawn, "clipped", f"the box {list(box)} to the picture: {list(inside)}"
            )
        return inside

    def _area(self, one: SceneObject, drawn: DrawnObject, mask: str | None, box: Box) -> float:
        """Return the stated area where it can be one, else the mask's, else the box's."""
        most = float(self.upright[0]) * self.upright[1]
        if drawn.area is not None and 0 < drawn.area <= most:
            return drawn.area
        found = area(box) if mask is None else float(mask_area(mask, *self.upright))
        if drawn.area is not None:
            self._changed(
                one, drawn, "area_computed", f"the area {drawn.area:g} cannot be; {found:g}"
            )
        return found

    def _where(self, one: SceneObject, drawn: DrawnObject) -> str:
        return f"{drawn.file}, annotation {one.object_id} of {self.source_id}"

    def _refuse(self, one: SceneObject, drawn: DrawnObject, reason: str, message: str) -> None:
        self.rejects.append(
            Reject(
                source=self.source,
                kind="object",
                source_id=one.object_id,
                row=None,
                path=drawn.file,
                reason=reason,
                message=f"{self._where(one, drawn)}: {message}",
            )
        )

    def _changed(self, one: SceneObject, drawn: DrawnObject, reason: str, message: str) -> None:
        self.changes.append(
            Change(
                source=self.source,
                kind="object",
                source_id=one.object_id,
                reason=reason,
                message=f"{self._where(one, drawn)}: {message}",
            )
        )


def _turned(mask: str | None, frame: Frame) -> str | None:
    if mask is None or frame.orientation == 1:
        return mask
    return encode(turn_mask(decode(mask, *frame.size), frame.orientation))


def _size(size: Size | None) -> str:
    return "an unknown size" if size is None else f"{size[0]} x {size[1]} pixels"
