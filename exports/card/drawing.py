"""Pictures with boxes drawn on them, side by side."""

import io
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

from benchwright.boxes import Box
from benchwright.thumbnails import thumbnail

_GAP = 10
_HEADING = 22
_RED, _GREY, _DARK, _WHITE = (200, 40, 50), (125, 125, 125), (60, 60, 60), (255, 255, 255)


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """What is drawn on a picture: ``marked`` boxes, and ``others`` thinner; boxes in pixels.

    The heading is ours: fonts do not have all letters.
    """

    heading: str
    marked: Sequence[Box] = ()
    others: Sequence[Box] = ()


def panels(picture: Image.Image, shown: Sequence[Panel], side: int) -> bytes:
    """Return a JPEG of a picture once for each panel, each within ``side`` pixels."""
    small = thumbnail(picture, (side, side))
    scale = small.width / picture.width
    heading = _HEADING if any(panel.heading for panel in shown) else 0
    width, height = small.width + _GAP, small.height + heading + 2 * _GAP
    sheet = Image.new("RGB", (len(shown) * width + _GAP, height), "white")
    font = ImageFont.load_default(14)
    for at, panel in enumerate(shown):
        left = _GAP + at * width
        ImageDraw.Draw(sheet).text((left, _GAP), panel.heading, fill=_DARK, font=font)
        sheet.paste(_drawn(small, panel, scale), (left, _GAP + heading))
    data = io.BytesIO()
    sheet.save(data, "JPEG", quality=88, optimize=True)
    return data.getvalue()


def _drawn(small: Image.Image, panel: Panel, scale: float) -> Image.Image:
    tile = small.copy()
    draw = ImageDraw.Draw(tile)
    for box in panel.others:
        _outline(draw, box, scale, _GREY, 1)
    for box in panel.marked:
        _outline(draw, box, scale, _RED, 3)
    return tile


def _outline(
    draw: ImageDraw.ImageDraw, box: Box, scale: float, colour: tuple[int, int, int], width: int
) -> None:
    """Draw a box with a rim of white, which shows on dark and on light."""
    x, y, across, down = (round(side * scale) for side in box)
    corners = (x, y, max(x, x + across - 1), max(y, y + down - 1))
    wider = (corners[0] - 1, corners[1] - 1, corners[2] + 1, corners[3] + 1)
    draw.rectangle(wider, outline=_WHITE, width=width + 2)
    draw.rectangle(corners, outline=colour, width=width)
