"""Pictures turned as the dataset says.

Boxes and masks of Open Images lie in the frame of the pixels as they are stored. Its column
Rotation says how far that frame is to be turned, counterclockwise; it was found by looking at the
EXIF orientation of the originals among other things. So where Rotation is known it is the whole
truth, and an EXIF orientation in the file is not applied on top of it. Where it is unknown the
EXIF orientation is undone as everywhere else. Either way ``Picture.orientation`` says, as an EXIF
code, how the stored frame was turned.
"""

import base64
import binascii
import hashlib
import io
from dataclasses import dataclass, replace
from pathlib import Path

from PIL import Image

from benchwright.errors import PictureError
from benchwright.pictures import TURNS, Picture, encode_png, read_file, read_picture

ORIENTATIONS = {0: 1, 90: 8, 180: 3, 270: 6}  # degrees counterclockwise, as EXIF codes
_INVERSE = {6: 8, 8: 6}  # the others undo themselves


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPicture:
    """A picture file and the Rotation of the dataset, null where it is unknown."""

    path: Path
    rotation: int | None


def read_stored(stored: StoredPicture) -> Picture:
    """Read and turn one picture file; raises PictureError."""
    return _turned_as(read_file(stored.path), stored.rotation)


def read_turned(data: bytes, rotation: int | None) -> Picture:
    """Decode a picture and turn it; raises PictureError."""
    return _turned_as(read_picture(data), rotation)


def _turned_as(picture: Picture, rotation: int | None) -> Picture:
    wanted = picture.orientation if rotation is None else ORIENTATIONS[rotation]
    if wanted == picture.orientation:
        return picture
    with Image.open(io.BytesIO(picture.data)) as upright:
        stored = _turned(
            upright.convert("RGB"), _INVERSE.get(picture.orientation, picture.orientation)
        )
    turned = _turned(stored, wanted)
    encoded = encode_png(turned)
    return replace(
        picture,
        data=encoded,
        extension="png",
        width=turned.width,
        height=turned.height,
        sha256=hashlib.sha256(encoded).hexdigest(),
        is_original=False,
        orientation=wanted,
        file=None,
    )


def _turned(image: Image.Image, orientation: int) -> Image.Image:
    return image if orientation == 1 else image.transpose(TURNS[orientation])


def read_original(data: bytes, rotation: int | None, md5: str | None) -> Picture:
    """Turn what a link gave into a picture.

    Raises PictureError, with the reason ``md5_mismatch`` when the bytes are not those that were
    annotated: links of photos that are gone lead to a picture that says so.
    """
    if md5 is not None and (wanted := md5_digest(md5)) is not None:
        found = hashlib.md5(data, usedforsecurity=False).digest()
        if found != wanted:
            raise PictureError(
                "md5_mismatch",
                f"the MD5 of what came is {base64.b64encode(found).decode()}, that of the original "
                f"is {md5}",
            )
    return read_turned(data, rotation)


def md5_digest(text: str) -> bytes | None:
    """Return the 16 bytes of an OriginalMD5, which is base64, or None where it is none."""
    try:
        digest = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return digest if len(digest) == 16 else None
