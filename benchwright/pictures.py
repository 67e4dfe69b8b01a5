"""Safe reading of pictures that strangers made.

What goes in is any file; what comes out is an upright sRGB picture without transparency, as the
bytes to store. A plain JPEG or PNG keeps its bytes; everything else becomes a PNG without loss.
Whatever is wrong with a file ends as a PictureError with a short reason:

    empty, html, svg, unknown_format   by its bytes, never by its name
    too_many_pixels, too_large         from the header, before anything is decoded
    truncated, broken                  by decoding all of it
    unsupported_depth                  samples that have no agreed black and white

and where a table names a file: bad_reference, outside_folder, missing_file.
"""

import hashlib
import io
import unicodedata
import warnings
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath, PureWindowsPath

import numpy as np
from PIL import Image, ImageCms

from benchwright import files
from benchwright.errors import LostPicture, PictureError
from benchwright.sniffing import sniff, webp_size

MAX_PIXELS = 178_956_970  # where Pillow itself speaks of a decompression bomb
MAX_BYTES = 512 * 2**20  # of a file that is read
BACKGROUND = (255, 255, 255)  # what transparency is laid on: white
_ORIENTATION = 0x0112
TURNS = {  # what turns a picture upright, by its EXIF orientation; 1 needs none
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """An upright sRGB picture as the bytes to store; width and height in pixels.

    ``sha256`` is of ``data``; ``is_original`` says that they are the bytes that came in;
    ``is_animated`` that the source had more frames, of which this is the first; ``orientation``
    is the EXIF orientation (1 to 8) that was undone, 1 for none; ``file`` is where the same bytes
    lie already, null where they do not.
    """

    data: bytes
    extension: str
    width: int
    height: int
    sha256: str
    is_original: bool
    is_animated: bool
    orientation: int = 1
    file: Path | None = None


def read_picture(data: bytes) -> Picture:
    """Decode a picture fully and return what to store.

    Raises PictureError, and nothing else that a file can cause but MemoryError.
    """
    return read_pixels(data)[0]


def read_pixels(data: bytes) -> tuple[Picture, Image.Image]:
    """Return what ``read_picture`` does and the upright sRGB pixels, decoded once."""
    kind = sniff(data)
    if kind == "WEBP" and (size := webp_size(data)) is not None:
        _check_size(*size)
    try:
        # Pillow warns of much that it then reads well; the decision is made here
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _read(data, kind)
    except (PictureError, MemoryError):
        raise
    except Image.DecompressionBombError as error:
        raise PictureError(
            "too_many_pixels", f"the header says more than {MAX_PIXELS} pixels"
        ) from error
    except Exception as error:  # Pillow's plugins raise anything on broken files
        reason = "truncated" if "truncated" in str(error) else "broken"
        raise PictureError(
            reason, f"a {kind} that cannot be decoded ({type(error).__name__}: {error})"
        ) from error


def _read(data: bytes, kind: str) -> tuple[Picture, Image.Image]:
    with Image.open(io.BytesIO(data), formats=(kind,)) as image:
        _check_size(*image.size)
        image.load()
        animated = kind != "JPEG" and bool(getattr(image, "is_animated", False))
        orientation = _orientation(image)
        turn = TURNS.get(orientation)
        if kind in ("JPEG", "PNG") and turn is None and not animated and _is_plain(image, data):
            return _picture(data, kind, image.size, animated=False, original=True), image
        upright = _as_srgb(image) if turn is None else _as_srgb(image).transpose(turn)
    picture = _picture(encode_png(upright), "PNG", upright.size, animated=animated, original=False)
    return (picture if turn is None else replace(picture, orientation=orientation)), upright


def _picture(
    data: bytes, kind: str, size: tuple[int, int], *, animated: bool, original: bool
) -> Picture:
    return Picture(
        data=data,
        extension={"JPEG": "jpg", "PNG": "png"}[kind],
        width=size[0],
        height=size[1],
        sha256=hashlib.sha256(data).hexdigest(),
        is_original=original,
        is_animated=animated,
    )


def _check_size(width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        raise PictureError(
            "too_many_pixels",
            f"the header says {width} x {height} pixels; at most {MAX_PIXELS} are decoded",
        )


def _orientation(image: Image.Image) -> int:
    """Return the EXIF orientation, 1 where there is none or it cannot be read.

    Asked for after decoding: Pillow turns a TIFF itself then, and drops the tag.
    """
    try:
        value = image.getexif().get(_ORIENTATION, 1)
    except Exception:  # noqa: BLE001  # broken EXIF is no reason to refuse good pixels
        return 1
    return value if isinstance(value, int) else 1


def _is_plain(image: Image.Image, data: bytes) -> bool:
    """Tell whether every reader sees the same sRGB pixels in these bytes."""
    sixteen_bit = image.format == "PNG" and data[24] != 8
    transparent = "transparency" in image.info
    return image.mode == "RGB" and not sixteen_bit and not transparent and _profile(image) is None


def _profile(image: Image.Image) -> ImageCms.ImageCmsProfile | None:
    """Return the colour profile, None where it is sRGB, is missing or cannot be read."""
    embedded = image.info.get("icc_profile")
    if not embedded:
        return None
    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(embedded))
        name = ImageCms.getProfileDescription(profile)
    except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
        return None
    return None if name.strip().lower().startswith("srgb") else profile


def _as_srgb(image: Image.Image) -> Image.Image:
    """Return 8-bit sRGB without transparency."""
    profile = _profile(image)
    if image.mode.startswith(("I", "F")):
        image = _eight_bit(image)
    alpha = None
    if image.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in image.info:
        image = image.convert("RGBA")
        alpha = image.getchannel("A")
    if image.mode == "P":
        image = image.convert("RGB")
    colours = _through_profile(image, profile) if profile is not None else image.convert("RGB")
    if alpha is None:
        return colours
    laid = Image.new("RGB", image.size, BACKGROUND)
    laid.paste(colours, mask=alpha)
    return laid


def _through_profile(image: Image.Image, profile: ImageCms.ImageCmsProfile) -> Image.Image:
    plain = image.convert("RGB") if image.mode == "RGBA" else image
    try:
        turned = ImageCms.profileToProfile(
            plain, profile, ImageCms.createProfile("sRGB"), outputMode="RGB"
        )
    except ImageCms.PyCMSError:  # a profile for other channels than the picture has
        turned = None
    return plain.convert("RGB") if turned is None else turned


def _eight_bit(image: Image.Image) -> Image.Image:
    """Return grey of 8 bits from grey of 16, the brightest 16-bit value being white."""
    samples = np.asarray(image)
    if samples.dtype.kind == "f" or samples.min() < 0 or samples.max() > 0xFFFF:
        raise PictureError(
            "unsupported_depth",
            f"samples of the kind {image.mode} have no agreed black and white; save it with 8 bits",
        )
    return Image.fromarray(((samples.astype(np.uint32) + 128) // 257).astype(np.uint8))


def encode_png(image: Image.Image) -> bytes:
    """Return an RGB picture as PNG; the same pixels give the same bytes."""
    bare = Image.new("RGB", image.size)
    bare.paste(image)  # without the source's profile, resolution and comments
    stream = io.BytesIO()
    bare.save(stream, "PNG", compress_level=6)
    return stream.getvalue()


def read_file(path: Path) -> Picture:
    """Read a picture file and note where it lies; raises PictureError."""
    picture = read_picture(load_file(path))
    return replace(picture, file=path) if picture.is_original else picture


def store_picture(
    picture: Picture, images_folder: Path, *, synced: bool = True, link: bool = False
) -> str:
    """Write a picture under the hash of its bytes and return its path from the folder.

    It is ``ab/abcd….jpg``, ``ab`` being the first two digits. One that is there already, with the
    very same bytes, is not written again. With ``synced`` false it is on the disk only after
    ``files.sync``; what a power cut spoilt before is found by its bytes and written again.

    With ``link`` a symbolic link to the picture's own file takes the place of a copy, where it
    has one.
    """
    name = f"{picture.sha256[:2]}/{picture.sha256}.{picture.extension}"
    path = images_folder / name
    target = picture.file.resolve() if link and picture.file is not None else None
    if _holds(path, picture.data) and path.is_symlink() == (target is not None):
        return name
    path.parent.mkdir(parents=True, exist_ok=True)
    if target is not None:
        files.write_link(path, target)
    else:
        files.write_bytes(path, picture.data, synced=synced)
    return name


def _holds(path: Path, data: bytes) -> bool:
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False


def stored_bytes(path: Path) -> bytes:
    """Return the bytes of a picture of the catalog, which is named by their hash.

    Raises LostPicture when it is not there or is another: a link's file may have been edited.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LostPicture(path, f"cannot be read ({error.strerror})") from error
    if hashlib.sha256(data).hexdigest() != path.stem:
        raise LostPicture(path, "is not the picture that its name describes")
    return data


def load_file(path: Path) -> bytes:
    """Return the bytes of a picture file.

    Raises PictureError when it cannot be read or is larger than MAX_BYTES.
    """
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise PictureError("too_large", f"{path.name}: {size} bytes; at most {MAX_BYTES}")
        return path.read_bytes()
    except OSError as error:
        raise PictureError("missing_file", f"{path.name}: {error.strerror}") from error


def locate(folder: Path, name: str) -> Path:
    """Return the file that a reference such as ``shoes/a[1].JPG`` means, inside the folder.

    Raises PictureError: ``bad_reference`` for an empty one or a NUL, ``outside_folder`` for
    ``..``, an absolute path elsewhere or a link that leads out, ``missing_file`` for no file.
    """
    if not name.strip() or "\0" in name:
        raise PictureError("bad_reference", f"{name!r} is no file name")
    root = folder.resolve()
    for spelled in dict.fromkeys(
        (
            name,
            name.replace("\\", "/"),
            *(unicodedata.normalize(form, name) for form in ("NFC", "NFD")),
        )
    ):
        if ".." in PurePosixPath(spelled).parts or ".." in PureWindowsPath(spelled).parts:
            raise PictureError("outside_folder", f"{name!r}: '..' is not followed")
        try:
            path = (folder / spelled).resolve()
            found = path.is_file()
        except (OSError, ValueError, RuntimeError):  # too long, a loop of links
            continue
        if not path.is_relative_to(root):
            raise PictureError("outside_folder", f"{name!r} leads out of {folder.name or '.'}")
        if found:
            return path
    raise PictureError("missing_file", f"no file {name!r} in {folder.name or 'the folder'}")
