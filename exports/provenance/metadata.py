"""Pictures without what cameras and editors wrote beside the pixels: where and when, by whom.

EXIF (with the place by GPS and a small copy of the picture before it was cropped), XMP, IPTC and
comments are left out, and whatever follows the end of a picture: phones put a film there. The
pixels stay, to the byte; so do the colour profile, the resolution and the orientation.
"""

import io
import struct
import zlib
from collections.abc import Iterator

from PIL import Image

from benchwright.pictures import encode_png, read_pixels

_ORIENTATION = 0x0112
_UPRIGHT = 1

_SOI, _EOI, _SOS = 0xD8, 0xD9, 0xDA
_APP0, _APP2, _APP14, _COM = 0xE0, 0xE2, 0xEE, 0xFE
_JFIF, _ICC, _ADOBE = b"JFIF\0", b"ICC_PROFILE\0", b"Adobe"
_JFIF_SIZE = 14  # without the small copy that may follow
# frames, tables and scans (ITU-T T.81, table B.1)
_DECODED = frozenset((*range(0xC0, 0xC8), *range(0xC9, 0xD0), *range(0xDA, 0xDE), 0xDB))
_APPLICATIONS = range(0xE0, 0xF0)

_PNG = b"\x89PNG\r\n\x1a\n"
# what pixels, their colours and their size hang on (PNG, third edition, section 4.7)
_PNG_KEPT = frozenset(
    kind.encode()
    for kind in [
        "IHDR",
        "PLTE",
        "IDAT",
        "IEND",
        "tRNS",
        "cHRM",
        "gAMA",
        "iCCP",
        "sBIT",
        "sRGB",
        "cICP",
        "mDCV",
        "cLLI",
        "bKGD",
        "pHYs",
    ]
)


class _NotPlain(Exception):
    """A file whose parts cannot be told apart with certainty."""


def without_metadata(data: bytes) -> bytes:
    """Return a JPEG or PNG without its metadata; where it has none, the very same bytes.

    Of any other file, and of one that is not built as it should be, a PNG of the upright pixels
    is made: nothing else of it can get out. Raises PictureError where it cannot be decoded.
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
    kept, lost = [b"\xff\xd8"], False
    for marker, part in _segments(data):
        stays = _as_kept(marker, part)
        lost |= stays != part
        kept.append(stays)
    whole = b"".join(kept)
    if whole == data:
        return data
    turned = _orientation(data) if lost else _UPRIGHT
    if turned != _UPRIGHT:
        body = _exif(turned)
        place = 2 + (len(kept[1]) if kept[1][:2] == b"\xff\xe0" else 0)
        app1 = b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body
        return whole[:place] + app1 + whole[place:]
    return whole


def _segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield each segment with its marker, a scan with all that is coded in it, to the end."""
    place = 2
    while place < len(data):
        start = place
        while data[place : place + 1] == b"\xff":  # any number of these may stand before a marker
            place += 1
        marker = data[place] if start < place < len(data) else 0
        place += 1
        if marker == _EOI:
            yield marker, b"\xff\xd9"
            return
        size = int.from_bytes(data[place : place + 2], "big")
        end = place + size
        if marker < 0xC0 or marker == _SOI or size < 2 or end > len(data):
            raise _NotPlain
        if marker == _SOS:
            end = _end_of_scan(data, end)
        yield marker, b"\xff" + data[place - 1 : end]
        place = end
    raise _NotPlain  # no end


def _end_of_scan(data: bytes, place: int) -> int:
    """Return where the next marker is that does not belong to the coded pixels."""
    while (place := data.find(b"\xff", place)) >= 0 and place + 1 < len(data):
        after = data[place + 1]
        if after == 0xFF:
            place += 1
        elif after == 0 or 0xD0 <= after <= 0xD7:  # an escaped byte, or a restart
            place += 2
        else:
            return place
    raise _NotPlain


def _as_kept(marker: int, part: bytes) -> bytes:
    """Return what stays of a segment; raise _NotPlain for one that no picture should have."""
    body = part[4:]
    if marker in _DECODED or marker == _EOI:
        return part
    if marker == _APP0 and body.startswith(_JFIF) and len(body) >= _JFIF_SIZE:
        bare = part[4 : 4 + _JFIF_SIZE - 2] + b"\0\0"
        return b"\xff\xe0" + struct.pack(">H", len(bare) + 2) + bare
    if marker == _APP2 and body.startswith(_ICC):
        return part
    if marker == _APP14 and body.startswith(_ADOBE):  # how colours are coded
        return part
    if marker in _APPLICATIONS or marker == _COM:
        return b""
    raise _NotPlain


def _png(data: bytes) -> bytes:
    kept, lost = [_PNG], False
    for kind, chunk in _chunks(data):
        if kind in _PNG_KEPT:
            kept.append(chunk)
        elif kind[:1].isupper():  # without it the pixels cannot be told
            raise _NotPlain
        else:
            lost = True
    whole = b"".join(kept)
    if whole == data:
        return data
    turned = _orientation(data) if lost else _UPRIGHT
    if turned != _UPRIGHT:
        place = len(_PNG) + len(kept[1])
        return whole[:place] + _chunk(b"eXIf", _exif(turned)[6:]) + whole[place:]
    return whole


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = len(_PNG)
    while place + 12 <= len(data):
        size = int.from_bytes(data[place : place + 4], "big")
        kind = data[place + 4 : place + 8]
        end = place + 12 + size
        if end > len(data):
            break
        yield kind, data[place:end]
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
