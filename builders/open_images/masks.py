"""Masks of Open Images: PNG files in the frame of the stored pixels, at any scale."""

import io
import warnings
from pathlib import Path

import numpy as np
from PIL import Image

from benchwright.errors import PictureError
from benchwright.pictures import MAX_PIXELS, load_file
from builders.masks import Mask


def read_mask(path: Path, size: tuple[int, int]) -> tuple[Mask, bool]:
    """Read a mask for stored pixels of ``size`` (width, height); anything not black is in it.

    Masks were drawn on smaller copies of the pictures, so one of another size is scaled without
    smoothing; the second value tells whether it was. Raises PictureError with the reason
    ``broken_mask``, ``empty_mask`` or what reading a file gives.
    """
    data = load_file(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=("PNG",)) as image:
                if image.width * image.height > MAX_PIXELS:
                    raise PictureError("broken_mask", f"{path.name}: too many pixels for a mask")
                image.load()
                grey = image if image.mode in ("1", "L", "I", "I;16") else image.convert("L")
                scaled = grey.size != size
                samples = np.asarray(
                    grey.resize(size, Image.Resampling.NEAREST) if scaled else grey
                )
    except (PictureError, MemoryError):
        raise
    except Exception as error:  # Pillow's plugins raise anything on broken files
        raise PictureError(
            "broken_mask", f"{path.name}: cannot be read as PNG ({type(error).__name__})"
        ) from error
    mask: Mask = (samples > 0).astype(np.uint8)
    if not mask.any():
        raise PictureError("empty_mask", f"{path.name}: no pixel of it is set")
    return mask, scaled
