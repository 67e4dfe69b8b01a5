"""Masks of objects as COCO's compressed run-length encoding, whatever a source writes."""

from typing import Any

import numpy as np
import numpy.typing as npt
from pycocotools import mask as coco_mask

_MOST_BITS = 60  # of one run length

Mask = npt.NDArray[np.uint8]  # (height, width), 1 where the object is


def encode(mask: Mask) -> str:
    """Return the compressed RLE of a mask as ASCII text."""
    rle = coco_mask.encode(np.asfortranarray(mask))
    counts: bytes = rle["counts"]
    return counts.decode("ascii")


def unpack(counts: str) -> list[int]:
    """Return the run lengths of a compressed RLE: column by column, zeros first.

    Five bits a character, the lowest first, the sixth for "more follows"; from the fourth run on
    each is the difference to the one two before. Raises ValueError for what is no such text.
    """
    runs: list[int] = []
    value = shift = 0
    for character in counts:
        bits = ord(character) - 48
        if not 0 <= bits < 64 or shift > _MOST_BITS:
            raise ValueError(f"no compressed run lengths: {counts[:20]!r}")
        value |= (bits & 31) << shift
        shift += 5
        if bits & 32:
            continue
        if bits & 16:
            value -= 1 << shift
        if len(runs) > 2:
            value += runs[-2]
        runs.append(value)
        value = shift = 0
    if shift:
        raise ValueError(f"run lengths that break off: {counts[-20:]!r}")
    return runs


def decode(counts: str, width: int, height: int) -> Mask:
    """Return the mask of a compressed RLE for a picture of this size.

    Raises ValueError when its run lengths are not those of such a picture.
    """
    # not by pycocotools: its decoder writes past its memory when the lengths do not add up
    runs = unpack(counts)
    if min(runs, default=0) < 0 or sum(runs) != width * height:
        raise ValueError(f"run lengths that do not make {width} x {height} pixels")
    values = (np.arange(len(runs)) % 2).astype(np.uint8)
    return np.repeat(values, runs).reshape((height, width), order="F")


def mask_area(counts: str, width: int, height: int) -> int:
    """Return the number of pixels of a mask."""
    return int(coco_mask.area({"size": [height, width], "counts": counts.encode("ascii")}))


def from_counts(counts: list[int], width: int, height: int) -> str:
    """Return the compressed RLE of an uncompressed one (column by column, zeros first)."""
    rle: dict[str, Any] = coco_mask.frPyObjects(
        {"size": [height, width], "counts": counts}, height, width
    )
    packed: bytes = rle["counts"]
    return packed.decode("ascii")


def turn_mask(mask: Mask, orientation: int) -> Mask:
    """Return a mask turned as its picture was; ``orientation`` is EXIF's, 1 to 8."""
    turned: dict[int, Mask] = {  # all of them views: none costs anything but the one taken
        1: mask,
        2: mask[:, ::-1],
        3: mask[::-1, ::-1],
        4: mask[::-1],
        5: mask.T,
        6: np.rot90(mask, 3),
        7: mask[::-1, ::-1].T,
        8: np.rot90(mask, 1),
    }
    return np.ascontiguousarray(turned[orientation])
