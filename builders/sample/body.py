"""The figure that wears the garment: a faceless fashion mannequin, and its pose."""

import math
from dataclasses import dataclass
from itertools import pairwise

from builders.sample.brush import Brush, Point, between, curve, mirror, oval
from builders.sample.chance import Chance
from builders.sample.palette import Palette, mix

UPPER_ARM, FOREARM = 60.0, 54.0
TORSO: tuple[Point, ...] = (
    (32.0, 92.0),
    (32.5, 104.0),
    (29.0, 124.0),
    (25.0, 146.0),
    (31.0, 168.0),
    (36.0, 190.0),
    (35.0, 210.0),
)
HAIRSTYLES = ("bun", "bob", "crop", "afro", "ponytail", "long")


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """One arm as a path from shoulder over elbow to wrist, for the side +1 (right) or -1."""

    side: int
    shoulder: Point
    elbow: Point
    wrist: Point

    def along(self, at: float) -> tuple[Point, Point]:
        """Return the point at a fraction of the arm and the outward unit normal there."""
        bend = UPPER_ARM / (UPPER_ARM + FOREARM)
        # A quadratic bow around the elbow keeps sleeves free of kinks.
        start, end = (self.shoulder, self.elbow) if at < bend else (self.elbow, self.wrist)
        part = at / bend if at < bend else (at - bend) / (1 - bend)
        point = (between(start[0], end[0], part), between(start[1], end[1], part))
        turn = min(1.0, max(0.0, (at - bend + 0.12) / 0.24))
        upper, lower = _heading(self.shoulder, self.elbow), _heading(self.elbow, self.wrist)
        angle = between(upper, lower, turn)
        return point, (math.cos(angle) * self.side, -math.sin(angle) * self.side)

    def off(self, at: float, out: float) -> Point:
        """Return the point beside the arm at a fraction of it, `out` units outwards."""
        (x, y), (across, down) = self.along(at)
        return x + across * out, y + down * out


@dataclass(frozen=True, slots=True, kw_only=True)
class Pose:
    """How the figure stands: its arms (left, right), the spread of its feet and its hair."""

    arms: tuple[Arm, Arm]
    stance: float
    step: float
    hairstyle: str


def pose(chance: Chance, *, free: bool) -> Pose:
    """Return a relaxed pose with the arms clear of the dress, or one hand on the hip if `free`."""
    left = _akimbo() if free and chance.unit("akimbo") < 0.3 else _arm(-1, chance)
    return Pose(
        arms=(left, _arm(1, chance)),
        stance=chance.between("stance", 0, 5),
        step=chance.between("step", -4, 4),
        hairstyle=chance.pick("hairstyle", HAIRSTYLES),
    )


def _heading(start: Point, end: Point) -> float:
    return math.atan2(end[0] - start[0], end[1] - start[1])


def _akimbo() -> Arm:
    # On the left only: bows and slits are on the right and stay in view.
    return Arm(side=-1, shoulder=(-33.0, 80.0), elbow=(-77.0, 121.0), wrist=(-45.0, 164.0))


def _arm(side: int, chance: Chance) -> Arm:
    upper = math.radians(chance.between(f"upper {side}", 15, 33))
    lower = upper + math.radians(chance.between(f"lower {side}", -14, 26))
    elbow = (33 + UPPER_ARM * math.sin(upper), 80 + UPPER_ARM * math.cos(upper))
    wrist = (elbow[0] + FOREARM * math.sin(lower), elbow[1] + FOREARM * math.cos(lower))
    return Arm(
        side=side,
        shoulder=(33.0 * side, 80.0),
        elbow=(elbow[0] * side, elbow[1]),
        wrist=(wrist[0] * side, wrist[1]),
    )


def torso(y: float) -> float:
    """Return the half width of the torso at a height between bust and hip."""
    for (wide, top), (next_wide, low) in pairwise(TORSO):
        if y <= low:
            at = max(0.0, (y - top) / (low - top))
            return between(wide, next_wide, at * at * (3 - 2 * at))
    return TORSO[-1][0]


def draw_legs(brush: Brush, posed: Pose, colours: Palette) -> None:
    """Draw both legs and the shoes."""
    for side in (-1, 1):
        spread = posed.stance + posed.step * side * 0.5
        outer = [(36, 186), (34, 215), (25 + spread * 0.5, 266), (24 + spread * 0.7, 292)]
        outer += [(16 + spread, 340), (15.5 + spread, 352)]
        inner = [(7 + spread, 352), (7 + spread, 338), (5.5 + spread * 0.7, 296)]
        inner += [(7 + spread * 0.5, 268), (2, 210), (0, 190)]
        leg = [*curve(outer), *curve(inner)]
        sole: list[Point] = [
            (6, 349),
            (16.5, 349),
            (19, 358),
            (20, 367),
            (15, 371),
            (8, 371),
            (4.5, 366),
        ]
        shoe = [(x + spread, y) for x, y in [*sole, sole[0]]]
        vamp: list[Point] = [
            (7 + spread, 348),
            (16 + spread, 348),
            (14.5 + spread, 358),
            (9 + spread, 358),
        ]
        if side < 0:
            leg, shoe, vamp = mirror(leg), mirror(shoe), mirror(vamp)
        brush.shape(leg, colours.skin, colours.skin_edge)
        brush.shape(curve(shoe), colours.shoe, mix(colours.shoe, (0, 0, 0), 0.5))
        brush.fill(vamp, colours.skin)


def draw_body(brush: Brush, posed: Pose, colours: Palette) -> None:
    """Draw the torso, arms, neck and head; the garment goes on top."""
    _hair_behind(brush, posed.hairstyle, colours)
    for arm in posed.arms:
        draw_arm(brush, arm, colours, 0.0)
    half = [(7.5, 44), (8, 57), (13, 64), (26, 69), (36, 74), (38, 82), (31.5, 96), (26, 124)]
    side = curve(half)
    brush.fill([*side, (21, 150), (-21, 150), *reversed(mirror(side))], colours.skin)
    for edge in (side[:17], mirror(side[:17])):
        brush.line(edge, colours.skin_edge)
    brush.fill(
        [(-7.5, 50), (7.5, 50), (6, 57), (-4, 60)], mix(colours.skin, colours.skin_edge, 0.5)
    )
    for collarbone in ([(5, 73), (14, 71), (24, 73)], [(-5, 73), (-14, 71), (-24, 73)]):
        brush.line(curve(collarbone), mix(colours.skin, colours.skin_edge, 0.5), 1.0)
    _head(brush, posed.hairstyle, colours)


def draw_arm(brush: Brush, arm: Arm, colours: Palette, start: float) -> None:
    """Draw one arm with its hand from a fraction of its length downwards."""
    steps = [start + (1 - start) * k / 10 for k in range(11)]
    widths = [between(9.0, 5.2, at) - (0.8 if at > 0.7 else 0) for at in steps]
    outer = [arm.off(at, wide) for at, wide in zip(steps, widths, strict=True)]
    inner = [arm.off(at, -wide) for at, wide in zip(steps, widths, strict=True)]
    if start == 0.0:
        shoulder = [(20.0, 67.0), (31.0, 70.5), (38.0, 75.5)]
        outer = curve([*[(x * arm.side, y) for x, y in shoulder], *outer[1:]], 2)
        inner = [(30.5 * arm.side, 99.0), *inner[3:]]
    thumb = [arm.off(1.02, -4), arm.off(1.09, -8.5), arm.off(1.13, -7.5), arm.off(1.1, -2)]
    palm = [arm.off(0.98, 4.4), arm.off(1.04, 5.6), arm.off(1.11, 5.4), arm.off(1.19, 2.6)]
    palm += [arm.off(1.2, -0.6), arm.off(1.13, -3.4), arm.off(1.04, -4.6), arm.off(0.98, -4.4)]
    brush.shape(thumb, colours.skin, colours.skin_edge, 1.0)
    brush.shape(curve([*palm, palm[0]], 3), colours.skin, colours.skin_edge, 1.0)
    brush.fill([*outer, *reversed(inner)], colours.skin)
    brush.line(outer, colours.skin_edge)
    brush.line(inner, colours.skin_edge)


def _hair_behind(brush: Brush, style: str, colours: Palette) -> None:
    edge = mix(colours.hair, (0, 0, 0), 0.4)
    if style == "bun":
        brush.dot((0, 6.5), 8, colours.hair, edge)
    elif style == "afro":
        for x, y in ((-17, 14), (17, 14), (-21, 29), (21, 29), (-15, 41), (15, 41), (0, 9)):
            brush.dot((x, y), 10.5, colours.hair, edge)
        brush.dot((0, 25), 23, colours.hair)
    elif style == "bob":
        bob = [(0, 8), (15, 12), (19.5, 28), (20, 46), (15, 53), (0, 52)]
        brush.fill(curve([*bob, *reversed(mirror(bob))]), colours.hair)
    elif style == "long":
        fall = [(0, 8), (15, 12), (19, 28), (20, 50), (25, 68), (20, 84), (12, 70), (0, 66)]
        brush.fill(curve([*fall, *reversed(mirror(fall))]), colours.hair)
    elif style == "ponytail":
        tail = [(6, 10), (20, 8), (27, 22), (24, 42), (29, 56), (20, 48), (17, 30), (8, 18)]
        brush.fill(curve([*tail, tail[0]]), colours.hair)


def _head(brush: Brush, style: str, colours: Palette) -> None:
    face = [(0, 10), (10, 13), (14.5, 24), (13.5, 37), (7, 47), (0, 50.5)]
    outline = curve([*face, *reversed(mirror(face))])
    if style not in ("bob", "long"):
        for side in (-1, 1):
            brush.shape(oval((14.5 * side, 31), 2.6, 4.4), colours.skin, colours.skin_edge, 0.9)
    brush.shape(outline, colours.skin, colours.skin_edge)
    part = -5 if style in ("bob", "long") else 6
    cap = [(part, 13), (8, 17), (13, 25), (14.8, 34), (17, 24), (12, 10.5), (0, 6.5), (-12, 10.5)]
    cap += [(-17, 24), (-14.8, 34), (-13, 25), (-8, 18), (part, 13)]
    brush.fill(curve(cap), colours.hair)
    if style == "afro":
        brush.fill(oval((0, 13), 17, 8), colours.hair)
    shine = [(-9, 13.5), (-2, 10.5), (4, 10.5)]
    brush.line(curve(shine), mix(colours.hair, (255, 255, 255), 0.3), 1.4)
