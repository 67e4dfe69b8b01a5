"""Pictures that are drawn by arithmetic, the same on every machine, for the self-test."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image

from benchwright.colour_names import ColourName

_Reals = npt.NDArray[np.float64]
_Paint = Callable[[_Reals, _Reals], tuple[_Reals, _Reals, _Reals]]

# not the tones of benchwright/asking/eyesight/drawing.py: how many of these a model must know was
# set by what models make of these very pictures
COLOURS: Mapping[ColourName, tuple[int, int, int]] = {
    "red": (220, 20, 30),
    "green": (20, 150, 50),
    "blue": (25, 60, 210),
    "yellow": (250, 225, 20),
    "orange": (250, 130, 10),
    "purple": (120, 30, 150),
    "black": (8, 8, 8),
    "white": (250, 250, 250),
}
WORDINGS = ("{}", "the colour {}", "a plain {} picture", "a photo of something {}")
_SIDE = 224
_GREY = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class Coloured:
    """A picture in one colour, by its name."""

    colour: str
    picture: Image.Image


def coloured() -> Iterator[Coloured]:
    """Yield each colour three times: all over, as a disc and as a square on grey."""
    down, across = np.mgrid[:_SIDE, :_SIDE] - (_SIDE - 1) / 2
    everywhere = np.ones((_SIDE, _SIDE), bool)
    disc = np.hypot(down, across) < _SIDE * 0.4
    square = np.maximum(np.abs(down), np.abs(across)) < _SIDE * 0.35
    for colour, levels in COLOURS.items():
        for inside in (everywhere, disc, square):
            pixels = np.full((_SIDE, _SIDE, 3), _GREY, np.uint8)
            pixels[inside] = levels
            yield Coloured(colour=colour, picture=Image.fromarray(pixels))


def cards() -> Mapping[str, Image.Image]:
    """Return pictures by name that no wrong preprocessing leaves alike.

    They differ in shape, and have neither a symmetry nor two channels alike, so that a swapped
    channel, a mirror image, another crop, mean or activation shows in the embedding.
    """
    return {
        "slope": _drawn(240, 160, lambda y, x: (255 * x, 255 * y, 255 * (1 - x * y))),
        "waves": _drawn(
            200,
            300,
            lambda y, x: (
                127 + 120 * np.sin(9 * x + 2 * y),
                127 + 120 * np.sin(23 * y),
                90 + 80 * np.sin(31 * x * y),
            ),
        ),
        "blocks": _drawn(
            256,
            256,
            lambda y, x: (
                255 * (np.floor(7 * x) % 2),
                200 * (np.floor(3 * y + 2 * x) % 2),
                255 * (np.floor(11 * x * y) % 2),
            ),
        ),
        "spot": _drawn(
            180,
            180,
            lambda y, x: (
                230 * np.exp(-30 * ((x - 0.3) ** 2 + (y - 0.6) ** 2)),
                40 + 0 * x,
                250 * np.exp(-8 * ((x - 0.7) ** 2 + (y - 0.2) ** 2)),
            ),
        ),
    }


def _drawn(height: int, width: int, paint: _Paint) -> Image.Image:
    down, across = np.mgrid[:height, :width]
    levels = np.stack(paint(down / (height - 1), across / (width - 1)), axis=-1)
    return Image.fromarray(np.clip(np.rint(levels), 0, 255).astype(np.uint8))
