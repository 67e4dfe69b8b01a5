"""A model that looks at real pictures: it knows them again, and which box has a frame round it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image

from benchwright.asking.requests import View
from benchwright.asking.views import FRAME, layout_of
from benchwright.asking.voters import PictureLimits
from benchwright.boxes import Box
from benchwright.records import Item
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from stand_ins.colours import colour_seen
from stand_ins.models import Answer, Question, Turn

_SIDE = 16  # of the small copies by which pictures are known again
_RED = 60.0  # how far a pixel of a frame may be from its colour
_ENDS = "\nAnswer with one word"

Pixels = npt.NDArray[np.float32]
# what a model says of a picture, with a box framed or none, and a description
Judge = Callable[[str, Item, Box | None, str], Answer]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A picture of the catalog and a small copy of it."""

    item: Item
    small: Pixels


class Onlooker:
    """A brain for questions that end in a description: ``judge`` says whether it is right.

    It names colours, too, so that it passes for a model that sees.
    """

    def __init__(self, workspace: Workspace, judge: Judge) -> None:
        self._known = [
            Known(item=item, small=_small(_opened(workspace, item)))
            for item in iterate_items(workspace)
            if item.image is not None
        ]
        self._judge = judge

    def __call__(self, question: Question) -> Turn:
        """Return yes, no or unsure; a colour or a word where that is asked for."""
        if _ENDS not in question.text:
            return Turn(text=colour_seen(question) if question.pictures else "Ready.")
        image = question.pictures[-1].image()
        description = question.text.partition(_ENDS)[0].rstrip().rpartition("\n")[2]
        item, box = self.looked_at(image)
        answer = self._judge(question.model, item, box, description)
        return Turn(text=answer.capitalize() + ".", answer=answer)

    def looked_at(self, image: Image.Image) -> tuple[Item, Box | None]:
        """Return the picture of the catalog that this is, and the box that is framed in it."""
        small = _small(image)
        shape = image.width / image.height
        alike = [
            one
            for one in self._known
            if abs((one.item.width or 0) / (one.item.height or 1) - shape) < 0.01
        ]
        item = min(alike, key=lambda one: float(np.abs(one.small - small).mean())).item
        return item, framed(image, [one.bbox for one in item.objects])


def framed(image: Image.Image, boxes: Sequence[Box]) -> Box | None:
    """Return the box that has a red frame round it, null where none has."""
    pixels = np.asarray(image, np.float32)
    found = [(_redness(pixels, box), box) for box in boxes]
    best = max(found, default=(0.0, None))
    return best[1] if best[0] > 0.95 else None


def _redness(pixels: Pixels, box: Box) -> float:
    """Return the share of the red pixels where the frame of a box would be, 0 to 1."""
    height, width = pixels.shape[:2]
    limits = PictureLimits(max_side=max(width, height), min_side=1)
    layout = layout_of(width, height, View(outline=box), limits)
    assert layout.frame is not None
    left, top, right, bottom = layout.frame
    sides = (
        pixels[top, left:right],
        pixels[bottom - 1, left:right],
        pixels[top:bottom, left],
        pixels[top:bottom, right - 1],
    )
    ring = np.concatenate(sides)
    far = np.abs(ring - np.array(FRAME, np.float32)).max(axis=1)
    return float((far < _RED).mean())


def _opened(workspace: Workspace, item: Item) -> Image.Image:
    with Image.open(workspace.images / (item.image or "")) as image:
        return image.convert("RGB")


def _small(image: Image.Image) -> Pixels:
    return np.asarray(image.resize((_SIDE, _SIDE), Image.Resampling.BOX), np.float32)
