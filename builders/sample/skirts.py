"""The skirt of a garment and its hem."""

import math

from builders.sample.brush import Brush, Point, between, curve
from builders.sample.garments import Garment
from builders.sample.outline import TRIMS, Outline, tiers
from builders.sample.palette import Palette, mix
from builders.sample.patchwork import Needle, Patchwork


def draw_lining(brush: Brush, garment: Garment, shape: Outline, colours: Palette) -> None:
    """Draw the longer back of a high-low hem, which shows behind the legs."""
    if garment.value("hem") != "high-low hem":
        return
    wide, edge = shape.right[-1]
    drop = min(28.0, 364 - edge)
    back: list[Point] = [(-wide, edge), (-wide * 0.6, edge + 0.7 * drop), (0, edge + drop)]
    back += [(wide * 0.6, edge + 0.7 * drop), (wide, edge)]
    inside = mix(colours.base, colours.shadow, 0.85)
    if sum(colours.base) < 200:
        inside = mix(colours.base, (255, 255, 255), 0.3)
    top = max(shape.seam, edge - 60)
    inner = max(0.0, shape.half(top) - 6)
    brush.shape([*curve(back), (inner, top), (-inner, top)], inside, colours.edge, 1.6)
    for at in (-0.62, -0.25, 0.2, 0.6):
        fold = [(wide * at, edge + 0.8 * drop), (wide * at * 0.8, edge - 40)]
        brush.line(fold, mix(inside, (0, 0, 0), 0.3), 1.5)


def sew_skirt(work: Patchwork, garment: Garment, shape: Outline) -> None:
    """Sew on the skirt and its hem."""
    style, hem = garment.value("skirt"), garment.value("hem")
    slit = _slit(shape) if style == "side slit" else None
    _trim(work, hem, shape, slit)

    def details(needle: Needle) -> None:
        _construction(needle, style, shape)
        _hem_seam(needle, hem, shape)

    if style == "tiered":
        _sew_tiers(work, shape, details)
    else:
        work.sew(shape.skirt, cut=slit, details=details)
    if slit:
        work.needle.stitched(curve([(12, shape.seam + 3), (15.5, slit[0][1] - 16), slit[0]]), 1.3)


def _slit(shape: Outline) -> list[Point]:
    apex = max(190.0, between(shape.seam + 16, shape.hem, 0.26))
    apex = max(shape.seam + 12, min(apex, shape.bottom(17.0) - 34))
    wide = shape.right[-1][0]
    return [
        *curve([(17, apex), (15.5, between(apex, shape.hem, 0.5)), (11, shape.hem + 34)]),
        (wide - 6, shape.hem + 34),
        *curve([(wide - 7, shape.hem), (25, between(apex, shape.hem, 0.45)), (17, apex)]),
    ]


def _construction(needle: Needle, style: str, shape: Outline) -> None:
    top, ink = shape.seam, needle.colours.ink
    if style == "pleated":
        for k in range(-5, 6):
            needle.seam(_ray(shape, k / 5.5), 1.5)
    elif style == "circle":
        for at in (-0.83, -0.5, -0.17, 0.17, 0.5, 0.83):
            fold = _ray(shape, at)
            needle.brush.line(fold[3:], ink, 1.6)
    elif style == "a-line":
        for at in (-0.45, 0.45):
            needle.stitched(_ray(shape, at), 1.3)
    elif style == "pencil":
        for side in (-1, 1):
            dart: list[Point] = [(10 * side, top), (14 * side, top + 9), (15 * side, top + 24)]
            needle.seam(curve(dart), 1.6)


def _ray(shape: Outline, at: float) -> list[Point]:
    points: list[Point] = []
    for k in range(11):
        y = between(shape.seam, shape.hem + 6, k / 10)
        points.append((shape.half(y) * at, y))
    return points


def _sew_tiers(work: Patchwork, shape: Outline, details: object) -> None:
    cuts = tiers(shape.seam, shape.right[-1][1])
    edges = shape.right
    for index in (2, 1, 0):
        (top_wide, top), (low_wide, low) = edges[2 * index], edges[2 * index + 1]
        lower = list(shape.lower) if index == 2 else _wavy(low_wide, low + 3)
        piece = [(-top_wide, top), (top_wide, top), (low_wide, low), *reversed(lower)]
        piece.append((-low_wide, low))

        def gathers(needle: Needle, tier: int = index) -> None:
            _gathers(needle, shape, cuts[tier], tier)
            if tier == 2 and callable(details):
                details(needle)

        work.sew(piece, details=gathers)
    for index in (1, 2):
        wide = edges[2 * index - 1][0]
        work.needle.stitched(_wavy(wide, edges[2 * index - 1][1] + 3), 1.8, 3)


def _wavy(wide: float, y: float) -> list[Point]:
    waves = max(4, round(wide / 7))
    points: list[Point] = []
    for k in range(waves * 6 + 1):
        x = 2 * k / (waves * 6) - 1
        points.append((x * wide, y + 4 * (1 - x * x) + 2.2 * math.cos(k * math.tau / 6)))
    return points


def _gathers(needle: Needle, shape: Outline, cut: tuple[float, float], tier: int) -> None:
    top, low = cut
    depth = min(16.0, 0.6 * (low - top))
    count = 7 + 2 * tier
    start = top + (6 if tier else 0)
    for k in range(count):
        at = (k + 0.5) / count * 2 - 1
        sag = 4 * (1 - at * at)
        reach = depth * (1.0 if k % 2 else 0.65)
        wide = shape.half(top + 0.1)
        crease = [(wide * at, start + sag), (wide * at * 1.07, start + sag + reach)]
        needle.brush.line(crease, needle.colours.ink, 1.4)


def _hem_seam(needle: Needle, hem: str, shape: Outline) -> None:
    lower = list(shape.lower)
    if hem == "straight hem":
        needle.stitched([(x, y - 7) for x, y in lower], 1.5, 3)
    elif hem == "high-low hem":
        needle.stitched([(x, y - 6) for x, y in lower], 1.3, 3)
    elif hem == "handkerchief hem":
        needle.stitched([(x * 0.97, y - 7) for x, y in lower], 1.3, 3)
    elif hem == "scalloped hem":
        needle.brush.line([(x, y - 4.4) for x, y in lower], needle.colours.trim_edge, 3.4)
        needle.brush.line([(x, y - 4.4) for x, y in lower], needle.colours.trim, 2.0)


def _trim(work: Patchwork, hem: str, shape: Outline, slit: list[Point] | None) -> None:
    if hem == "ruffle hem":
        _ruffle(work, shape, slit)
    elif hem == "fringe hem":
        _fringe(work, shape, slit)


def _ruffle(work: Patchwork, shape: Outline, slit: list[Point] | None) -> None:
    height = TRIMS["ruffle hem"]
    upper = [(x, y - 5) for x, y in shape.lower]
    waves = max(5, round(shape.right[-1][0] / 6.5))
    lower: list[Point] = []
    for k in range(waves * 6 + 1):
        at = k / (waves * 6)
        x = between(-1, 1, at) * (shape.right[-1][0] + 6)
        lower.append((x, shape.bottom(x) + height - 1 + 3.2 * math.cos(k * math.tau / 6)))

    def details(needle: Needle) -> None:
        for k in range(waves * 2):
            at = (k + 0.5) / waves - 1
            x = at * shape.right[-1][0]
            y = shape.bottom(x)
            reach = 13 if k % 2 else 8
            crease = [(x, y), (x * 1.06, y + reach)]
            needle.brush.line(crease, needle.colours.ink, 1.5)

    tint = (work.colours.light, 0.4)
    work.sew([*upper, *reversed(lower)], flat=True, tint=tint, cut=slit, details=details)


def _fringe(work: Patchwork, shape: Outline, slit: list[Point] | None) -> None:
    brush, height = work.brush, TRIMS["fringe hem"]
    wide = shape.right[-1][0] - 1
    count = round(2 * wide / 4.6)
    for k in range(count + 1):
        x = between(-wide, wide, k / count)
        if slit and slit[0][0] - 4 < x < wide - 6:
            continue
        y = shape.bottom(x)
        strand = [(x, y - 2), (x * 1.02, y + height - 1 - (k % 3) * 1.5)]
        brush.line(strand, work.colours.edge, 3.8)
        brush.line(strand, work.colours.base if k % 2 else work.colours.light, 2.0)
