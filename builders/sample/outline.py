"""The outlines of a garment: bodice, skirt and hem, in figure units."""

import math
from dataclasses import dataclass
from itertools import pairwise

from builders.sample.body import torso
from builders.sample.brush import Point, between, curve, mirror
from builders.sample.garments import Garment

HEMLINES = {"mini": 236.0, "knee": 274.0, "midi": 312.0, "maxi": 346.0}
WAISTLINES = {"empire waist": 121.0, "dropped waist": 180.0}
WAIST = 146.0
# height of the pieces sewn to the lower edge of the cloth
TRIMS = {"ruffle hem": 17.0, "fringe hem": 24.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """Everything about a garment's shape that its details need.

    Attributes:
        bodice: Closed outline of the bodice.
        neck: The edge of the neckline from its left to its right end.
        armhole: The right armhole from shoulder to armpit.
        skirt: Closed outline of the skirt without hem trims.
        right: Right edge of the skirt from seam to hem.
        lower: Lower edge of the skirt's cloth from left to right.
        seam: Height of the seam between bodice and skirt.
        dip: Height of the lowest point of the neckline.
        hem: Height of the hemline at the sides, trims included.
    """

    bodice: tuple[Point, ...]
    neck: tuple[Point, ...]
    armhole: tuple[Point, ...]
    skirt: tuple[Point, ...]
    right: tuple[Point, ...]
    lower: tuple[Point, ...]
    seam: float
    dip: float
    hem: float

    def half(self, y: float) -> float:
        """Return the half width of the garment at a height."""
        if y < self.seam:
            return torso(y)
        for (wide, top), (next_wide, low) in pairwise(self.right):
            if top <= y <= low and low > top:
                return between(wide, next_wide, (y - top) / (low - top))
        return self.right[-1][0]

    def bottom(self, x: float) -> float:
        """Return the height of the cloth's lower edge at a distance from the centre line."""
        for (left, high), (right, low) in pairwise(self.lower):
            if left <= x <= right and right > left:
                return between(high, low, (x - left) / (right - left))
        return self.lower[-1][1]


def outline(garment: Garment) -> Outline:
    """Return the shape of a garment."""
    seam = WAISTLINES.get(garment.value("waist"), WAIST)
    hem = HEMLINES[garment.value("garment length")]
    style, neckline = garment.value("skirt"), garment.value("neckline")
    edge = hem - TRIMS.get(garment.value("hem"), 0.0)
    right = _skirt_edge(style, seam, edge, hem)
    lower = _lower_edge(style, garment.value("hem"), right[-1][0], edge, seam)
    neck, shoulder = _neck(neckline)
    armhole = _armhole(neckline, garment.value("sleeve style"), shoulder)
    waist = [(torso(y), y) for y in _steps(armhole[-1][1] + 4, seam)]
    half = [*armhole, *waist]
    bodice = [*neck, *half, *reversed(mirror(half))]
    return Outline(
        bodice=tuple(bodice),
        neck=tuple(neck),
        armhole=tuple(armhole),
        skirt=(*right, *reversed(lower), *reversed(mirror(right))),
        right=tuple(right),
        lower=tuple(lower),
        seam=seam,
        dip=max(y for x, y in neck if abs(x) < 3),
        hem=hem,
    )


def wrap_edges(garment: Garment, shape: Outline) -> tuple[list[Point], list[Point]]:
    """Return the free edge of a wrap front: down to the waist, and from there to the hem."""
    start = {
        "v-neck": (4.0, 102.0),
        "round neck": (14.0, 82.0),
        "square neck": (19.0, 94.0),
        "sweetheart": (17.0, 90.0),
        "off-shoulder": (22.0, 104.0),
        "halter neck": (9.0, 67.0),
        "high neck": (10.0, 68.0),
    }[garment.value("neckline")]
    # A slit takes the right of the skirt, so the wrap ends beside it.
    end = 6.0 if garment.value("skirt") == "side slit" else 24.0
    low = shape.bottom(end)
    bow = (between(start[0], -21, 0.55) + 2.5, between(start[1], WAIST, 0.55) + 2)
    upper = curve([start, bow, (-21, WAIST)])
    lower = [(-21.0, WAIST), (-16, between(WAIST, low, 0.35))]
    lower.append((end - 18, between(WAIST, low, 0.75)))
    return upper, curve([*lower, (end, low)])


def _steps(start: float, end: float) -> list[float]:
    count = max(2, round((end - start) / 6))
    return [between(start, end, k / count) for k in range(count + 1)]


def _neck(neckline: str) -> tuple[list[Point], Point]:
    # The right half from the centre outwards, and the point where the shoulder seam begins.
    half: list[Point] = {
        "v-neck": [(0.0, 108.0), (17.0, 65.0)],
        "round neck": curve([(0.0, 88.0), (9.0, 86.0), (16.0, 79.0), (18.0, 66.0)]),
        "square neck": [(0.0, 94.0), (21.0, 94.0), (21.0, 67.0)],
        "sweetheart": [
            *curve([(0.0, 104.0), (4.5, 93.0), (11.0, 87.5), (18.0, 86.0), (24.5, 88.5)]),
            (25.5, 69.0),
        ],
        "off-shoulder": [(0.0, 94.0), (31.0, 92.0)],
        "halter neck": [(0.0, 63.0), (10.0, 61.0)],
        "high neck": [(0.0, 65.0), (10.0, 63.0)],
    }[neckline]
    return [*reversed(mirror(half[1:])), *half], half[-1]


def _armhole(neckline: str, style: str, shoulder: Point) -> list[Point]:
    if neckline == "off-shoulder":
        return [(31.0, 92.0), (32.0, 98.0)]
    if neckline == "halter neck":
        return curve([(12.0, 63.0), (15.0, 78.0), (21.0, 91.0), (32.0, 99.0)])
    top = (31.0, 71.0) if style == "sleeveless" else (37.0, 75.0)
    if style == "sleeveless":
        return [shoulder, *curve([top, (28.5, 84.0), (32.0, 98.0)])]
    return [shoulder, *curve([(30.0, 71.0), top, (35.0, 86.0), (32.0, 98.0)])]


def _skirt_edge(style: str, seam: float, edge: float, hem: float) -> list[Point]:
    start, span = torso(seam), hem - 190
    flare = {
        "pencil": 33.0 - 0.02 * span,
        "side slit": 39.0,
        "a-line": 52.0 + 0.12 * span,
        "pleated": 53.0 + 0.12 * span,
        "tiered": 58.0 + 0.14 * span,
        "circle": 76.0 + 0.2 * span,
    }[style]
    if style in ("pencil", "side slit"):
        hips = [(torso(y) + 1.5, y) for y in _steps(seam, 198)]
        hips[0] = (start, seam)
        last = (between(37.5, flare, 0.45), between(198, edge, 0.5))
        return [*hips[:-1], *curve([hips[-1], last, (flare, edge)])]
    if style == "tiered":
        return _tiers(start, seam, flare, edge)
    bulge = {"circle": 0.72, "pleated": 0.9, "a-line": 0.92}[style]
    steps = [k / 12 for k in range(13)]
    return [(max(between(start, flare, at**bulge), 0), between(seam, edge, at)) for at in steps]


def _tiers(start: float, seam: float, flare: float, edge: float) -> list[Point]:
    points: list[Point] = []
    for top, low in tiers(seam, edge):
        wide = between(start, flare - 5, (top - seam) / (edge - seam))
        points += [(wide, top), (between(start, flare, (low - seam) / (edge - seam)) + 3, low)]
    return points


def tiers(seam: float, edge: float) -> list[tuple[float, float]]:
    """Return the top and lower end of each of the three tiers of a tiered skirt."""
    cuts = [between(seam, edge, at) for at in (0.0, 0.34, 0.67, 1.0)]
    return list(pairwise(cuts))


def _lower_edge(style: str, hem: str, wide: float, edge: float, seam: float) -> list[Point]:
    sag = 3.0 if style in ("pencil", "side slit") else 6.0
    count = 48
    points: list[Point] = []
    for k in range(count + 1):
        x = 2 * k / count - 1
        y = edge + sag * (1 - x * x)
        if style == "circle":
            y += 3.5 * math.sin(abs(x) * 3.5 * math.pi + 0.6)
        if hem == "high-low hem":
            # A slit needs cloth to be cut into, so the front rises less above it.
            rise = min(26.0 if style == "side slit" else 62.0, 0.42 * (edge - seam), edge - 206)
            y -= rise * math.cos(x * math.pi / 2) ** 1.2
        elif hem == "scalloped hem":
            lobes = max(5, round(2 * wide / 15))
            y += 7.5 * abs(math.sin(math.pi * lobes * k / count)) ** 0.7 - 5
        elif hem == "handkerchief hem":
            y += 20 * abs(((x + 1) * 2) % 1 * 2 - 1) - 16
        points.append((x * wide, y))
    return points
