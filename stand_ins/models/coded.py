"""Coded pictures: drawn so that whoever decodes the pixels can read what is true of them.

A code fills a box. Four marks of different colours stand in its corners, so that a reader sees
where it is and which way up; between them white and black cells say, row by row, a number that
tells the code from others, a checksum, and for each value yes (white) or no (black):

    M b b b b b b b b G      M, G, C, Y: magenta, green, cyan and yellow marks
    b b b b b b b b b b      b: a cell; the code of a scene leaves room for objects below,
    b b b b b b b b b b         each a box with a code of its own
    C . . . . . . . . Y

Half a cell of grey around it keeps an outline off the marks.
"""

import hashlib
import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

TypeAndValue = tuple[str, str]
Colour = tuple[int, int, int]

COLUMNS = 10
NUMBER_BITS = 24
CHECK_BITS = 16
_YES, _NO = (245, 245, 245), (10, 10, 10)
_GREY = {"scene": (128, 128, 128), "object": (150, 150, 150)}
_MARKS: dict[str, Colour] = {
    "magenta": (225, 0, 225),
    "green": (0, 175, 0),
    "cyan": (0, 205, 225),
    "yellow": (240, 220, 0),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CodedObject:
    """An object of a coded picture: its box [x, y, w, h] in pixels, and the values it has."""

    object_id: str
    box: tuple[int, int, int, int]
    yes: Collection[TypeAndValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class CodedPicture:
    """A picture to draw: what names it, the values that are true of it, its size, its objects."""

    key: str
    yes: Collection[TypeAndValue]
    size: tuple[int, int] = (480, 640)
    objects: tuple[CodedObject, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where the cells of a code are, in columns and rows from the top left mark."""

    kind: str
    rows: int
    cells: tuple[tuple[int, int], ...]  # column, row


def layouts(values: int) -> tuple[Layout, Layout]:
    """Return the layouts of a scene and of an object that say so many values."""
    cells = [(column, 0) for column in range(1, COLUMNS - 1)]
    bits = NUMBER_BITS + CHECK_BITS + values
    while len(cells) < bits:
        cells += [(column, cells[-1][1] + 1) for column in range(COLUMNS)]
    last = cells[-1][1]
    used = tuple(cells[:bits])
    return (
        Layout(kind="scene", rows=2 * last + 6, cells=used),
        Layout(kind="object", rows=last + 2, cells=used),
    )


def code_of(key: str, object_id: str | None = None) -> str:
    """Return the code of a picture or of an object in it, six hex digits."""
    name = key if object_id is None else f"{key}\0{object_id}"
    return hashlib.blake2b(name.encode(), digest_size=NUMBER_BITS // 8).hexdigest()


def checksum(kind: str, bits: Sequence[int]) -> list[int]:
    """Return the bits that must follow the number of a code with these bits."""
    value = zlib.crc32(kind.encode() + bytes(bits)) & (2**CHECK_BITS - 1)
    return [value >> place & 1 for place in range(CHECK_BITS)]


def free_box(size: tuple[int, int], values: int) -> tuple[int, int, int, int]:
    """Return the box [x, y, w, h] of a picture that its own code leaves to objects."""
    layout = layouts(values)[0]
    across, down = size[0] / (COLUMNS + 1), size[1] / (layout.rows + 1)
    first = layout.cells[-1][1] + 1
    left, top = int(across / 2) + 1, int((first + 0.5) * down) + 1
    right, bottom = int(size[0] - across / 2), int(size[1] - 1.5 * down)
    return left, top, right - left, bottom - top


def draw(picture: CodedPicture, values: Sequence[TypeAndValue]) -> Image.Image:
    """Draw a picture; the reader must have the same values in the same order.

    Raises ValueError for a value that is not among them and for an object outside the free box.
    """
    scene, inner = layouts(len(values))
    image = Image.new("RGB", picture.size)
    whole = (0, 0, *picture.size)
    _draw_code(image, whole, scene, code_of(picture.key), _said(picture.yes, values))
    left, top, width, height = free_box(picture.size, len(values))
    for thing in picture.objects:
        x, y, w, h = thing.box
        if x < left or y < top or x + w > left + width or y + h > top + height:
            raise ValueError(f"the box {thing.box} is not in {(left, top, width, height)}")
        code = code_of(picture.key, thing.object_id)
        _draw_code(image, thing.box, inner, code, _said(thing.yes, values))
    return image


def _said(yes: Collection[TypeAndValue], values: Sequence[TypeAndValue]) -> list[int]:
    unknown = sorted(set(yes) - set(values))
    if unknown:
        raise ValueError(f"no values of the code: {unknown}")
    return [int(value in yes) for value in values]


def _draw_code(
    image: Image.Image, box: tuple[int, int, int, int], layout: Layout, code: str, said: list[int]
) -> None:
    x, y, width, height = box
    pen = ImageDraw.Draw(image)
    across, down = width / (COLUMNS + 1), height / (layout.rows + 1)

    def fill(column: int, row: int, colour: Colour) -> None:
        left, top = x + (column + 0.5) * across, y + (row + 0.5) * down
        corners = (round(left), round(top), round(left + across) - 1, round(top + down) - 1)
        pen.rectangle(corners, fill=colour)

    pen.rectangle((x, y, x + width - 1, y + height - 1), fill=_GREY[layout.kind])
    number = [int(code, 16) >> place & 1 for place in range(NUMBER_BITS)]
    bits = [*number, *checksum(layout.kind, number + said), *said]
    for (column, row), bit in zip(layout.cells, bits, strict=True):
        fill(column, row, _YES if bit else _NO)
    ends = ((0, 0), (COLUMNS - 1, 0), (0, layout.rows - 1), (COLUMNS - 1, layout.rows - 1))
    for (column, row), colour in zip(ends, _MARKS.values(), strict=True):
        fill(column, row, colour)
