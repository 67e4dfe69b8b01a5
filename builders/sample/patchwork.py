"""Sewing pieces of cloth onto the picture, with seams that stay readable over any print."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from PIL import Image

from builders.sample.brush import Brush, Frame, Point
from builders.sample.palette import Colour, Palette

STITCH: Colour = (238, 160, 52)


@dataclass(frozen=True, slots=True, kw_only=True)
class Needle:
    """Draws seams; on denim every seam gets the orange topstitching of jeans."""

    brush: Brush
    colours: Palette
    topstitch: bool

    def seam(self, points: Sequence[Point], width: float = 1.5) -> None:
        """Draw a seam: a contrasting line with a thin halo, so that no print swallows it."""
        self.brush.line(points, self.colours.halo, width + 1.5)
        self.brush.line(points, self.colours.ink, width)

    def stitched(self, points: Sequence[Point], width: float = 1.5, side: float = 3.4) -> None:
        """Draw a seam that carries the topstitching at a distance to its side."""
        self.seam(points, width)
        if self.topstitch:
            self.dashes(shifted(points, side), STITCH, 1.9, 4.5)

    def dashes(
        self, points: Sequence[Point], ink: Colour, width: float = 1.3, length: float = 4.0
    ) -> None:
        """Draw a dashed line."""
        for start, end in _pieces(points, length):
            self.brush.line([start, end], ink, width)


@dataclass(frozen=True, slots=True, kw_only=True)
class Patchwork:
    """A picture on which pieces of cloth are sewn.

    Attributes:
        scene: The picture.
        cloth: The cloth with the folds of bodice and skirt.
        flat: The same cloth without folds, for sleeves and trims.
        topstitch: Whether seams are topstitched, as on denim.
    """

    scene: Image.Image
    cloth: Image.Image
    flat: Image.Image
    frame: Frame
    colours: Palette
    topstitch: bool

    @property
    def brush(self) -> Brush:
        """A brush on the picture itself."""
        return Brush(image=self.scene, frame=self.frame)

    @property
    def needle(self) -> Needle:
        """A needle on the picture itself."""
        return Needle(brush=self.brush, colours=self.colours, topstitch=self.topstitch)

    def sew(
        self,
        points: Sequence[Point],
        *,
        flat: bool = False,
        tint: tuple[Colour, float] | None = None,
        cut: Sequence[Point] | None = None,
        details: Callable[[Needle], None] | None = None,
    ) -> None:
        """Sew on a piece of cloth.

        Args:
            points: Outline of the piece.
            flat: Whether to take the cloth without folds.
            tint: A colour and its share, 0 to 1, mixed into the cloth.
            cut: A polygon left open.
            details: Draws on the piece; what sticks out over its outline is cut off.
        """
        box = self._box(points)
        piece = (self.flat if flat else self.cloth).crop(box)
        frame = moved(self.frame, box)
        if tint:
            piece = Image.blend(piece, Image.new("RGB", piece.size, tint[0]), tint[1])
        brush = Brush(image=piece, frame=frame)
        if details:
            details(Needle(brush=brush, colours=self.colours, topstitch=self.topstitch))
        brush.ring(points, self.colours.edge, 2.8)
        if cut:
            brush.ring(cut, self.colours.edge, 3.2)
        mask = Image.new("L", piece.size, 0)
        stencil = Brush(image=mask, frame=frame)
        stencil.fill(points, 255)
        if cut:
            stencil.fill(cut, 0)
        self.scene.paste(piece, box[:2], mask)

    def _box(self, points: Iterable[Point]) -> tuple[int, int, int, int]:
        placed = self.frame.at(points)
        across, down = [x for x, _ in placed], [y for _, y in placed]
        wide, high = self.frame.size
        left, top = max(0, math.floor(min(across))), max(0, math.floor(min(down)))
        right, low = min(wide, math.ceil(max(across)) + 1), min(high, math.ceil(max(down)) + 1)
        # A piece outside the picture still needs a box that can be cropped.
        left, top = min(left, wide - 1), min(top, high - 1)
        return left, top, max(right, left + 1), max(low, top + 1)


def moved(frame: Frame, box: tuple[int, int, int, int]) -> Frame:
    """Return the frame as seen from inside a box of the picture."""
    return Frame(
        size=(box[2] - box[0], box[3] - box[1]),
        scale=frame.scale,
        lean=frame.lean,
        left=frame.left - box[0],
        top=frame.top - box[1],
    )


def shifted(points: Sequence[Point], side: float) -> list[Point]:
    """Return an open line moved sideways, to the right of its direction if `side` is negative."""
    moved_points: list[Point] = []
    for k, (x, y) in enumerate(points):
        before, after = points[max(0, k - 1)], points[min(len(points) - 1, k + 1)]
        across, down = after[0] - before[0], after[1] - before[1]
        length = math.hypot(across, down) or 1.0
        moved_points.append((x + down / length * side, y - across / length * side))
    return moved_points


def _pieces(points: Sequence[Point], length: float) -> list[tuple[Point, Point]]:
    dashes: list[tuple[Point, Point]] = []
    travelled = 0.0
    for (x, y), (end_x, end_y) in pairwise(points):
        span = math.hypot(end_x - x, end_y - y)
        at = -(travelled % (2 * length))
        while at < span and span:
            low, high = max(0.0, at) / span, min(span, at + length) / span
            if high > low:
                start = (x + (end_x - x) * low, y + (end_y - y) * low)
                dashes.append((start, (x + (end_x - x) * high, y + (end_y - y) * high)))
            at += 2 * length
        travelled += span
    return dashes
