"""What a file is by its first bytes, whatever its name says."""

import re
import struct

from benchwright.errors import PictureError

_KINDS = {
    b"\xff\xd8\xff": "JPEG",
    b"\x89PNG\r\n\x1a\n": "PNG",
    b"GIF87a": "GIF",
    b"GIF89a": "GIF",
    b"BM": "BMP",
    b"II*\0": "TIFF",
    b"MM\0*": "TIFF",
    b"II+\0": "TIFF",
    b"MM\0+": "TIFF",
}
_MARKUP = re.compile(rb"(?:\xef\xbb\xbf)?\s*<")
_SVG = re.compile(rb"<svg[\s>]", re.IGNORECASE)
_HTML = re.compile(rb"<(?:!doctype html|html|head|body)\b", re.IGNORECASE)
_HEAD = 4096
_HEIC = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1")
_OTHERS = {
    b"%PDF": "a PDF",
    b"version https://git-lfs": "a Git LFS pointer (run git lfs pull)",
    b"PK\x03\x04": "a ZIP archive",
    b"8BPS": "a Photoshop file",
    b"\x1f\x8b": "a gzip archive",
    b"{": "JSON text",
}


def sniff(data: bytes) -> str:
    """Return Pillow's name of the format of a picture.

    Raises PictureError with the reason ``empty``, ``html``, ``svg`` or ``unknown_format``.
    """
    if not data:
        raise PictureError("empty", "the file is empty")
    for magic, kind in _KINDS.items():
        if data.startswith(magic):
            return kind
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "WEBP"
    if data[4:8] == b"ftyp" and data[8:12] in (b"avif", b"avis"):
        return "AVIF"
    raise _refusal(data)


def _refusal(data: bytes) -> PictureError:
    head = data[:_HEAD]
    if _MARKUP.match(head):
        if _HTML.search(head):
            return PictureError("html", "this is a web page, not a picture")
        if _SVG.search(head):
            return PictureError("svg", "this is an SVG drawing; a picture of pixels was wanted")
        return PictureError("unknown_format", "this is XML, not a picture")
    if data[4:8] == b"ftyp" and data[8:12] in _HEIC:
        return PictureError("unknown_format", "this is HEIC; save it as JPEG or PNG")
    for magic, what in _OTHERS.items():
        if head.startswith(magic):
            return PictureError("unknown_format", f"this is {what}, not a picture")
    return PictureError(
        "unknown_format",
        f"no picture format starts with {head[:8].hex(' ')}; wanted JPEG, PNG, GIF, WebP, BMP, "
        "TIFF or AVIF",
    )


def webp_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height from the header of a WebP file, or None where it has none.

    Pillow sets aside the whole canvas when it opens one, so a bomb must be seen before that.
    """
    kind = data[12:16]
    try:
        if kind == b"VP8X":
            wide, high = data[24:27], data[27:30]
            return int.from_bytes(wide, "little") + 1, int.from_bytes(high, "little") + 1
        if kind == b"VP8L":
            (bits,) = struct.unpack_from("<I", data, 21)
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        if kind == b"VP8 ":
            width, height = struct.unpack_from("<HH", data, 26)
            return width & 0x3FFF, height & 0x3FFF
    except struct.error:
        return None
    return None
