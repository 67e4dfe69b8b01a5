"""Digits as dots, drawn here: what a model is sent must not change with the font of a library."""

from PIL import Image

WIDTH, HEIGHT = 5, 7  # of a digit, in dots
_DIGITS = (
    "01110 10001 10011 10101 11001 10001 01110",
    "00100 01100 00100 00100 00100 00100 01110",
    "01110 10001 00001 00110 01000 10000 11111",
    "11110 00001 00001 01110 00001 00001 11110",
    "00010 00110 01010 10010 11111 00010 00010",
    "11111 10000 11110 00001 00001 10001 01110",
    "00110 01000 10000 11110 10001 10001 01110",
    "11111 00001 00010 00100 01000 01000 01000",
    "01110 10001 10001 01110 10001 10001 01110",
    "01110 10001 10001 01111 00001 00010 01100",
)


def drawn_number(digits: str, dot: int) -> Image.Image:
    """Return a number as a mask, each dot a square of ``dot`` pixels, with a rim of one dot."""
    mask = Image.new("L", ((WIDTH + 1) * len(digits) + 1, HEIGHT + 2))
    for place, digit in enumerate(digits):
        for y, row in enumerate(_DIGITS[int(digit)].split()):
            for x, bit in enumerate(row):
                mask.putpixel((place * (WIDTH + 1) + 1 + x, 1 + y), 255 * int(bit))
    return mask.resize((mask.width * dot, mask.height * dot), Image.Resampling.NEAREST)
