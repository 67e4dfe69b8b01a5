"""Drawings to learn from, and what they show: the sample's own garments, drawn evenly."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
from PIL import Image

from benchwright import seeds
from benchwright.pictures import read_pixels
from benchwright.progress import Progress
from benchwright.workers import pool
from builders.sample.build import Drawing, draw_picture
from builders.sample.garments import TYPES, Garment, even_garments

# (type, value) in the order of the sample's types
VALUES: tuple[tuple[str, str], ...] = tuple(
    (kind, value) for kind, values in TYPES.items() for value in values
)

_BATCH = 32  # drawings that a worker is given at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """Pictures as uint8 (n, side, side, 3), squashed, and their truth (n, values)."""

    pictures: npt.NDArray[np.uint8]
    truth: npt.NDArray[np.bool_]


def draw_corpus(n: int, side: int, seed: int, progress: Progress) -> Corpus:
    """Draw n garments, by all cores, as JPEG files would show them.

    The pictures of a seed are of no sample catalog: garments and backgrounds are drawn from other
    chances.
    """
    drawings = [
        Drawing(garment=garment, seed=seeds.draw(seed, "small clip", str(index)))
        for index, garment in enumerate(even_garments(n, seed))
    ]
    pictures = np.empty((n, side, side, 3), np.uint8)
    with pool() as workers:
        made = workers.map_ordered(partial(_pixels, side=side), drawings, batch=_BATCH)
        for at, pixels in enumerate(progress("drawings", n)(made)):
            pictures[at] = pixels
    truth = np.array([_truth(drawing.garment) for drawing in drawings], bool)
    return Corpus(pictures=pictures, truth=truth)


def _pixels(drawing: Drawing, *, side: int) -> npt.NDArray[np.uint8]:
    _, image = read_pixels(draw_picture(drawing).data)
    return np.asarray(image.resize((side, side), Image.Resampling.BICUBIC))


def _truth(garment: Garment) -> Sequence[bool]:
    shown = dict(garment.values)
    return [shown[kind] == value for kind, value in VALUES]
