"""A gallery drawn as one picture: numbered, the target outlined."""

import io
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from benchwright.thumbnails import thumbnail

_TILE = (180, 240)
_GAP = 10
_RED = (200, 40, 50)
_GREY = (95, 95, 95)


def contact_sheet(pictures: Sequence[Image.Image], target_index: int, widest: int = 8) -> bytes:
    """Return a JPEG of the pictures in their order; ``target_index`` is 1-based.

    The rows are as even as they can be with at most ``widest`` pictures in each.
    """
    rows = -(-len(pictures) // widest)
    columns = -(-len(pictures) // rows)
    width, height = _TILE[0] + _GAP, _TILE[1] + _GAP + 16
    sheet = Image.new("RGB", (columns * width + _GAP, rows * height + _GAP), "white")
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(13)
    for number, picture in enumerate(pictures, start=1):
        row, column = divmod(number - 1, columns)
        left, top = _GAP + column * width, _GAP + row * height
        tile = thumbnail(picture, _TILE)
        sheet.paste(
            tile, (left + (_TILE[0] - tile.width) // 2, top + (_TILE[1] - tile.height) // 2)
        )
        is_target = number == target_index
        if is_target:
            box = (left - 5, top - 5, left + _TILE[0] + 4, top + _TILE[1] + 4)
            draw.rectangle(box, outline=_RED, width=4)
        label = f"#{number}  target" if is_target else f"#{number}"
        draw.text((left, top + _TILE[1] + 5), label, fill=_RED if is_target else _GREY, font=font)
    data = io.BytesIO()
    sheet.save(data, "JPEG", quality=90, subsampling=0, optimize=True)
    return data.getvalue()
