"""Pictures without what cameras and editors wrote beside the pixels: where and when, by whom.

EXIF (with the place by GPS and a small copy of the picture before it was cropped), XMP, IPTC and
comments are left out, and whatever follows the end of a picture: phones put a film there. The
pixels stay, to the byte; so do the colour profile, the resolution and the orientation.
"""

import io
import re
import struct
import zlib
from collections.abc import Iterator

from PIL import Image

from benchwright.pictures import encode_png, read_pixels

_ORIENTATION = 0x0112
_UPRIGHT = 1

_EOI, _SOS = 0xD9, 0xDA
_APP0, _APP2, _APP14, _COM = 0xE0, 0xE2, 0xEE, 0xFE
_JFIF, _ICC, _ADOBE = b"JFIF\0", b"ICC_PROFILE\0", b"Adobe"
_JFIF_SIZE = 14  # without the small copy that may follow
_ADOBE_SIZE = 12  # without what anybody wrote behind it
# frames, tables and scans (ITU-T T.81, table B.1)
_DECODED = frozenset((*range(0xC0, 0xC8), *range(0xC9, 0xD0), *range(0xDA, 0xDE), 0xDB))
_APPLICATIONS = range(0xE0, 0xF0)
# not an escaped byte, a restart or a byte that fills
_ENDS_SCAN = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")

_PNG = b"\x89PNG\r\n\x1a\n"
# what pixels, their colours and their size hang on (PNG, third edition, section 4.7)
_PNG_KEPT = frozenset(
    (
        *(b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"cHRM", b"gAMA", b"iCCP", b"sBIT"),
        *(b"sRGB", b"cICP", b"mDCV", b"cLLI", b"bKGD", b"pHYs"),
    )
)


class _NotPlain(Exception):
    """A file whose parts cannot be told apart with certainty."""


def without_metadata(data: bytes) -> bytes:
    """Return a JPEG or PNG without its metadata; where it has none, the very same bytes.

    ``data`` is a picture that can be decoded, as all of a catalog can. Of another format, or one
    whose parts cannot be told apart, a PNG of the upright pixels is made: nothing else gets out.
    Raises PictureError where that fails.
    """
    try:
        if data.startswith(b"\xff\xd8"):
            return _jpeg(data)
        if data.startswith(_PNG):
            return _png(data)
    except _NotPlain:
        pass
    return encode_png(read_pixels(data)[1])


def _jpeg(data: bytes) -> bytes:
    view = memoryview(data)
    kept: list[bytes | memoryview] = [view[:2]]
    size, lost = 2, False
    for marker, start, end in _segments(data):
        stays = view[start:end]
        if marker not in _DECODED:
            part = data[start:end]
            stays = memoryview(_as_kept(marker, part))
            lost |= stays != part
        kept.append(stays)
        size += len(stays)
    if not lost and size == len(data):
        return data
    turned = _orientation(data) if lost else _UPRIGHT
    if turned != _UPRIGHT:
        place = 2 if kept[1][:2] == b"\xff\xe0" else 1  # JFIF wants to be the first
        kept.insert(place, _segment(0xE1, _exif(turned)))
    return b"".join(kept)


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the marker, start and end of each segment to the end of the picture.

    To a scan belongs all that is coded in it. Raises _NotPlain where the parts do not follow one
    another without a gap.
    """
    place = 2
    while place + 2 <= len(data) and data[place] == 0xFF:
        marker = data[place + 1]
        if marker == 0xFF:  # any number of these may stand before a marker
            place += 1
            continue
        end = place + 2
        if marker != _EOI:
            end += int.from_bytes(data[end : end + 2], "big")
        if end > len(data) or end == place + 3:
            break
        if marker == _SOS:
            end = _end_of_scan(data, end)
        yield marker, place, end
        if marker == _EOI:
            return
        place = end
    raise _NotPlain


def _end_of_scan(data: bytes, place: int) -> int:
    """Return where the next marker is that does not belong to the coded pixels."""
    match = _ENDS_SCAN.search(data, place)
    if match is None:
        raise _NotPlain
    return match.start()


def _as_kept(marker: int, part: bytes) -> bytes:
    """Return what stays of a segment that holds no pixels; raise _NotPlain for an unknown one."""
    body = part[4:]
    if marker == _EOI:
        return part
    if marker == _APP0 and body.startswith(_JFIF) and len(body) >= _JFIF_SIZE:
        return _segment(_APP0, body[: _JFIF_SIZE - 2] + b"\0\0")  # no small copy: 0 x 0 pixels
    if marker == _APP2 and body.startswith(_ICC):
        return part
    if marker == _APP14 and body.startswith(_ADOBE):  # how colours are coded
        return _segment(_APP14, body[:_ADOBE_SIZE])
    if marker in _APPLICATIONS or marker == _COM:
        return b""
    raise _NotPlain


def _segment(marker: int, body: bytes) -> bytes:
    return bytes((0xFF, marker)) + struct.pack(">H", len(body) + 2) + body


def _png(data: bytes) -> bytes:
    view = memoryview(data)
    kept: list[bytes | memoryview] = [view[: len(_PNG)]]
    size = len(_PNG)
    for kind, start, end in _chunks(data):
        if kind in _PNG_KEPT:
            kept.append(view[start:end])
            size += end - start
        elif kind[:1].isupper():  # without it the pixels cannot be told
            raise _NotPlain
    if size == len(data):
        return data
    turned = _orientation(data)
    if turned != _UPRIGHT:
        kept.insert(2, _chunk(b"eXIf", _exif(turned).removeprefix(b"Exif\0\0")))  # behind IHDR
    return b"".join(kept)


def _chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield the kind, start and end of each chunk up to IEND; raises _NotPlain without one."""
    place = len(_PNG)
    while place + 12 <= len(data):
        kind = data[place + 4 : place + 8]
        end = place + 12 + int.from_bytes(data[place : place + 4], "big")
        if end > len(data):
            break
        yield kind, place, end
        if kind == b"IEND":
            return
        place = end
    raise _NotPlain


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _orientation(data: bytes) -> int:
    """Return the orientation as Pillow finds it, in EXIF or XMP; 1 where nothing is to turn."""
    try:
        with Image.open(io.BytesIO(data), formats=("JPEG", "PNG")) as image:
            value = image.getexif().get(_ORIENTATION, _UPRIGHT)
    except Exception:  # noqa: BLE001  # Pillow raises anything on broken EXIF, and turns nothing
        return _UPRIGHT
    return value if isinstance(value, int) and 1 <= value <= 8 else _UPRIGHT


def _exif(orientation: int) -> bytes:
    exif = Image.Exif()
    exif[_ORIENTATION] = orientation
    return exif.tobytes()
