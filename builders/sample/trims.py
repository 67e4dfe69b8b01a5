"""The front closure and the waist of a garment."""

from builders.sample.brush import Point, between, curve
from builders.sample.garments import Garment
from builders.sample.outline import WAIST, Outline, wrap_edges
from builders.sample.palette import mix
from builders.sample.patchwork import Patchwork

METAL = (212, 214, 220)
GOLD = (228, 184, 84)


def sew_front(work: Patchwork, garment: Garment, shape: Outline) -> None:
    """Sew on the front closure, from the neckline downwards."""
    front = garment.value("front")
    top = shape.dip + 3
    if garment.value("neckline") == "off-shoulder":
        top = 106.0
    if front == "button front":
        _buttons(work, shape, top)
    elif front == "double-breasted":
        _double(work, shape, top)
    elif front == "wrap front":
        _wrap(work, garment, shape)
    elif front == "zip front":
        _zip(work, top)
    elif front == "lace-up front":
        _laces(work, top)


def _buttons(work: Patchwork, shape: Outline, top: float) -> None:
    low = shape.bottom(0.0)
    for side in (-1, 1):
        work.needle.stitched([(5.5 * side, top - 2), (5.5 * side, low - 1)], 1.3, 0)
    y = top + 4.5
    while y < low - 5:
        work.brush.dot((0, y), 3.5, work.colours.trim, work.colours.trim_edge)
        work.brush.dot((0, y), 0.9, work.colours.trim_edge)
        y += 12.5


def _double(work: Patchwork, shape: Outline, top: float) -> None:
    low = shape.bottom(13.0)
    work.needle.stitched([(0.0, top - 3), (16.0, max(top + 8, 106.0)), (16.0, low - 1)], 1.8, 3)
    for y in (112.0, 129.0, 164.0, 181.0):
        for x in (-9.5, 9.5):
            work.brush.dot((x, y), 4.3, work.colours.trim, work.colours.trim_edge)
            work.brush.dot((x, y), 1.2, work.colours.trim_edge)


def _wrap(work: Patchwork, garment: Garment, shape: Outline) -> None:
    upper, lower = wrap_edges(garment, shape)
    # Drapes say "wrap" on a plain bodice and would only clutter any other.
    plain = garment.value("bodice") in ("plain bodice", "princess seams")
    for end in ((3.0, 119.0), (10.0, 128.0), (14.0, 138.0)) if plain else ():
        drape = curve([(-20, WAIST - 2), (end[0] - 10, end[1] + 8), end])
        work.needle.seam(drape, 1.3)
    for line in (upper, lower):
        work.brush.line(line, work.colours.edge, 5.6)
        work.brush.line(line, work.colours.binding, 3.0)


def _zip(work: Patchwork, top: float) -> None:
    low = max(WAIST + 38, top + 70)
    work.brush.line([(0, top), (0, low)], work.colours.trim_edge, 8.2)
    work.brush.line([(0, top), (0, low)], METAL, 6.0)
    y = top + 1
    while y < low:
        work.brush.line([(-2.6, y), (2.6, y)], (72, 74, 84), 1.6)
        y += 4.2
    pull: list[Point] = [(-3.4, top + 8), (3.4, top + 8), (4.4, top + 20), (-4.4, top + 20)]
    work.brush.shape(pull, GOLD, (90, 60, 20), 1.5)
    work.brush.dot((0, top + 16.5), 1.7, (90, 60, 20))


def _laces(work: Patchwork, top: float) -> None:
    low = WAIST - 4
    rows = max(3, round((low - top) / 10))
    step = (low - top) / rows
    gap: list[Point] = [(-6, top - 1), (6, top - 1), (3.5, low + 2), (-3.5, low + 2)]
    work.brush.shape(gap, work.colours.skin, work.colours.edge, 1.8)
    for k in range(rows):
        y = top + k * step + 1
        for side in (-1, 1):
            cord: list[Point] = [(-8.5 * side, y), (8.5 * side, y + step)]
            work.brush.line(cord, work.colours.trim_edge, 3.4)
            work.brush.line(cord, work.colours.trim, 1.9)
    for k in range(rows + 1):
        for side in (-1, 1):
            eyelet = (8.5 * side, top + k * step + 1)
            work.brush.dot(eyelet, 2.2, GOLD, work.colours.trim_edge)
    _bow(work, (0.0, low + 4), 0.62)


def sew_waist(work: Patchwork, garment: Garment, shape: Outline) -> None:
    """Sew on the seam, belt, elastic or sash that marks the waist."""
    waist = garment.value("waist")
    if waist == "belted":
        _belt(work, shape)
    elif waist == "bow sash":
        _sash(work, shape)
    elif waist == "elastic waist":
        _elastic(work, shape)
    else:
        _seamed(work, shape, 2.6 if waist == "natural waist seam" else 7.5)


def _belt(work: Patchwork, shape: Outline) -> None:
    leather = (122, 74, 42) if sum(work.colours.trim) > 500 else (70, 44, 32)
    dark = mix(leather, (0, 0, 0), 0.55)
    wide, high = shape.half(WAIST) + 1.5, 6.5
    work.brush.shape(_strip(wide, WAIST, high), leather, dark, 1.7)
    for y in (WAIST - 4, WAIST + 4):
        work.brush.line([(-wide + 2, y), (wide - 2, y)], mix(leather, (255, 230, 200), 0.45), 0.9)
    buckle: list[Point] = [(-9, WAIST - 8.5), (9, WAIST - 8.5), (9, WAIST + 8.5), (-9, WAIST + 8.5)]
    work.brush.ring(buckle, dark, 5.2)
    work.brush.ring(buckle, GOLD, 3.2)
    work.brush.line([(0, WAIST), (9, WAIST)], GOLD, 2.4)


def _strip(wide: float, y: float, half: float) -> list[Point]:
    return [(-wide, y - half), (wide, y - half), (wide, y + half), (-wide, y + half)]


def _sash(work: Patchwork, shape: Outline) -> None:
    wide = shape.half(WAIST) + 1.5
    ribbon = work.colours.trim
    work.brush.shape(_strip(wide, WAIST, 6), ribbon, work.colours.trim_edge, 1.6)
    work.brush.line([(-wide, WAIST - 1), (wide, WAIST + 2)], work.colours.trim_edge, 0.9)
    for foot in ((9.0, 196.0), (24.0, 192.0)):
        tail: list[Point] = [(11, 146), (17, 146), (foot[0] + 6, foot[1]), (foot[0], foot[1] - 5)]
        tail.append((foot[0] - 5, foot[1] + 1))
        work.brush.shape(tail, ribbon, work.colours.trim_edge, 1.5)
    _bow(work, (14.0, WAIST), 1.2)


def _bow(work: Patchwork, centre: Point, size: float) -> None:
    loop = [(0, 0), (8, -8), (17, -10), (19, -2), (17, 7), (8, 5), (0, 0)]
    for side in (-1, 1):
        placed = [(centre[0] + x * size * side, centre[1] + y * size) for x, y in curve(loop)]
        work.brush.shape(placed, work.colours.trim, work.colours.trim_edge, 1.5)
        fold = [(3, 0), (12, -2)]
        line = [(centre[0] + x * size * side, centre[1] + y * size) for x, y in fold]
        work.brush.line(line, work.colours.trim_edge, 1.2)
    work.brush.dot(centre, 4.2 * size, work.colours.trim, work.colours.trim_edge)


def _elastic(work: Patchwork, shape: Outline) -> None:
    wide, high = shape.half(WAIST) + 1, 8.0
    crest: list[Point] = []
    for k in range(25):
        x = between(-wide, wide, k / 24)
        crest.append((x, WAIST - high - (2.6 if k % 2 else 0)))
    band = [*crest, *[(x, 2 * WAIST - y) for x, y in reversed(crest)]]
    work.sew(band, flat=True, tint=(work.colours.base, 0.55))
    for k in range(13):
        x = between(-wide + 1.5, wide - 1.5, k / 12)
        work.needle.seam([(x, WAIST - high), (x, WAIST + high)], 1.5)
    for y in (WAIST - high, WAIST + high):
        work.needle.seam([(-wide, y), (wide, y)], 1.6)


def _seamed(work: Patchwork, shape: Outline, width: float) -> None:
    wide, y = shape.half(shape.seam), shape.seam
    line = curve([(-wide, y), (0, y + 2.5), (wide, y)])
    if width < 3:
        work.needle.stitched(line, width, -3)
        return
    half = width / 2
    band = [(x, y - half) for x, y in line] + [(x, y + half) for x, y in reversed(line)]
    work.brush.shape(band, work.colours.binding, work.colours.edge, 1.5)
