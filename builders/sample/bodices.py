"""The bodice of a garment: its construction, and the edge of its neckline."""

from builders.sample.brush import Point, between, curve, mirror
from builders.sample.garments import Garment
from builders.sample.outline import Outline
from builders.sample.patchwork import Needle, Patchwork


def sew_bodice(work: Patchwork, garment: Garment, shape: Outline) -> None:
    """Sew on the bodice with its construction details."""
    construction = garment.value("bodice")

    def details(needle: Needle) -> None:
        if construction in DETAILS:
            DETAILS[construction](needle, shape)
        _neck_facing(needle, garment.value("neckline"), shape)

    work.sew(shape.bodice, details=details)
    _neck_band(work, garment.value("neckline"))
    for armhole in (shape.armhole, mirror(shape.armhole)):
        if garment.value("sleeve style") == "sleeveless" and len(armhole) > 2:
            work.brush.line(armhole, work.colours.edge, 1.3)


def sew_band(work: Patchwork) -> None:
    """Sew on the folded band of an off-shoulder neckline, over the sleeves."""
    upper = curve([(-48, 92), (-36, 86), (0, 90), (36, 86), (48, 92)])
    lower = curve([(47, 105), (34, 102), (0, 106), (-34, 102), (-47, 105)])

    def details(needle: Needle) -> None:
        for x in (-40, -27, -13, 3, 17, 31, 42):
            drape = curve([(x, 88), (x + 3, 96), (x + 1, 106)])
            needle.brush.line(drape, work.colours.ink, 1.1)

    work.sew([*upper, *lower], flat=True, tint=(work.colours.light, 0.3), details=details)
    work.needle.stitched(lower, 1.6)


def _neck_facing(needle: Needle, neckline: str, shape: Outline) -> None:
    if neckline in ("off-shoulder", "halter neck", "high neck"):
        return
    needle.brush.line(shape.neck, needle.colours.ink, 9.5)
    needle.brush.line(shape.neck, needle.colours.binding, 7.0)


def _neck_band(work: Patchwork, neckline: str) -> None:
    if neckline == "high neck":
        collar: list[Point] = [(-10.5, 51), (10.5, 51), (12.5, 66), (0, 69), (-12.5, 66)]
        _collar(work, collar, ((-11, 57), (0, 59.5), (11, 57)))
    elif neckline == "halter neck":
        collar = [(-9.5, 55), (9.5, 55), (13, 64), (0, 68), (-13, 64)]
        _collar(work, collar, ())


def _collar(work: Patchwork, collar: list[Point], fold: tuple[Point, ...]) -> None:
    work.sew(collar, flat=True, tint=(work.colours.light, 0.35))
    if fold:
        work.needle.seam(curve(fold), 1.1)


def _smocked(needle: Needle, shape: Outline) -> None:
    top, low, step = 80.0, shape.seam, 9.5
    count = round((low - top) / step)
    for row in range(count + 1):
        y = low - row * step
        for k in range(-5, 5):
            x = k * step + (step / 2 if row % 2 else 0)
            diamond: list[Point] = [(x, y), (x + step / 2, y - step), (x + step, y)]
            needle.seam(diamond, 1.2)
    for row in range(count + 1):
        for k in range(-5, 6):
            x = k * step + (step / 2 if row % 2 else 0)
            needle.brush.dot((x, low - row * step), 1.7, needle.colours.ink)


def _ruched(needle: Needle, shape: Outline) -> None:
    low = shape.seam
    for side in (-1, 1):
        for k in range(9):
            y = 76 + k * 8.6
            if y > low + 10:
                break
            crease = curve([(-1, y + 9.5), (9, y + 8.5), (20, y + 3), (38, y - 8)])
            crease = [(x * side, y) for x, y in crease]
            needle.brush.line([(x, y - 2.4) for x, y in crease], needle.colours.light, 1.8)
            needle.seam(crease, 1.7)


def _princess(needle: Needle, shape: Outline) -> None:
    for side in (-1, 1):
        line = curve([(38, 86), (24, 96), (17.5, 112), (14, 130), (12.5, shape.seam)])
        needle.stitched([(x * side, y) for x, y in line], 2.4, 3.4 * side)


def _corset(needle: Needle, shape: Outline) -> None:
    low = shape.seam
    for x in (-27.0, -16.5, -6.5, 6.5, 16.5, 27.0):
        narrow = between(1, shape.half(low) / 33, 1)
        bone: list[Point] = [(x, 111 - abs(x) * 0.5), (x * narrow, low)]
        needle.brush.line(bone, needle.colours.ink, 5.0)
        needle.brush.line(bone, needle.colours.light, 2.6)
    for side in (-1, 1):
        cup = curve([(0, 104), (6, 112), (17, 114), (27, 108), (33, 97)])
        needle.seam([(x * side, y) for x, y in cup], 2.2)
    needle.seam([(0, 92), (0, low)], 1.6)


def _pockets(needle: Needle, _shape: Outline) -> None:
    for side in (-1, 1):
        pouch: list[Point] = [(8.5, 107), (25.5, 107), (25.5, 122), (17, 126), (8.5, 122)]
        flap: list[Point] = [(7.5, 102), (26.5, 102), (26.5, 109), (17, 114.5), (7.5, 109)]
        for part in (pouch, flap):
            placed = [(x * side, y) for x, y in part]
            needle.brush.shape(placed, needle.colours.halo, needle.colours.ink, 1.7)
            inner = [(between(17, x, 0.76) * side, between(110, y, 0.76)) for x, y in part]
            needle.brush.fill(inner, needle.colours.base)
        needle.brush.dot((17 * side, 109.5), 2.4, needle.colours.trim, needle.colours.trim_edge)


DETAILS = {
    "smocked": _smocked,
    "ruched": _ruched,
    "princess seams": _princess,
    "corset": _corset,
    "chest pockets": _pockets,
}
