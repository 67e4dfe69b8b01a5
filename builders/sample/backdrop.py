"""The background of a picture: a wall, a studio set or a room, never the garment's own colour."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image, ImageDraw

from builders.sample.brush import Frame, curve
from builders.sample.chance import Chance
from builders.sample.palette import Colour, Palette, mix

WHITE: Colour = (255, 255, 255)
FLOORED = ("room", "disc", "panels", "stripes", "window", "leaves")


@dataclass(frozen=True, slots=True, kw_only=True)
class Set:
    """A background under construction."""

    pen: ImageDraw.ImageDraw
    wide: int
    high: int
    chance: Chance
    colours: Palette

    @property
    def soft(self) -> Colour:
        """The wall in a paler shade."""
        return mix(self.colours.wall, WHITE, 0.35)


def backdrop(chance: Chance, colours: Palette, frame: Frame) -> Image.Image:
    """Return a picture of the frame's size with only a background."""
    wide, high = frame.size
    scene = Image.new("RGB", frame.size, colours.wall)
    pen = ImageDraw.Draw(scene)
    stage = Set(pen=pen, wide=wide, high=high, chance=chance, colours=colours)
    kind = chance.pick("backdrop", tuple(KINDS))
    if kind in FLOORED:
        lay_floor(stage)
    if kind == "gradient":
        ramp = Image.linear_gradient("L").resize(frame.size, Image.Resampling.BILINEAR)
        scene.paste(colours.floor, (0, 0), ramp)
    KINDS[kind](stage)
    cast_shadow(stage, frame)
    return scene


def _bare(_stage: Set) -> None:
    return


def _disc(stage: Set) -> None:
    centre, reach = stage.wide * stage.chance.between("disc", 0.4, 0.6), stage.wide * 0.44
    middle = stage.high * 0.42
    box = (centre - reach, middle - reach, centre + reach, middle + reach)
    stage.pen.ellipse(box, stage.soft)


def _arch(stage: Set) -> None:
    side, top = stage.wide * stage.chance.between("arch", 0.1, 0.2), stage.high * 0.1
    box = (side, top, stage.wide - side, stage.high * 1.5)
    stage.pen.rounded_rectangle(box, (stage.wide - 2 * side) / 2, stage.soft)


def _panels(stage: Set) -> None:
    split = stage.wide * stage.chance.between("panels", 0.25, 0.75)
    shade = mix(stage.colours.wall, stage.colours.floor, 0.6)
    stage.pen.rectangle((split, 0, stage.wide, stage.high * 0.78), shade)


def _stripes(stage: Set) -> None:
    step = stage.wide / stage.chance.pick("stripes", (6, 8, 10))
    shade = mix(stage.colours.wall, WHITE, 0.18)
    for k in range(0, 12, 2):
        stage.pen.rectangle((k * step, 0, (k + 1) * step, stage.high * 0.78), shade)


def _bokeh(stage: Set) -> None:
    for k in range(14):
        x = stage.wide * stage.chance.unit(f"x {k}")
        y = stage.high * stage.chance.unit(f"y {k}")
        reach = stage.wide * stage.chance.between(f"reach {k}", 0.04, 0.13)
        shade = mix(stage.colours.wall, WHITE if k % 2 else stage.colours.floor, 0.3)
        stage.pen.ellipse((x - reach, y - reach, x + reach, y + reach), shade)


def _window(stage: Set) -> None:
    wide, high, pen, wall = stage.wide, stage.high, stage.pen, stage.colours.wall
    side, bar = stage.chance.pick("window", (0.05, 0.61)) * wide, wide * 0.012
    right, top, low = side + wide * 0.34, high * 0.1, high * 0.56
    pen.rectangle((side - bar, top - bar, right + bar, low + bar), mix(wall, WHITE, 0.6))
    glass = mix(wall, WHITE, 0.25)
    across, down = (side + right) / 2, (top + low) / 2
    for left, end in ((side, across - bar / 2), (across + bar / 2, right)):
        for start, stop in ((top, down - bar / 2), (down + bar / 2, low)):
            pen.rectangle((left, start, end, stop), glass)


def _leaves(stage: Set) -> None:
    wide, high, chance = stage.wide, stage.high, stage.chance
    pot, foot = wide * chance.pick("pot", (0.1, 0.9)), high * 0.95
    green = mix(stage.colours.wall, (70, 110, 80), 0.42)
    base = (pot, foot - high * 0.1)
    for k in range(9):
        lean = (k - 4) * 0.2 + chance.between(f"leaf {k}", -0.08, 0.08)
        reach = high * chance.between(f"length {k}", 0.3, 0.48)
        tip = (pot + math.sin(lean) * reach * 0.7, base[1] - math.cos(lean) * reach)
        middle = ((base[0] + tip[0]) / 2, (base[1] + tip[1]) / 2)
        across, down = math.cos(lean) * wide * 0.035, math.sin(lean) * wide * 0.035
        left = (middle[0] - across, middle[1] - down)
        right = (middle[0] + across, middle[1] + down)
        shade = green if k % 2 else mix(green, WHITE, 0.15)
        stage.pen.polygon([*curve([base, left, tip]), *curve([tip, right, base])], shade)
    rim, sole, top = wide * 0.085, wide * 0.06, foot - high * 0.12
    clay = mix(stage.colours.floor, (190, 120, 90), 0.5)
    stage.pen.polygon(
        [(pot - rim, top), (pot + rim, top), (pot + sole, foot), (pot - sole, foot)], clay
    )


def lay_floor(stage: Set) -> None:
    """Lay a floor with a skirting under the wall."""
    top = stage.high * stage.chance.between("floor", 0.8, 0.88)
    stage.pen.rectangle((0, top, stage.wide, stage.high), stage.colours.floor)
    skirting = mix(stage.colours.wall, WHITE, 0.5)
    stage.pen.rectangle((0, top - stage.high * 0.018, stage.wide, top), skirting)


def cast_shadow(stage: Set, frame: Frame) -> None:
    """Lay the shadow of a figure on the floor."""
    ((x, y),) = frame.at([(0, 368)])
    across, down = 46 * frame.scale, 7 * frame.scale
    shade = mix(stage.colours.floor, (40, 30, 50), 0.25)
    stage.pen.ellipse((x - across, y - down, x + across, y + down), shade)


KINDS: dict[str, Callable[[Set], None]] = {
    "plain": _bare,
    "gradient": _bare,
    "room": _bare,
    "disc": _disc,
    "arch": _arch,
    "panels": _panels,
    "stripes": _stripes,
    "bokeh": _bokeh,
    "window": _window,
    "leaves": _leaves,
}
