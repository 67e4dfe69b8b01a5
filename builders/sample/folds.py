"""Light and shadow on the cloth of bodice and skirt."""

from PIL import Image, ImageChops, ImageFilter

from builders.sample.brush import Brush, Frame, Point, between, curve, mirror
from builders.sample.garments import Garment
from builders.sample.outline import WAIST, Outline, wrap_edges

COARSE = 4


def fold(cloth: Image.Image, garment: Garment, shape: Outline, frame: Frame) -> Image.Image:
    """Return the cloth with the shadows, and for satin the sheen, of the garment's folds."""
    soft = _soft(shape, frame)
    hard = _hard(garment, shape, frame)
    shade = ImageChops.multiply(soft, hard)
    folded = ImageChops.multiply(cloth, Image.merge("RGB", (shade, shade, shade)))
    if garment.value("fabric") == "satin":
        folded.paste((255, 255, 255), (0, 0), _sheen(shape, frame))
    return folded


def sheen_flat(cloth: Image.Image, garment: Garment, frame: Frame) -> Image.Image:
    """Return the cloth for sleeves and trims, which shine in slanted bands if it is satin."""
    if garment.value("fabric") != "satin":
        return cloth
    coarse = frame.reduced(COARSE)
    map_ = Image.new("L", coarse.size, 0)
    brush = Brush(image=map_, frame=coarse)
    for k in range(-8, 9):
        brush.line([(k * 22.0 + 40, 40.0), (k * 22.0 - 20, 380.0)], 150, 6)
    shiny = cloth.copy()
    shiny.paste((255, 255, 255), (0, 0), _grown(map_, 0.8, frame))
    return shiny


def _grown(small: Image.Image, blur: float, frame: Frame) -> Image.Image:
    smooth = small.filter(ImageFilter.GaussianBlur(blur * frame.scale / 2))
    return smooth.resize(frame.size, Image.Resampling.BILINEAR)


def _soft(shape: Outline, frame: Frame) -> Image.Image:
    coarse = frame.reduced(COARSE)
    small = Image.new("L", coarse.size, 255)
    brush = Brush(image=small, frame=coarse)
    side = [(shape.half(y), y) for y in range(96, round(shape.seam), 5)]
    for edge in (side, mirror(side), shape.right, mirror(shape.right)):
        brush.line(edge, 165, 15)
    brush.line(curve([(-26, 112), (-13, 119), (0, 114), (13, 119), (26, 112)]), 205, 6)
    brush.line([(-30, shape.seam + 4), (30, shape.seam + 4)], 190, 7)
    for at in (-0.55, -0.1, 0.35):
        ray: list[Point] = [(shape.half(y) * at, y) for y in (shape.seam + 14, shape.hem)]
        brush.line(ray, 208, 5)
    return _grown(small, 2.4, frame)


def _hard(garment: Garment, shape: Outline, frame: Frame) -> Image.Image:
    full = Image.new("L", frame.size, 255)
    brush = Brush(image=full, frame=frame)
    if garment.value("skirt") in SKIRTS:
        SKIRTS[garment.value("skirt")](brush, shape)
    if garment.value("front") == "wrap front":
        upper, lower = wrap_edges(garment, shape)
        # The layer below, on the left of both edges, lies in the shadow of the one above.
        brush.fill([*upper, (-40, WAIST), (-40, 62), (upper[0][0], 62)], 198)
        brush.fill([*lower, (lower[-1][0], 372), (-120, 372), (-40, WAIST)], 198)
        for edge in (upper, lower):
            brush.line([(x - 4, y + 1) for x, y in edge], 158, 7)
    if garment.value("bodice") == "princess seams":
        line = curve([(38, 86), (24, 96), (17.5, 112), (14, 130), (12.5, shape.seam)])
        panel = [*line, (40, shape.seam)]
        for part in (panel, mirror(panel)):
            brush.fill(part, 178)
    return full


def _pleats(brush: Brush, shape: Outline) -> None:
    for k in range(-6, 6):
        brush.fill(_wedge(shape, (k + 0.5) / 5.5, (k + 1) / 5.5), 178)


def _waves(brush: Brush, shape: Outline) -> None:
    wide, top, low = shape.right[-1][0], shape.seam + 12, shape.hem + 8
    for at in (-0.83, -0.5, -0.17, 0.17, 0.5, 0.83):
        tip: Point = (shape.half(top) * at, top)
        brush.fill([tip, (wide * (at - 0.09), low), (wide * at, low)], 180)


def _steps(brush: Brush, shape: Outline) -> None:
    for index in (1, 2):
        wide, top = shape.right[2 * index]
        band = [(-wide - 9, top - 4), (wide + 9, top - 4), (wide + 9, top + 8), (0, top + 14)]
        brush.fill([*band, (-wide - 9, top + 8)], 190)


SKIRTS = {"pleated": _pleats, "circle": _waves, "tiered": _steps}


def _wedge(shape: Outline, left: float, right: float) -> list[Point]:
    heights = [between(shape.seam, shape.hem + 8, k / 6) for k in range(7)]
    one = [(shape.half(y) * left, y) for y in heights]
    return [*one, *[(shape.half(y) * right, y) for y in reversed(heights)]]


def _sheen(shape: Outline, frame: Frame) -> Image.Image:
    coarse = frame.reduced(COARSE)
    small = Image.new("L", coarse.size, 0)
    brush = Brush(image=small, frame=coarse)
    for at, strength, width in ((-0.52, 215, 8.0), (0.18, 150, 5.0), (0.62, 190, 6.5)):
        streak = [
            (shape.half(y) * at + (2.5 if k % 2 else -2.5), y)
            for k, y in enumerate(
                between(shape.seam + 8, shape.hem - 6, part / 5) for part in range(6)
            )
        ]
        brush.line(curve(streak), strength, width)
    for x, low in ((-17, 122), (15, 120), (-9, 138)):
        brush.line([(x - 3, low - 18), (x + 2, low)], 200, 6)
    return _grown(small, 0.9, frame)
