"""The units in which boxes are written, and the way back to pixels of the upright picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self

from benchwright.asking.box_reading.corners import Corners
from benchwright.boxes import Box, clip, from_corners

Unit = Literal["pixels", "thousandths", "fractions"]
Size = tuple[int, int]  # width, height in pixels

_UNITS: tuple[Unit, ...] = ("fractions", "thousandths", "pixels")


@dataclass(frozen=True, slots=True, kw_only=True)
class SentPicture:
    """What a model is shown of an upright picture; all sizes are width and height in pixels.

    ``upright`` is the picture's own, ``scaled`` what it was brought down to, ``size`` what was
    sent, with what was laid around it in equal parts.
    """

    upright: Size
    scaled: Size
    size: Size

    @classmethod
    def unchanged(cls, size: Size) -> Self:
        """Return a picture that is sent as it is."""
        return cls(upright=size, scaled=size, size=size)

    def written(self, box: Box, unit: Unit) -> Corners:
        """Return left, top, right and bottom of a box of the upright picture as they are shown."""
        x, y, width, height = box
        across, down = _unit(unit, self.size)
        left, top = self._offset()
        wide, high = (scaled / own for scaled, own in zip(self.scaled, self.upright, strict=True))
        return (
            (x * wide + left) / across,
            (y * high + top) / down,
            ((x + width) * wide + left) / across,
            ((y + height) * high + top) / down,
        )

    def placed(self, corners: Corners, unit: Unit) -> Box:
        """Return the box of the upright picture between two corners, whatever their order.

        What reaches over the edge is cut there: nothing of the picture is beyond it, and true
        boxes end there too. A box that lies beyond it as a whole stays, since it was given and
        counts as a wrong one.
        """
        x1, y1, x2, y2 = corners
        across, down = _unit(unit, self.size)
        left, top = self._offset()
        wide, high = (own / scaled for scaled, own in zip(self.scaled, self.upright, strict=True))
        box = from_corners(
            (x1 * across - left) * wide,
            (y1 * down - top) * high,
            (x2 * across - left) * wide,
            (y2 * down - top) * high,
        )
        return clip(box, *self.upright) or box

    def unit_of(self, found: Sequence[Corners], asked: Unit) -> Unit:
        """Return the unit in which boxes were written: the one asked for, unless it cannot be.

        It cannot be where some box would lie beyond the picture as a whole, or where all would be
        smaller than one of the unit. Then it is the only other unit that has none of these faults
        and leaves all boxes within the picture; where two are, or none is, the one asked for.
        """
        if not found or self._can_be(found, asked):
            return asked
        others = [
            unit
            for unit in _UNITS
            if unit != asked and self._can_be(found, unit) and self._holds(found, unit)
        ]
        return others[0] if len(others) == 1 else asked

    def _can_be(self, found: Sequence[Corners], unit: Unit) -> bool:
        right, below = _sides(unit, self.size)
        if any(min(x1, x2) >= right or min(y1, y2) >= below for x1, y1, x2, y2 in found):
            return False
        return unit == "fractions" or max(map(max, found)) > 1

    def _holds(self, found: Sequence[Corners], unit: Unit) -> bool:
        right, below = _sides(unit, self.size)
        return all(
            min(corners) >= 0 and max(corners[0::2]) <= right and max(corners[1::2]) <= below
            for corners in found
        )

    def _offset(self) -> tuple[int, int]:
        """Return how much was laid on the left and above."""
        return (self.size[0] - self.scaled[0]) // 2, (self.size[1] - self.scaled[1]) // 2


def _unit(unit: Unit, size: Size) -> tuple[float, float]:
    """Return how many pixels one of a unit is, across and down."""
    width, height = _sides(unit, size)
    return size[0] / width, size[1] / height


def _sides(unit: Unit, size: Size) -> tuple[float, float]:
    """Return width and height of a picture in a unit."""
    if unit == "pixels":
        return size
    return (1000, 1000) if unit == "thousandths" else (1, 1)
