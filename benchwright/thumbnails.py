"""Pictures of the catalog made small, for contact sheets and for pages that hold all they show."""

import base64
import io
from pathlib import Path

from PIL import Image

from benchwright.pictures import stored_bytes


def read_stored(path: Path) -> Image.Image:
    """Read a picture of the catalog; raises LostPicture when it is gone or another."""
    return Image.open(io.BytesIO(stored_bytes(path)))


def thumbnail(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    """Return the picture within ``size``, its proportions kept, never enlarged."""
    small = picture.convert("RGB")
    small.thumbnail(size, Image.Resampling.LANCZOS)
    return small


def thumbnail_uri(path: Path, size: tuple[int, int]) -> str:
    """Return a picture of the catalog within ``size`` as a data URI; raises as ``read_stored``."""
    with read_stored(path) as picture:
        small = thumbnail(picture, size)
    data = io.BytesIO()
    small.save(data, "JPEG", quality=82)
    return "data:image/jpeg;base64," + base64.b64encode(data.getvalue()).decode()
