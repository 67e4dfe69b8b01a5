"""What a picture is compared by: hashes of its bytes, of its pixels, and of how it looks.

The perceptual hash is imagehash's phash of 256 bits: 16 by 16 low frequencies of a grey picture
of 64 by 64. Its 64-bit sibling takes look-alike garments for duplicates by the thousand. Beside
it stands the hash of the mirrored picture, and the chroma of a 4 by 4 grid, for the hash is
colour-blind and one garment in two colours is no duplicate.
"""

import hashlib
import io
import warnings
from dataclasses import dataclass
from pathlib import Path

import imagehash
import numpy as np
from PIL import Image, ImageOps

from benchwright.errors import PictureError, WorkspaceError
from benchwright.pictures import Picture, load_file, locate, read_picture, stored_bytes

BITS = 256
_SIDE = 64  # of the grey picture that is hashed: what imagehash itself would shrink it to
_GRID = 4
PLAIN = 2.0  # standard deviation of the grey under which a picture shows nothing to compare


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """What a picture is compared by; all fields are hex.

    ``sha256`` is of the stored bytes, ``pixels`` of size and decoded pixels. ``phash`` and
    ``mirrored`` are null for a picture of one tone, of which every hash is noise. ``chroma``
    holds Cb and Cr (a byte each) of a 4 by 4 grid, row by row.
    """

    sha256: str
    pixels: str
    phash: str | None
    mirrored: str | None
    chroma: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A file of a folder that is no picture to compare with, and why."""

    reason: str
    message: str


def fingerprint_of(image: Image.Image, sha256: str) -> Fingerprint:
    """Return the fingerprint of an upright RGB picture whose stored bytes have this hash."""
    digest = hashlib.sha256(f"{image.width}x{image.height}\0".encode())
    digest.update(image.tobytes())
    grey = image.convert("L").resize((_SIDE, _SIDE), Image.Resampling.LANCZOS)
    is_plain = float(np.asarray(grey, np.float64).std()) < PLAIN
    cells = image.resize((_GRID, _GRID), Image.Resampling.BOX).convert("YCbCr")
    return Fingerprint(
        sha256=sha256,
        pixels=digest.hexdigest(),
        phash=None if is_plain else _phash(grey),
        mirrored=None if is_plain else _phash(ImageOps.mirror(grey)),
        chroma=np.asarray(cells)[:, :, 1:].tobytes().hex(),
    )


def decoded(source: io.BytesIO) -> Image.Image:
    """Return a stored picture (JPEG or PNG) as RGB; raises what Pillow raises on broken ones."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of large ones: they were let in
        with Image.open(source, formats=("JPEG", "PNG")) as image:
            return image.convert("RGB")


def _phash(grey: Image.Image) -> str:
    bits = imagehash.phash(grey, hash_size=16).hash
    return np.packbits(bits).tobytes().hex()


def fingerprint_stored(stored: tuple[str, Path]) -> Fingerprint:
    """Return the fingerprint of a picture of a catalog, given by its hash and its file.

    Runs in a worker process. Raises WorkspaceError when the file is missing or broken.
    """
    sha256, path = stored
    try:
        return fingerprint_of(decoded(io.BytesIO(stored_bytes(path))), sha256)
    except (OSError, SyntaxError, ValueError) as error:
        raise WorkspaceError(
            f"{path}: the catalog's picture cannot be read ({error}); make the catalog again with "
            "--force"
        ) from error


def fingerprint_file(folder: Path, name: str) -> Fingerprint | Refused:
    """Return the fingerprint of a stranger's file as the catalog would store it, or why not."""
    try:
        picture: Picture = read_picture(load_file(locate(folder, name)))
    except PictureError as error:
        return Refused(reason=error.reason, message=str(error))
    return fingerprint_of(decoded(io.BytesIO(picture.data)), picture.sha256)


def decoder() -> str:
    """Return what fingerprints depend on beside the picture: packages and their versions."""
    from PIL import __version__ as pillow  # noqa: PLC0415

    return f"pillow {pillow}, imagehash {imagehash.__version__}, {BITS} bits"
