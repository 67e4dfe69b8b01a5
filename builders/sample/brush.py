"""Drawing in figure units on a supersampled picture.

A figure unit is 1/384 of the height of an upright standard picture; x grows to the right from the
figure's centre line and y grows downwards from just above its head.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from PIL import Image, ImageDraw

Point = tuple[float, float]
Ink = tuple[int, int, int] | int


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Where the figure stands in the supersampled picture.

    Attributes:
        size: Width and height of the supersampled picture in its pixels.
        scale: Pixels per figure unit, above 0.
        lean: Clockwise lean in radians around the figure's feet.
        left, top: Pixel position of the figure's origin.
    """

    size: tuple[int, int]
    scale: float
    lean: float
    left: float
    top: float

    def at(self, points: Iterable[Point]) -> list[Point]:
        """Return the pixel positions of points given in figure units."""
        cosine, sine = math.cos(self.lean) * self.scale, math.sin(self.lean) * self.scale
        return [
            (self.left + x * cosine - (y - 360) * sine, self.top + x * sine + (y - 360) * cosine)
            for x, y in points
        ]

    def reduced(self, factor: int) -> "Frame":
        """Return the same frame in a picture that many times smaller."""
        return Frame(
            size=(-(-self.size[0] // factor), -(-self.size[1] // factor)),
            scale=self.scale / factor,
            lean=self.lean,
            left=self.left / factor,
            top=self.top / factor,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Brush:
    """Draws shapes given in figure units on one image."""

    image: Image.Image
    frame: Frame
    pen: ImageDraw.ImageDraw = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pen", ImageDraw.Draw(self.image))

    def fill(self, points: Sequence[Point], ink: Ink) -> None:
        """Fill a polygon."""
        self.pen.polygon(self.frame.at(points), fill=ink)

    def line(self, points: Sequence[Point], ink: Ink, width: float = 1.2) -> None:
        """Draw an open line of a width in figure units, with round joints and ends."""
        pixels = max(1, round(width * self.frame.scale))
        placed = self.frame.at(points)
        self.pen.line(placed, fill=ink, width=pixels, joint="curve" if pixels > 2 else None)
        if pixels > 3:
            radius = pixels / 2 - 0.5
            for x, y in (placed[0], placed[-1]):
                self.pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=ink)

    def ring(self, points: Sequence[Point], ink: Ink, width: float = 1.2) -> None:
        """Draw a closed line."""
        self.line([*points, points[0]], ink, width)

    def shape(self, points: Sequence[Point], ink: Ink, edge: Ink, width: float = 1.2) -> None:
        """Fill a polygon and outline it."""
        self.fill(points, ink)
        self.ring(points, edge, width)

    def dot(self, centre: Point, radius: float, ink: Ink, edge: Ink | None = None) -> None:
        """Fill a circle, with an outline if an edge ink is given."""
        ((x, y),) = self.frame.at([centre])
        reach = radius * self.frame.scale
        box = (x - reach, y - reach, x + reach, y + reach)
        self.pen.ellipse(box, fill=ink, outline=edge, width=max(1, round(self.frame.scale * 0.7)))


def curve(points: Sequence[Point], steps: int = 5) -> list[Point]:
    """Return a smooth open curve through the points (Catmull-Rom), that many steps per span."""
    if len(points) < 3:
        return list(points)
    padded = [points[0], *points, points[-1]]
    smooth: list[Point] = []
    for before, start, end, after in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        smooth += [_blend(before, start, end, after, step / steps) for step in range(steps)]
    return [*smooth, points[-1]]


def _blend(before: Point, start: Point, end: Point, after: Point, at: float) -> Point:
    def axis(a: float, b: float, c: float, d: float) -> float:
        bend = 2 * a - 5 * b + 4 * c - d + (3 * b - a - 3 * c + d) * at
        return b + 0.5 * at * (c - a + at * bend)

    return (
        axis(before[0], start[0], end[0], after[0]),
        axis(before[1], start[1], end[1], after[1]),
    )


def oval(centre: Point, across: float, down: float, turn: float = 0.0) -> list[Point]:
    """Return an ellipse with the given half axes, turned clockwise by an angle in radians."""
    cosine, sine = math.cos(turn), math.sin(turn)
    ring = [(math.cos(k * math.pi / 12), math.sin(k * math.pi / 12)) for k in range(24)]
    return [
        (
            centre[0] + across * x * cosine - down * y * sine,
            centre[1] + across * x * sine + down * y * cosine,
        )
        for x, y in ring
    ]


def mirror(points: Iterable[Point]) -> list[Point]:
    """Return the points reflected in the figure's centre line."""
    return [(-x, y) for x, y in points]


def between(start: float, end: float, at: float) -> float:
    """Return the number that lies the fraction `at` of the way from start to end."""
    return start + (end - start) * at
