"""The sleeves of a garment, drawn along the arms of the figure."""

import math
from collections.abc import Callable

from builders.sample.body import Arm
from builders.sample.brush import Point, between, curve, oval
from builders.sample.garments import Garment
from builders.sample.palette import Palette
from builders.sample.patchwork import Needle, Patchwork

# where a sleeve ends, as a fraction of the arm from shoulder to wrist
ENDS = {"short": 0.36, "elbow": 0.6, "long": 0.97}

Width = Callable[[float], float]


def sew_sleeves(work: Patchwork, garment: Garment, arms: tuple[Arm, Arm]) -> None:
    """Sew on both sleeves, if the garment has any."""
    style, length = garment.value("sleeve style"), garment.value("sleeve length")
    if style == "sleeveless":
        return
    off = garment.value("neckline") == "off-shoulder"
    for arm in arms:
        SLEEVES[style](work, arm, 0.17 if off else -0.03, ENDS[length] + (0.06 if off else 0))
        if not off:
            _armhole(work, arm)


def _armhole(work: Patchwork, arm: Arm) -> None:
    head = [(33.0, 71.5), (30.5, 80.0), (29.5, 89.0), (32.0, 98.0)]
    work.needle.stitched(curve([(x * arm.side, y) for x, y in head]), 1.5, 3 * arm.side)


def _width(at: float) -> float:
    return between(12.0, 8.2, min(1.0, max(0.0, at)))


def _tube(arm: Arm, start: float, end: float, outer: Width, inner: Width) -> list[Point]:
    steps = [between(start, end, k / 12) for k in range(13)]
    out = [arm.off(at, outer(at)) for at in steps]
    back = [arm.off(at, -inner(at)) for at in steps]
    if start < 0.1:
        # The sleeve head follows the shoulder instead of ending in a straight cut.
        head = [(30.0 * arm.side, 71.5), (36.0 * arm.side, 72.5)]
        return [*head, *out[1:], *reversed(back[2:]), (31.0 * arm.side, 97.0)]
    return [*out, *reversed(back)]


def _across(arm: Arm, at: float, outer: float, inner: float, bow: float = 2.0) -> list[Point]:
    lift = bow / 114
    middle = arm.off(at + lift, (outer - inner) / 2)
    return curve([arm.off(at, outer), middle, arm.off(at, -inner)])


def _set_in(work: Patchwork, arm: Arm, start: float, end: float) -> None:
    work.sew(_tube(arm, start, end, _width, _width), flat=True)
    wide = _width(end)
    work.needle.stitched(_across(arm, end - 0.05, wide, wide), 1.3, 3 * arm.side)


def _puff(work: Patchwork, arm: Arm, start: float, end: float) -> None:
    cap = min(end - 0.05, start + 0.34)

    def ball(at: float) -> float:
        part = min(1.0, max(0.0, (at - start) / (cap - start)))
        return _width(at) - 1 + 11 * math.pow(math.sin(math.pi * part), 0.7)

    def inner(at: float) -> float:
        return between(_width(at) - 1, ball(at), 0.45)

    if end > cap + 0.06:
        work.sew(_tube(arm, cap - 0.02, end, _width, _width), flat=True)
        wide = _width(end)
        work.needle.seam(_across(arm, end - 0.04, wide, wide), 1.2)
    else:
        work.sew(_tube(arm, cap - 0.02, end, lambda _: 11.0, lambda _: 11.0), flat=True)

    def details(needle: Needle) -> None:
        for out in (-6, -1, 4, 9):
            low = curve([arm.off(cap, out * 0.9), arm.off(cap - 0.07, out * 1.4)])
            needle.brush.line(low, needle.colours.ink, 1.5)
            top = [arm.off(start + 0.03, out * 0.8), arm.off(start + 0.11, out * 1.3)]
            needle.brush.line(top, needle.colours.ink, 1.5)

    work.sew(_tube(arm, start, cap, ball, inner), flat=True, details=details)
    wide = _width(cap) - 0.5
    work.needle.seam(_across(arm, cap, wide, wide, 1), 2.2)


def _bell(work: Patchwork, arm: Arm, start: float, end: float) -> None:
    knee = between(max(0.0, start), end, 0.42)

    def flared(at: float) -> float:
        part = max(0.0, (at - knee) / (end - knee))
        return _width(at) - 1 + (9 + 10 * (end - 0.1)) * math.pow(part, 1.25)

    def details(needle: Needle) -> None:
        wide = flared(end)
        for share in (-0.5, 0.0, 0.5):
            fold = [arm.off(knee + 0.05, share * 7), arm.off(end + 0.02, share * wide)]
            needle.brush.line(fold, needle.colours.ink, 1.5)

    wide = flared(end)
    tube = [*_tube(arm, start, end, flared, flared)]
    middle = len(tube) // 2
    tube[middle:middle] = [arm.off(end + 0.035, wide * 0.45), arm.off(end + 0.035, -wide * 0.45)]
    work.sew(tube, flat=True, details=details)
    work.brush.line(
        _across(arm, end - 0.045, flared(end - 0.04), flared(end - 0.04), 4),
        work.colours.trim_edge,
        3.2,
    )
    work.brush.line(
        _across(arm, end - 0.045, flared(end - 0.04), flared(end - 0.04), 4), work.colours.trim, 1.8
    )


def _flutter(work: Patchwork, arm: Arm, start: float, end: float) -> None:
    layers = 2 if end < 0.5 else 3 if end < 0.8 else 4
    top = max(0.0, start)
    for layer in range(layers - 1, -1, -1):
        low = between(top, end, (layer + 1) / layers)
        high = start if layer == 0 else between(top, end, layer / layers) - 0.04
        _frill(work, arm, high, low, layer)


def _frill(work: Patchwork, arm: Arm, high: float, low: float, layer: int) -> None:
    def wide(at: float) -> float:
        part = min(1.0, max(0.0, (at - high) / (low - high)))
        return _width(at) - 0.5 + 9.5 * part

    edge: list[Point] = []
    for k in range(25):
        out = between(wide(low) + 1, -wide(low) - 1, k / 24)
        edge.append(arm.off(low - 0.02 + 0.05 * abs(math.sin(k * math.pi / 8)), out))
    steps = [between(high, low, k / 6) for k in range(6)]
    sides = [arm.off(at, wide(at)) for at in steps], [arm.off(at, -wide(at)) for at in steps]
    piece = [*sides[0], *edge, *reversed(sides[1])]
    if high < 0.1:
        head = [(30.0 * arm.side, 71.5), (36.0 * arm.side, 72.5)]
        piece = [*head, *sides[0][2:], *edge, *reversed(sides[1][2:]), (31.0 * arm.side, 96.0)]

    def details(needle: Needle) -> None:
        for share in (-0.62, -0.2, 0.2, 0.62):
            fold = [arm.off(between(high, low, 0.35), share * 9), arm.off(low, share * wide(low))]
            needle.brush.line(fold, needle.colours.ink, 1.4)

    work.sew(piece, flat=True, tint=(work.colours.light, 0.12 * (layer % 2)), details=details)


def _cuffed(work: Patchwork, arm: Arm, start: float, end: float) -> None:
    def loose(at: float) -> float:
        return _width(at) + 1.2

    work.sew(_tube(arm, start, end - 0.05, loose, loose), flat=True)
    wide = _width(end) + 3
    low, high = end + 0.01, end - 0.115
    cuff = [arm.off(high, wide + 0.6), arm.off(low, wide), arm.off(low, -wide)]
    cuff.append(arm.off(high, -wide - 0.6))
    _banded(work, cuff, work.colours)
    work.brush.dot(arm.off((low + high) / 2, wide * 0.35), 2.3, work.colours.ink)


def _banded(work: Patchwork, band: list[Point], colours: Palette) -> None:
    work.brush.shape(band, colours.trim, colours.trim_edge, 1.5)


def _cold_shoulder(work: Patchwork, arm: Arm, start: float, end: float) -> None:
    work.sew(_tube(arm, start, end, _width, _width), flat=True)
    centre = arm.off(0.115, 3.2)
    (_, _), (across, down) = arm.along(0.1)
    hole = oval(
        centre, 7.4, 12.5, math.atan2(down, across) if arm.side > 0 else math.atan2(-down, -across)
    )
    work.brush.fill(hole, work.colours.skin)
    work.needle.seam([*hole, hole[0]], 1.8)
    wide = _width(end)
    work.needle.stitched(_across(arm, end - 0.05, wide, wide), 1.3, 3 * arm.side)


SLEEVES: dict[str, Callable[[Patchwork, Arm, float, float], None]] = {
    "set-in": _set_in,
    "puff": _puff,
    "bell": _bell,
    "flutter": _flutter,
    "cuffed": _cuffed,
    "cold-shoulder": _cold_shoulder,
}
