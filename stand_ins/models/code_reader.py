"""Eyes that read coded pictures (see coded.py) out of pixels."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from PIL import Image
from scipy import ndimage

from stand_ins.models.coded import (
    CHECK_BITS,
    COLUMNS,
    NUMBER_BITS,
    Layout,
    TypeAndValue,
    checksum,
    layouts,
)
from stand_ins.models.question import Bounds, Look, Part, Sight

_SCANNED = 512  # longer pictures are searched for marks in steps
_LEAST_CELL = 3.0  # pixels
_LEAST_SHARE = 0.5  # of the picture, for a code to be what it shows
_STRONG = 60  # how far a colour must stand out, 0 to 255

Pixels = npt.NDArray[np.int16]
Whole = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Way = Literal["upright", "rotated", "mirrored"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Frame:
    """Four marks that belong together: the bounds of all, and which way they stand."""

    bounds: Bounds
    way: Way


class CodeReader:
    """Reads what a picture shows: the object in a red outline, else the code that fills it.

    A code that is turned or mirrored, cut, or smaller than ``_LEAST_CELL`` pixels a cell is not
    read; two codes side by side without an outline are ``several``. The ``fine`` values are seen
    only where the code's longer side is at least ``fine_side`` pixels.
    """

    def __init__(
        self,
        values: Sequence[TypeAndValue],
        *,
        fine: Collection[TypeAndValue] = (),
        fine_side: int = 1,
    ) -> None:
        self._values = tuple(values)
        self._fine = frozenset(fine)
        self._fine_side = fine_side
        self._layouts = layouts(len(self._values))

    def look(self, image: Image.Image) -> Look:
        """Return what is in an RGB picture."""
        pixels = np.asarray(image)
        step = -(-max(image.size) // _SCANNED)
        scanned = pixels[::step, ::step].astype(np.int16)
        frames = [_scaled(frame, step) for frame in _frames(scanned)]
        upright = [frame for frame in frames if frame.way == "upright"]
        parts = [part for frame in upright if (part := self._read(pixels, frame.bounds))]
        parts.sort(key=lambda part: (-_area(part.bounds), part.code))
        if not parts:
            return Look(sight=_blind(frames))
        outline = _outline(scanned)
        if outline is not None:
            subject = _outlined(parts, _times(outline, step))
        else:
            subject = _filling(parts, image.size)
        if subject is None:
            several = outline is None and len(parts) > 1
            return Look(sight="several" if several else "unknown", parts=tuple(parts))
        return Look(sight="seen", code=subject.code, truths=subject.truths, parts=tuple(parts))

    def _read(self, pixels: Whole, bounds: Bounds) -> Part | None:
        for layout in self._layouts:
            bits = _bits(pixels, bounds, layout)
            if bits is None:
                continue
            number, check = bits[:NUMBER_BITS], bits[NUMBER_BITS : NUMBER_BITS + CHECK_BITS]
            said = bits[NUMBER_BITS + CHECK_BITS :]
            if check == checksum(layout.kind, number + said):
                return self._part(number, said, _with_margin(bounds, layout))
        return None

    def _part(self, number: list[int], said: list[int], bounds: Bounds) -> Part:
        left, top, right, bottom = bounds
        hidden = self._fine if max(right - left, bottom - top) < self._fine_side else frozenset()
        truths = {
            value: bool(bit)
            for value, bit in zip(self._values, said, strict=True)
            if value not in hidden
        }
        code = sum(bit << place for place, bit in enumerate(number))
        return Part(code=f"{code:0{NUMBER_BITS // 4}x}", bounds=bounds, truths=truths)


def _frames(pixels: Pixels) -> list[_Frame]:
    """Return the frames that magenta and yellow marks at opposite corners span."""
    red, green, blue = pixels[..., 0], pixels[..., 1], pixels[..., 2]
    magenta = _blobs(np.minimum(red, blue) - green > _STRONG)
    yellow = _blobs(np.minimum(red, green) - blue > _STRONG)
    found = (_frame(pixels, one, other) for one in magenta for other in yellow)
    return [frame for frame in found if frame is not None]


def _blobs(mask: Mask) -> list[Bounds]:
    """Return the bounds of the connected parts of a mask that are nearly full rectangles."""
    labels, _ = ndimage.label(mask)
    found = []
    for place in ndimage.find_objects(labels):
        down, across = place
        here = mask[place]
        if min(here.shape) >= 2 and here.mean() > 0.6:
            found.append((across.start, down.start, across.stop, down.stop))
    return found


def _frame(pixels: Pixels, magenta: Bounds, yellow: Bounds) -> _Frame | None:
    width, height = magenta[2] - magenta[0], magenta[3] - magenta[1]
    other_width, other_height = yellow[2] - yellow[0], yellow[3] - yellow[1]
    if not _alike(width, other_width) or not _alike(height, other_height):
        return None
    left, top = min(magenta[0], yellow[0]), min(magenta[1], yellow[1])
    right, bottom = max(magenta[2], yellow[2]), max(magenta[3], yellow[3])
    if right - left < 3 * width or bottom - top < 3 * height:
        return None
    at_left, at_top = magenta[0] == left, magenta[1] == top
    across = right - width // 2 - 1 if at_left else left + width // 2
    down = bottom - height // 2 - 1 if at_top else top + height // 2
    beside = _colour(pixels, across, (magenta[1] + magenta[3]) // 2)
    below = _colour(pixels, (magenta[0] + magenta[2]) // 2, down)
    if {beside, below} != {"green", "cyan"}:
        return None
    # clockwise from the magenta mark comes the green one; from the top left that is beside it
    clockwise = beside if at_left == at_top else below
    if clockwise == "cyan":
        way: Way = "mirrored"
    else:
        way = "upright" if at_left and at_top else "rotated"
    return _Frame(bounds=(left, top, right, bottom), way=way)


def _alike(one: int, other: int) -> bool:
    return abs(one - other) <= max(1, 0.25 * max(one, other))


def _colour(pixels: Pixels, x: int, y: int) -> str | None:
    red, green, blue = (int(value) for value in pixels[y, x])
    if min(green, blue) - red > _STRONG:
        return "cyan"
    return "green" if green - max(red, blue) > _STRONG else None


def _bits(pixels: Whole, bounds: Bounds, layout: Layout) -> list[int] | None:
    """Return the bits of a code, None where it is too small or a cell is grey."""
    left, top, right, bottom = bounds
    across, down = (right - left) / COLUMNS, (bottom - top) / layout.rows
    if min(across, down) < _LEAST_CELL:
        return None
    columns, rows = np.array(layout.cells).T
    light = np.zeros(len(layout.cells))
    for off in (0.35, 0.5, 0.65):  # near the middle, where neither blur nor a shift reaches
        x, y = left + (columns + off) * across, top + (rows + off) * down
        light += pixels[y.astype(int), x.astype(int)].mean(axis=1) / 3
    if ((light > 96) & (light < 160)).any():
        return None
    return [int(value > 128) for value in light]


def _outline(pixels: Pixels) -> Bounds | None:
    """Return the bounds of a red frame, None where there is none."""
    red = pixels[..., 0] - np.maximum(pixels[..., 1], pixels[..., 2]) > _STRONG
    labels, _ = ndimage.label(red, np.ones((3, 3)))
    places = [
        (across.start, down.start, across.stop, down.stop)
        for down, across in ndimage.find_objects(labels)
        if max(across.stop - across.start, down.stop - down.start) >= 8
    ]
    if not places:
        return None
    left, top, right, bottom = zip(*places, strict=True)
    return min(left), min(top), max(right), max(bottom)


def _outlined(parts: list[Part], outline: Bounds) -> Part | None:
    best = max(parts, key=lambda part: _overlap(part.bounds, outline))
    return best if _overlap(best.bounds, outline) > 0.6 else None


def _filling(parts: list[Part], size: tuple[int, int]) -> Part | None:
    """Return the part that holds all others and fills the picture, None where none does."""
    first = parts[0]
    if any(_common(first.bounds, part.bounds) < 0.9 * _area(part.bounds) for part in parts):
        return None
    return first if _area(first.bounds) >= _LEAST_SHARE * size[0] * size[1] else None


def _blind(frames: list[_Frame]) -> Sight:
    ways = {frame.way for frame in frames}
    if "upright" in ways:
        return "too_small"
    if "mirrored" in ways:
        return "mirrored"
    return "rotated" if "rotated" in ways else "unknown"


def _with_margin(bounds: Bounds, layout: Layout) -> Bounds:
    left, top, right, bottom = bounds
    across, down = (right - left) / COLUMNS / 2, (bottom - top) / layout.rows / 2
    return round(left - across), round(top - down), round(right + across), round(bottom + down)


def _times(bounds: Bounds, step: int) -> Bounds:
    left, top, right, bottom = bounds
    return left * step, top * step, right * step, bottom * step


def _scaled(frame: _Frame, step: int) -> _Frame:
    return _Frame(bounds=_times(frame.bounds, step), way=frame.way)


def _area(bounds: Bounds) -> int:
    left, top, right, bottom = bounds
    return max(0, right - left) * max(0, bottom - top)


def _common(one: Bounds, other: Bounds) -> int:
    left, top = max(one[0], other[0]), max(one[1], other[1])
    return _area((left, top, min(one[2], other[2]), min(one[3], other[3])))


def _overlap(one: Bounds, other: Bounds) -> float:
    common = _common(one, other)
    return common / (_area(one) + _area(other) - common)
