"""Pictures as they are sent: the view of a question within the limits of a voter, encoded once.

What is done to an upright picture, in this order: the crop is cut out, the longer side is brought
down to the smaller of the view's and the voter's, the outline is drawn, a side that is too short
for the voter is padded. Nothing is ever stretched or enlarged. ``shown_size`` gives the size of
the outcome from the picture's size alone.
"""

import base64
import hashlib
import io
import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, Literal, TypeVar

from PIL import Image, ImageDraw

from benchwright import boxes, pictures
from benchwright.asking.requests import PicturePart, View
from benchwright.asking.voters import PictureLimits
from benchwright.boxes import Box
from benchwright.errors import LostPicture, PictureError, UsageError

Mime = Literal["image/jpeg", "image/png"]
V = TypeVar("V")
Read = Callable[[PicturePart], bytes]  # what gives the bytes of a picture

FRAME = (255, 0, 0)  # the colour of an outline
_JPEG_SIDE = 65_500  # the longest side that JPEG libraries write
_NEARLY = 1e-6  # a corner this near to a whole pixel is meant to be on it
# an average over whole pixels comes before Lanczos where the picture shrinks more than 6 times;
# the outcome is within a few levels of Lanczos alone
_REDUCING_GAP = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoded:
    """A picture ready to be sent: ``uri`` is the data URI, width and height those of its pixels."""

    mime: Mime
    width: int
    height: int
    uri: str


def part_of(path: Path, view: View | None = None) -> PicturePart:
    """Return the part of a message that shows a picture file which a user names.

    Raises PictureError when there is no such file or it is no picture.
    """
    part, _ = read_part(path)
    return part if view is None else replace(part, view=view)


def read_part(path: Path) -> tuple[PicturePart, pictures.Picture]:
    """Return the part that shows a whole picture file, and what the same bytes hold.

    Raises PictureError as ``part_of`` does.
    """
    data = pictures.load_file(path)
    picture, _ = _read(data, path)
    return PicturePart(sha256=hashlib.sha256(data).hexdigest(), path=path), picture


def bytes_of(part: PicturePart) -> bytes:
    """Return the bytes at a part's path; raise LostPicture where they are not those of its hash."""
    try:
        data = part.path.read_bytes()
    except OSError as error:
        raise LostPicture(part.path, f"cannot be read ({error.strerror})") from error
    if hashlib.sha256(data).hexdigest() != part.sha256:
        raise LostPicture(part.path, "is not the picture that was to be sent (another sha256)")
    return data


def shown_size(width: int, height: int, view: View, limits: PictureLimits) -> tuple[int, int]:
    """Return width and height of what is sent of an upright picture of the size given.

    Raises UsageError when the view shows nothing of the picture.
    """
    return layout_of(width, height, view, limits).size


class Encoder:
    """Makes what is sent, each view once; safe to use from several threads.

    Two threads that ask for the same view at once get the work of one. ``most_bytes`` bounds the
    data URIs that are kept, ``most_pixels`` (4 bytes each) the decoded sources, so that several
    views of one picture decode it once. ``read`` gives the bytes of a part's picture.
    """

    def __init__(
        self,
        *,
        most_bytes: int = 256 * 2**20,
        most_pixels: int = 32_000_000,
        read: Read = bytes_of,
    ) -> None:
        self._read = read
        self._sent: _Kept[Encoded] = _Kept(most_bytes, lambda encoded: len(encoded.uri))
        self._sources: _Kept[Source] = _Kept(
            most_pixels, lambda source: source.image.width * source.image.height
        )

    def cached(self, part: PicturePart, limits: PictureLimits) -> Encoded | None:
        """Return what ``encoded`` would, None where it is not at hand; does no work."""
        return self._sent.get(_key(part, limits))

    def encoded(self, part: PicturePart, limits: PictureLimits) -> Encoded:
        """Return a part as it is sent; the same input gives the same bytes.

        A picture of which nothing has to be changed and that is a plain JPEG or PNG already goes
        out as its very bytes, whatever format the limits name.

        Raises LostPicture when the bytes at the part's path are not there or not those of its
        hash, PictureError when they are no picture, UsageError when the view shows nothing of it.
        """
        return self._sent.made(_key(part, limits), lambda: self._encode(part, limits))

    def _encode(self, part: PicturePart, limits: PictureLimits) -> Encoded:
        source = self._sources.made(part.sha256, lambda: source_of(part, self._read))
        layout = layout_of(*source.image.size, part.view, limits)
        if source.plain is not None and layout.keeps(source.image.size):
            return _as_uri(source.plain, source.mime, source.image.size)
        shown = drawn(source.image, layout)
        if limits.format == "png":
            return _as_uri(pictures.encode_png(shown), "image/png", shown.size)
        stream = io.BytesIO()
        shown.save(stream, "JPEG", quality=limits.quality, subsampling="4:4:4")
        return _as_uri(stream.getvalue(), "image/jpeg", shown.size)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where everything goes: corners left, top, right, bottom in pixels.

    ``crop`` is in the upright picture, ``frame`` (the outer edge) in the scaled one.
    """

    crop: tuple[int, int, int, int]
    scaled: tuple[int, int]
    frame: tuple[int, int, int, int] | None
    frame_width: int
    size: tuple[int, int]

    def keeps(self, size: tuple[int, int]) -> bool:
        """Tell whether a picture of this size is shown as it is."""
        return self.frame is None and self.size == self.scaled == size == self.crop[2:]


def layout_of(width: int, height: int, view: View, limits: PictureLimits) -> Layout:
    """Return where everything goes in what is sent; raises UsageError as ``shown_size`` does."""
    crop = (0, 0, width, height)
    if view.crop is not None:
        inside = boxes.clip(view.crop, width, height)
        if inside is None:
            raise _nothing_left("crop", view.crop, crop)
        crop = _pixels(inside, width, height)
    size = crop[2] - crop[0], crop[3] - crop[1]
    scaled = _scaled(size, _longest(view, limits))
    thick = max(2, round(max(scaled) / 200))
    frame = None
    if view.outline is not None:
        x, y, wide, high = view.outline
        inside = boxes.clip((x - crop[0], y - crop[1], wide, high), *size)
        if inside is None:
            raise _nothing_left("outline", view.outline, crop)
        frame = _frame(inside, size, scaled, thick)
    padded = max(scaled[0], limits.min_side), max(scaled[1], limits.min_side)
    return Layout(crop=crop, scaled=scaled, frame=frame, frame_width=thick, size=padded)


def _longest(view: View, limits: PictureLimits) -> int:
    if view.long_side is not None and view.long_side < 1:
        raise UsageError(f"long_side of a view: wanted at least 1 pixel, got {view.long_side}")
    most = limits.max_side if view.long_side is None else min(limits.max_side, view.long_side)
    return min(most, _JPEG_SIDE) if limits.format == "jpeg" else most


def _nothing_left(what: str, box: Box, shown: tuple[int, int, int, int]) -> UsageError:
    return UsageError(
        f"{what} of a view: wanted a box [x, y, w, h] with an area within the corners"
        f" {list(shown)} of what is shown, got {list(box)}; mend the box or leave it away"
    )


def _pixels(box: Box, width: int, height: int) -> tuple[int, int, int, int]:
    """Return the corners of all the pixels that a clipped box touches."""
    x, y, wide, high = box
    left = min(math.floor(x + _NEARLY), width - 1)
    top = min(math.floor(y + _NEARLY), height - 1)
    right = min(max(math.ceil(x + wide - _NEARLY), left + 1), width)
    bottom = min(max(math.ceil(y + high - _NEARLY), top + 1), height)
    return left, top, right, bottom


def _scaled(size: tuple[int, int], longest: int) -> tuple[int, int]:
    now = max(size)
    if now <= longest:
        return size
    width, height = (max(1, (2 * side * longest + now) // (2 * now)) for side in size)
    return width, height


def _frame(
    outline: Box, size: tuple[int, int], scaled: tuple[int, int], thick: int
) -> tuple[int, int, int, int]:
    """Return the outer corners of a frame around a box, pushed inwards where the picture ends."""
    across, down = scaled[0] / size[0], scaled[1] / size[1]
    x, y, wide, high = outline
    shown = x * across, y * down, wide * across, high * down
    left, top, right, bottom = _pixels(shown, *scaled)
    return (
        max(left - thick, 0),
        max(top - thick, 0),
        min(right + thick, scaled[0]),
        min(bottom + thick, scaled[1]),
    )


def drawn(image: Image.Image, layout: Layout) -> Image.Image:
    """Return what a layout makes of an upright picture."""
    shown = image if layout.crop == (0, 0, *image.size) else image.crop(layout.crop)
    if shown.size != layout.scaled:
        shown = shown.resize(layout.scaled, Image.Resampling.LANCZOS, reducing_gap=_REDUCING_GAP)
    if layout.frame is not None:
        shown = shown.copy() if shown is image else shown  # other views are made of the same source
        left, top, right, bottom = layout.frame
        corners = (left, top, right - 1, bottom - 1)
        ImageDraw.Draw(shown).rectangle(corners, outline=FRAME, width=layout.frame_width)
    if shown.size == layout.size:
        return shown
    padded = Image.new("RGB", layout.size, pictures.BACKGROUND)
    free = layout.size[0] - shown.width, layout.size[1] - shown.height
    padded.paste(shown, (free[0] // 2, free[1] // 2))
    return padded


def _as_uri(data: bytes, mime: Mime, size: tuple[int, int]) -> Encoded:
    uri = f"data:{mime};base64,{base64.b64encode(data).decode('ascii')}"
    return Encoded(mime=mime, width=size[0], height=size[1], uri=uri)


def _key(part: PicturePart, limits: PictureLimits) -> Hashable:
    return part.sha256, part.view, tuple(limits.encoding().values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """An upright sRGB picture; ``plain`` is what came in where that can be sent as it is."""

    image: Image.Image
    plain: bytes | None
    mime: Mime


_reading = threading.Lock()  # reading silences warnings, which are the whole process's


def _read(data: bytes, path: Path) -> tuple[pictures.Picture, Image.Image]:
    try:
        with _reading:
            return pictures.read_pixels(data)
    except PictureError as error:
        raise PictureError(error.reason, f"{path}: {error}") from error


def source_of(part: PicturePart, read: Read = bytes_of) -> Source:
    """Return the decoded picture of a part; raises PictureError, and what ``read`` raises."""
    picture, image = _read(read(part), part.path)
    image.info.clear()  # comments would be written again
    return Source(
        image=image,
        plain=picture.data if picture.is_original else None,
        mime="image/jpeg" if picture.extension == "jpg" else "image/png",
    )


class _Kept(Generic[V]):
    """What was made last, within a weight; what several threads want at once is made once."""

    def __init__(self, most: int, weigh: Callable[[V], int]) -> None:
        self._most, self._weigh, self._weight = most, weigh, 0
        self._values: OrderedDict[Hashable, V] = OrderedDict()
        self._coming: dict[Hashable, Future[V]] = {}
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> V | None:
        with self._lock:
            return self._found(key)

    def made(self, key: Hashable, make: Callable[[], V]) -> V:
        """Return what is kept, else what ``make`` gives or raises, here or in another thread."""
        with self._lock:
            found = self._found(key)
            if found is not None:
                return found
            coming = self._coming.get(key)
            if coming is None:
                own = self._coming[key] = Future()
        if coming is not None:
            return coming.result()
        try:
            value = make()
        except BaseException as error:
            with self._lock:
                del self._coming[key]
            own.set_exception(error)
            raise
        with self._lock:
            del self._coming[key]
            self._keep(key, value)
        own.set_result(value)
        return value

    def _found(self, key: Hashable) -> V | None:
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def _keep(self, key: Hashable, value: V) -> None:
        weight = self._weigh(value)
        if weight > self._most:
            return
        self._values[key] = value
        self._weight += weight
        while self._weight > self._most:
            self._weight -= self._weigh(self._values.popitem(last=False)[1])
