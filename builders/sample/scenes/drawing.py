"""Drawing a scene: women side by side, each with the box of all that was drawn of her."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PIL import Image, ImageChops, ImageDraw

from benchwright.boxes import Box, from_corners
from builders.sample.backdrop import Set, cast_shadow, lay_floor
from builders.sample.brush import Frame
from builders.sample.chance import Chance
from builders.sample.drawing import SUPERSAMPLING, draw_figure, grained
from builders.sample.garments import Garment
from builders.sample.palette import BACKDROPS, Palette, distance, mix, palette
from builders.sample.scenes.casting import Scene

HEIGHT = 288  # of a scene, in pixels
_SCALE = HEIGHT / 384  # pixels to a figure unit
_ROOM = 160  # figure units to each side of the middle of a figure that none of it goes beyond
_HIDDEN = 0.32  # of the narrower of two neighbours who stand close
_WALLS = 4  # the colours that are furthest from all dresses
_NOWHERE = (1, 254, 3)  # no figure is drawn in this colour
_MARGIN, _LEAST_GAP, _MOST_GAP = 24, 12, 60  # figure units


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnScene:
    """The picture of a scene and the box of each woman, also of what stands in front of her."""

    image: Image.Image
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Figure:
    """A woman who is to be drawn; what she takes to the left and right of her middle, in units."""

    garment: Garment
    chance: Chance
    colours: Palette
    zoom: float
    left: float
    right: float


def draw_scene(scene: Scene) -> DrawnScene:
    """Draw a scene ``HEIGHT`` pixels high; the same scene gives the same pixels and boxes."""
    chance = Chance(key=f"scene picture:{scene.seed}")
    figures = [
        _figure(garment, Chance(key=f"{chance.key}:{place}"))
        for place, garment in enumerate(scene.garments)
    ]
    middles, width = _places(figures, scene.is_close, chance)
    size = round(width * _SCALE) * SUPERSAMPLING, HEIGHT * SUPERSAMPLING
    canvas, stage = _room(size, figures, chance)
    boxes = []
    for figure, middle in zip(figures, middles, strict=True):
        frame = _frame(figure, size, middle, _SCALE * SUPERSAMPLING)
        cast_shadow(stage, frame)
        corners = _drawn_on(canvas, figure, frame)
        boxes.append(from_corners(*(side / SUPERSAMPLING for side in corners)))
    shown = canvas.resize((size[0] // SUPERSAMPLING, HEIGHT), Image.Resampling.BOX)
    return DrawnScene(image=grained(shown, chance), boxes=tuple(boxes))


def _figure(garment: Garment, chance: Chance) -> _Figure:
    """Return a woman, measured by a rough drawing of her alone."""
    bare = _Figure(
        garment=garment,
        chance=chance,
        colours=palette(garment.value("colour"), chance),
        zoom=chance.between("zoom", 0.88, 0.98),
        left=0.0,
        right=0.0,
    )
    size = 2 * round(_ROOM * _SCALE), HEIGHT
    canvas = Image.new("RGB", size, _NOWHERE)
    left, _, right, _ = _drawn_on(canvas, bare, _frame(bare, size, _ROOM, _SCALE))
    return replace(bare, left=_ROOM - left / _SCALE, right=right / _SCALE - _ROOM)


def _places(
    figures: Sequence[_Figure], is_close: bool, chance: Chance
) -> tuple[list[float], float]:
    """Return where the middle of each woman stands, and the width of the scene, in units."""
    middles: list[float] = []
    end = _MARGIN * chance.between("margin", 1, 3)
    for place, figure in enumerate(figures):
        wide = figure.left + figure.right
        if is_close and place:
            before = figures[place - 1]
            start = end - _HIDDEN * min(wide, before.left + before.right)
        else:
            start = end + chance.between(f"gap {place}", _LEAST_GAP, _MOST_GAP)
        middles.append(start + figure.left)
        end = start + wide
    return middles, end + _MARGIN * chance.between("end", 1, 3)


def _frame(figure: _Figure, size: tuple[int, int], middle: float, scale: float) -> Frame:
    """Return where a figure stands; ``scale`` is in pixels of ``size`` to a unit."""
    return Frame(
        size=size,
        scale=scale * figure.zoom,
        lean=figure.chance.between("lean", -0.03, 0.03),
        left=middle * scale,
        top=(figure.chance.between("depth", 371, 379)) * scale - 12 * scale * figure.zoom,
    )


def _room(
    size: tuple[int, int], figures: Sequence[_Figure], chance: Chance
) -> tuple[Image.Image, Set]:
    """Return a canvas with a wall, in a colour apart from all dresses, and a floor."""
    bases = [figure.colours.base for figure in figures]
    walls = sorted(BACKDROPS, key=lambda wall: -min(distance(wall, base) for base in bases))
    wall = chance.pick("wall", walls[:_WALLS])
    floor = mix(wall, chance.pick("floor shade", ((255, 255, 255), (120, 92, 70))), 0.32)
    canvas = Image.new("RGB", size, wall)
    stage = Set(
        pen=ImageDraw.Draw(canvas),
        wide=size[0],
        high=size[1],
        chance=chance,
        colours=replace(figures[0].colours, wall=wall, floor=floor),
    )
    lay_floor(stage)
    return canvas, stage


def _drawn_on(canvas: Image.Image, figure: _Figure, frame: Frame) -> tuple[int, int, int, int]:
    """Draw a figure and return the corners of what that changed."""
    before = canvas.copy()
    draw_figure(canvas, figure.garment, figure.chance, figure.colours, frame)
    changed = ImageChops.difference(before, canvas).getbbox()
    if changed is None:
        raise AssertionError("a figure was drawn outside of its scene")
    return changed
