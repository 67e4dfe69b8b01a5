"""Settling an item when the size of its picture is known: boxes in pixels, masks, turns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchwright.boxes import Box, area, clip, turn
from benchwright.errors import PictureError
from benchwright.records import Change, Item, Reject, RejectKind, SceneObject
from builders.masks import encode, mask_area, turn_mask
from builders.open_images.masks import read_mask
from builders.outcomes import Outcome
from builders.settling import Settled

_DEGREES = {8: 90, 3: 180, 6: 270}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settler:
    """Settles items; ``masks`` gives the file of an object's mask, by the object's id.

    ``changes`` are those of each picture, by its source id: they hold only if it is kept.
    """

    masks: Mapping[str, Path]
    changes: Mapping[str, Sequence[Change]]

    def __call__(self, item: Item, outcome: Outcome) -> Settled:
        """Return the item with its boxes and masks in pixels of the upright picture.

        Without a picture there are no pixels: each object is refused as ``no_size`` then.
        """
        changes = list(self.changes.get(item.source_id, ()))
        if outcome.width is None or outcome.height is None:
            rejects = tuple(_no_size(item, one) for one in item.objects)
            kept = {"object"} if rejects else set()
            left = [change for change in changes if change.kind not in kept]
            return Settled(item=replace(item, objects=()), rejects=rejects, changes=tuple(left))
        orientation = outcome.orientation
        sideways = orientation >= 5
        stored = (outcome.height, outcome.width) if sideways else (outcome.width, outcome.height)
        if orientation != 1:
            how = _DEGREES.get(orientation)
            how_far = (
                f"{how} degrees counterclockwise" if how else f"EXIF orientation {orientation}"
            )
            changes.append(
                _change(
                    item, "picture", item.source_id, "turned", f"with boxes and masks, {how_far}"
                )
            )
        objects: list[SceneObject] = []
        for one in item.objects:
            finished, more = self._settle(item, one, stored, orientation)
            objects.append(finished)
            changes += more
        return Settled(item=replace(item, objects=tuple(objects)), changes=tuple(changes))

    def _settle(
        self, item: Item, one: SceneObject, stored: tuple[int, int], orientation: int
    ) -> tuple[SceneObject, list[Change]]:
        box = _in_pixels(one.bbox, stored, orientation)
        boxed = replace(one, bbox=box, area=area(box))
        path = self.masks.get(one.object_id)
        if path is None:
            return boxed, []
        try:
            mask, scaled = read_mask(path, stored)
        except PictureError as error:
            return boxed, [_change(item, "object", one.object_id, error.reason, str(error))]
        counts = encode(turn_mask(mask, orientation))
        pixels = float(mask_area(counts, stored[0], stored[1]))
        told = f"from another size to the stored {stored[0]} x {stored[1]}"
        changes = [_change(item, "object", one.object_id, "mask_scaled", told)] if scaled else []
        return replace(boxed, mask=counts, area=pixels), changes


def _in_pixels(box: Box, stored: tuple[int, int], orientation: int) -> Box:
    width, height = stored
    x, y, wide, high = box
    pixels = (x * width, y * height, wide * width, high * height)
    turned = turn(pixels, (width, height), orientation)
    upright = (height, width) if orientation >= 5 else (width, height)
    # the product may reach a billionth of a pixel out of the picture
    return clip(turned, *upright) or turned


def _no_size(item: Item, one: SceneObject) -> Reject:
    return Reject(
        source=item.source,
        kind="object",
        source_id=one.object_id,
        row=None,
        path=None,
        reason="no_size",
        message=f"{item.source_id}: a box in pixels needs the size of a picture, and there is none",
    )


def _change(item: Item, kind: RejectKind, source_id: str, reason: str, message: str) -> Change:
    return Change(
        source=item.source, kind=kind, source_id=source_id, reason=reason, message=message
    )
