"""Drawing a garment of the sample catalog on a figure."""

import numpy as np
from PIL import Image

from builders.sample.backdrop import backdrop
from builders.sample.bodices import sew_band, sew_bodice
from builders.sample.body import Pose, draw_arm, draw_body, draw_legs, pose
from builders.sample.brush import Brush, Frame
from builders.sample.chance import Chance
from builders.sample.cloth import weave
from builders.sample.folds import fold, sheen_flat
from builders.sample.garments import Garment
from builders.sample.outline import outline
from builders.sample.palette import Palette, palette
from builders.sample.patchwork import Patchwork
from builders.sample.skirts import draw_lining, sew_skirt
from builders.sample.sleeves import sew_sleeves
from builders.sample.trims import sew_front, sew_waist

SUPERSAMPLING = 2
# scale range of the figure; short dresses may crop the feet and so come closer
ZOOM = {"mini": (0.94, 1.2), "knee": (0.94, 1.12), "midi": (0.92, 1.04), "maxi": (0.9, 1.0)}


def draw(garment: Garment, seed: int, size: tuple[int, int] = (288, 384)) -> Image.Image:
    """Draw a garment worn by a figure.

    The garment fixes everything that its attributes name; the seed fixes the rest: background,
    pose, position, scale, skin, hair, shades and a light noise.

    Args:
        garment: What to draw.
        seed: Any whole number; the same garment, seed and size give the same pixels.
        size: Width and height in pixels, at least 32 each; details need some 128 in height.

    Returns:
        An RGB picture of that size.

    Raises:
        ValueError: If a side is shorter than 32 pixels.
    """
    if min(size) < 32:
        raise ValueError(f"a picture needs at least 32 x 32 pixels: {size}")
    chance = Chance(key=f"picture:{seed}")
    colours = palette(garment.value("colour"), chance)
    frame = _frame(garment, chance, size)
    scene = backdrop(chance, colours, frame)
    draw_figure(scene, garment, chance, colours, frame)
    return grained(scene.resize(size, Image.Resampling.BOX), chance)


def draw_figure(
    scene: Image.Image, garment: Garment, chance: Chance, colours: Palette, frame: Frame
) -> None:
    """Draw a figure in a garment over what a picture shows; the chance fixes how it stands."""
    posed, shape = _pose(garment, chance), outline(garment)
    brush = Brush(image=scene, frame=frame)
    draw_lining(brush, garment, shape, colours)
    draw_legs(brush, posed, colours)
    draw_body(brush, posed, colours)
    flat = weave(garment.value("print"), garment.value("fabric"), colours, frame)
    work = Patchwork(
        scene=scene,
        cloth=fold(flat, garment, shape, frame),
        flat=sheen_flat(flat, garment, frame),
        frame=frame,
        colours=colours,
        topstitch=garment.value("fabric") == "denim",
    )
    sew_skirt(work, garment, shape)
    sew_bodice(work, garment, shape)
    sew_front(work, garment, shape)
    sew_waist(work, garment, shape)
    for arm in posed.arms:
        # Hands hang in front of wide skirts, as the sleeves do.
        draw_arm(brush, arm, colours, 0.42)
    sew_sleeves(work, garment, posed.arms)
    if garment.value("neckline") == "off-shoulder":
        sew_band(work)


def grained(picture: Image.Image, chance: Chance) -> Image.Image:
    """Return a picture with a light noise, as cameras make it."""
    wide, high = picture.size
    grain = np.frombuffer(chance.noise("grain", wide * high), dtype=np.uint8).reshape(high, wide, 1)
    strength = chance.below("strength", 4)
    speckle = (grain.astype(np.int16) - 128) * strength // 64
    noisy = np.clip(np.asarray(picture, dtype=np.int16) + speckle, 0, 255)
    return Image.fromarray(noisy.astype(np.uint8))


def _frame(garment: Garment, chance: Chance, size: tuple[int, int]) -> Frame:
    wide, high = size[0] * SUPERSAMPLING, size[1] * SUPERSAMPLING
    zoom = chance.between("zoom", *ZOOM[garment.value("garment length")])
    scale = min(wide / 288, high / 384) * zoom
    # Enlarged figures keep their head in the picture and lose their feet at its lower edge.
    spare = max(0.0, high - 380 * scale)
    top = spare * chance.between("top", 0.2, 0.8) + 365 * scale
    return Frame(
        size=(wide, high),
        scale=scale,
        lean=chance.between("lean", -0.05, 0.05),
        left=wide / 2 + scale * chance.between("left", -14, 14),
        top=top,
    )


def _pose(garment: Garment, chance: Chance) -> Pose:
    # A wide sleeve over a bent arm would hide the waist.
    plain = garment.value("sleeve length") in ("sleeveless", "short")
    return pose(chance, free=plain and garment.value("skirt") != "circle")
