"""Masks of objects as COCO's compressed run-length encoding, whatever a source writes."""

from typing import Any

import numpy as np
import numpy.typing as npt
from pycocotools import mask as coco_mask

Mask = npt.NDArray[np.uint8]  # (height, width), 1 where the object is


def encode(mask: Mask) -> str:
    """Return the compressed RLE of a mask as ASCII text."""
    rle = coco_mask.encode(np.asfortranarray(mask))
    counts: bytes = rle["counts"]
    return counts.decode("ascii")


def decode(counts: str, width: int, height: int) -> Mask:
    """Return the mask of a compressed RLE for a picture of this size."""
    mask: Mask = coco_mask.decode({"size": [height, width], "counts": counts.encode("ascii")})
    return mask


def mask_area(counts: str, width: int, height: int) -> int:
    """Return the number of pixels of a mask."""
    return int(coco_mask.area({"size": [height, width], "counts": counts.encode("ascii")}))


def from_polygons(polygons: list[list[float]], width: int, height: int) -> str:
    """Return the RLE of the union of polygons [x1, y1, x2, y2, …] in pixels."""
    rles = coco_mask.frPyObjects(polygons, height, width)
    counts: bytes = coco_mask.merge(rles)["counts"]
    return counts.decode("ascii")


def from_counts(counts: list[int], width: int, height: int) -> str:
    """Return the compressed RLE of an uncompressed one (column by column, zeros first)."""
    rle: dict[str, Any] = coco_mask.frPyObjects(
        {"size": [height, width], "counts": counts}, height, width
    )
    packed: bytes = rle["counts"]
    return packed.decode("ascii")


def turn_mask(mask: Mask, orientation: int) -> Mask:
    """Return a mask turned as its picture was; ``orientation`` is EXIF's, 1 to 8."""
    turned = {
        1: lambda: mask,
        2: lambda: mask[:, ::-1],
        3: lambda: mask[::-1, ::-1],
        4: lambda: mask[::-1],
        5: lambda: mask.T,
        6: lambda: np.rot90(mask, 3),
        7: lambda: mask[::-1, ::-1].T,
        8: lambda: np.rot90(mask, 1),
    }[orientation]()
    return np.ascontiguousarray(turned)
