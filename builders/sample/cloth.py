"""The cloth of a garment: its print and the texture of its fabric, as one flat picture."""

import math
from collections.abc import Callable

import numpy as np
from PIL import Image

from builders.sample.brush import Brush, Frame, Point, curve, oval
from builders.sample.palette import Colour, Palette, mix

Layers = list[tuple[Colour, Image.Image]]


def weave(print_name: str, fabric: str, colours: Palette, frame: Frame) -> Image.Image:
    """Return the cloth over the whole picture; raises KeyError for an unknown print or fabric."""
    cloth = Image.new("RGB", frame.size, colours.base)
    for ink, stencil in [*PRINTS[print_name](colours, frame), *FABRICS[fabric](colours, frame)]:
        cloth.paste(ink, (0, 0), stencil)
    return cloth


class Tile:
    """A square patch that repeats without a visible join; `pitch` is its side in figure units."""

    def __init__(self, pitch: float, frame: Frame) -> None:
        self.pitch, self.size = pitch, frame.size
        self.side = max(4, round(pitch * frame.scale))
        scale = self.side / pitch
        # The frame's origin lies at the figure's feet; a tile has its own at the top.
        flat = Frame(size=(self.side,) * 2, scale=scale, lean=0, left=0, top=360 * scale)
        self.brush = Brush(image=Image.new("L", flat.size, 0), frame=flat)

    def around(self) -> list[Point]:
        """Return the offsets at which a shape must be drawn so that it wraps around."""
        return [(x, y) for x in (-self.pitch, 0, self.pitch) for y in (-self.pitch, 0, self.pitch)]

    def fill(self, points: list[Point], strength: int = 255) -> None:
        """Fill a polygon that may stick out over the tile's border."""
        for across, down in self.around():
            moved = [(x + across, y + down) for x, y in points]
            low, high = min(moved), max(moved)
            if high[0] >= 0 and low[0] <= self.pitch:
                self.brush.fill(moved, strength)

    def line(self, points: list[Point], width: float, strength: int = 255) -> None:
        """Draw a line that may stick out over the tile's border."""
        for across, down in self.around():
            self.brush.line([(x + across, y + down) for x, y in points], strength, width)

    def spread(self) -> Image.Image:
        """Return the tile repeated over the whole picture."""
        wide, high = self.size
        patch = np.asarray(self.brush.image)
        many = np.tile(patch, (-(-high // self.side), -(-wide // self.side)))
        return Image.fromarray(np.ascontiguousarray(many[:high, :wide]))


def _bare(_colours: Palette, _frame: Frame) -> Layers:
    return []


def _striped(colours: Palette, frame: Frame) -> Layers:
    tile = Tile(20, frame)
    tile.fill([(0, 3), (20, 3), (20, 11), (0, 11)])
    thin = Tile(20, frame)
    thin.fill([(0, 15.5), (20, 15.5), (20, 17.5), (0, 17.5)])
    return [(colours.motif, tile.spread()), (colours.accent, thin.spread())]


def _dotted(colours: Palette, frame: Frame) -> Layers:
    tile = Tile(17, frame)
    for centre in ((4.25, 4.25), (12.75, 12.75)):
        tile.fill(oval(centre, 3.3, 3.3))
    return [(colours.motif, tile.spread())]


def _floral(colours: Palette, frame: Frame) -> Layers:
    petals, hearts, leaves = Tile(40, frame), Tile(40, frame), Tile(40, frame)
    for x, y, size, turn in (
        (9, 10, 5.2, 0.2),
        (29, 27, 5.6, 0.9),
        (30, 6, 3.6, 0.5),
        (9, 31, 4, 1),
    ):
        for k in range(5):
            angle = turn + k * math.tau / 5
            centre = (x + size * 0.75 * math.cos(angle), y + size * 0.75 * math.sin(angle))
            petals.fill(oval(centre, size * 0.62, size * 0.5, angle))
        hearts.fill(oval((x, y), size * 0.42, size * 0.42))
        for angle in (turn + 1.2, turn + 3.5):
            reach = size * 1.7
            tip = (x + reach * math.cos(angle), y + reach * math.sin(angle))
            leaves.fill(oval(tip, size * 0.62, size * 0.26, angle))
    leaf = mix(colours.base, (60, 130, 70) if sum(colours.base) > 360 else (150, 205, 140), 0.75)
    return [
        (leaf, leaves.spread()),
        (colours.motif, petals.spread()),
        (colours.accent, hearts.spread()),
    ]


def _checked(colours: Palette, frame: Frame) -> Layers:
    across, down = Tile(18, frame), Tile(18, frame)
    across.fill([(0, 0), (18, 0), (18, 9), (0, 9)], 125)
    down.fill([(0, 0), (9, 0), (9, 18), (0, 18)], 125)
    return [(colours.motif, across.spread()), (colours.motif, down.spread())]


def _animal(colours: Palette, frame: Frame) -> Layers:
    hearts, rims = Tile(36, frame), Tile(36, frame)
    spots = ((7, 7, 0.3), (20, 4, 1.6), (31, 12, 2.6), (14, 18, 4.0), (26, 24, 5.2), (5, 28, 0.9))
    for x, y, turn in (*spots, (17, 32, 3.3), (32, 34, 2.0)):
        hearts.fill(oval((x, y), 3.6, 2.7, turn))
        for start in (0.2, 2.4, 4.5):
            arc = [
                (
                    x + 4.2 * math.cos(turn + start + k * 0.35),
                    y + 3.4 * math.sin(turn + start + k * 0.35),
                )
                for k in range(5)
            ]
            rims.line(arc, 2.0)
    dark = sum(colours.base) < 200
    rim = (226, 190, 130) if dark else mix(colours.base, (30, 16, 12), 0.82)
    heart = (150, 104, 60) if dark else mix(colours.base, (120, 70, 30), 0.5)
    return [(heart, hearts.spread()), (rim, rims.spread())]


def _knit(colours: Palette, frame: Frame) -> Layers:
    shade, shine = Tile(11, frame), Tile(11, frame)
    for y in (0, 5.5):
        shade.line([(0, y - 1.5), (5.5, y + 4), (11, y - 1.5)], 1.5, 170)
        shine.line([(0, y + 1), (5.5, y + 6.5), (11, y + 1)], 1.6, 130)
    shade.line([(0, 0), (0, 11)], 2.0, 215)
    return [(colours.light, shine.spread()), (colours.shadow, shade.spread())]


def _lace(colours: Palette, frame: Frame) -> Layers:
    pale = sum(colours.base) > 640
    thread = (
        mix(colours.base, (70, 60, 70), 0.55) if pale else mix(colours.base, (255, 255, 255), 0.62)
    )
    ground = Tile(6, frame)
    ground.line([(0, 0), (6, 6)], 0.8, 190)
    ground.line([(0, 6), (6, 0)], 0.8, 190)
    motifs = Tile(30, frame)
    for x, y in ((7.5, 7.5), (22.5, 22.5)):
        for k in range(6):
            angle = k * math.tau / 6
            centre = (x + 4.2 * math.cos(angle), y + 4.2 * math.sin(angle))
            petal = oval(centre, 2.8, 1.7, angle)
            motifs.line([*petal, petal[0]], 1.0)
        motifs.line(oval((x, y), 1.0, 1.0), 1.1)
    for x, y in ((22.5, 7.5), (7.5, 22.5)):
        swirl = [
            (x - 5, y + 3),
            (x - 3, y - 3),
            (x + 1, y - 1),
            (x, y + 3),
            (x + 4, y + 3),
            (x + 5, y - 4),
        ]
        motifs.line(curve(swirl, 4), 1.0)
    return [(thread, ground.spread()), (thread, motifs.spread())]


def _denim(colours: Palette, frame: Frame) -> Layers:
    twill, fleck = Tile(6, frame), Tile(6, frame)
    twill.line([(0, 6), (6, 0)], 1.6, 125)
    fleck.line([(3.2, 5.6), (5.6, 3.2)], 1.1, 140)
    return [
        (colours.shadow, twill.spread()),
        (mix(colours.light, (255, 255, 255), 0.4), fleck.spread()),
    ]


def _sequin(colours: Palette, frame: Frame) -> Layers:
    rims, shines, sparks = Tile(12, frame), Tile(12, frame), Tile(48, frame)
    for row, shift in ((0, 0.0), (1, 3.0)):
        for column in range(2):
            centre = (column * 6 + shift + 3, row * 6 + 3)
            bow = [
                (
                    centre[0] + 3 * math.cos(k * math.pi / 8),
                    centre[1] + 3 * math.sin(k * math.pi / 8),
                )
                for k in range(9)
            ]
            rims.line(bow, 1.0, 200)
            shines.fill(oval((centre[0] - 0.6, centre[1] + 0.2), 1.6, 1.3), 130)
    for x, y, size in (
        (8, 10, 4.4),
        (32, 5, 3),
        (22, 26, 4.8),
        (42, 32, 4),
        (10, 40, 3.4),
        (34, 45, 4.2),
    ):
        slim = size * 0.2
        star = [(x, y - size), (x + slim, y - slim), (x + size, y), (x + slim, y + slim)]
        star += [(x, y + size), (x - slim, y + slim), (x - size, y), (x - slim, y - slim)]
        sparks.fill(star)
    pale, dark = sum(colours.base) > 640, sum(colours.base) < 200
    return [
        (mix(colours.shadow, (90, 84, 120), 0.5) if pale else colours.shadow, rims.spread()),
        (mix(colours.base, (255, 255, 255), 0.16 if dark else 0.5), shines.spread()),
        ((214, 168, 70) if pale else (255, 255, 255), sparks.spread()),
    ]


Maker = Callable[[Palette, Frame], Layers]
PRINTS: dict[str, Maker] = {
    "solid": _bare,
    "striped": _striped,
    "dotted": _dotted,
    "floral": _floral,
    "checked": _checked,
    "animal": _animal,
}
FABRICS: dict[str, Maker] = {
    "cotton": _bare,
    # The sheen of satin follows the folds of the garment, so it is added with the shading.
    "satin": _bare,
    "knit": _knit,
    "lace": _lace,
    "denim": _denim,
    "sequin": _sequin,
}
