"""Pictures whose answer is known: one colour, drawn here."""

import hashlib
import io
import re
from collections.abc import Mapping
from pathlib import Path

from PIL import Image

from benchwright import seeds
from benchwright.asking.reading import without_reasoning
from benchwright.asking.requests import PicturePart
from benchwright.colour_names import COLOUR_NAMES, ColourName

# not the tones of benchwright/clip/drawings.py: a look is stored under its pixels, so that other
# ones would ask every voter anew whether it sees
COLOURS: Mapping[ColourName, tuple[int, int, int]] = {
    "black": (0, 0, 0),
    "blue": (0, 0, 255),
    "green": (0, 150, 0),
    "orange": (255, 140, 0),
    "purple": (130, 0, 160),
    "red": (235, 0, 0),
    "white": (255, 255, 255),
    "yellow": (255, 240, 0),
}
_WORDS = re.compile(rf"\b({'|'.join(COLOUR_NAMES)})\b", re.IGNORECASE)


def draw(folder: Path, colour: ColourName, width: int, height: int | None = None) -> PicturePart:
    """Return a picture of one colour, a square without ``height``; its file is in ``folder``."""
    image = Image.new("RGB", (width, height or width), COLOURS[colour])
    stream = io.BytesIO()
    image.save(stream, "PNG", compress_level=1)
    data = stream.getvalue()
    sha256 = hashlib.sha256(data).hexdigest()
    path = folder / f"{sha256}.png"
    path.write_bytes(data)
    return PicturePart(sha256=sha256, path=path)


def chosen(count: int) -> list[ColourName]:
    """Return so many different colours, always the same ones."""
    return seeds.shuffled(list(COLOUR_NAMES), 0, "colours of the doctor")[:count]


def asked_colour(what: str) -> str:
    """Return the question for the colour of ``what``."""
    *others, last = COLOUR_NAMES
    return f"Which colour fills {what}? Reply with one word: {', '.join(others)} or {last}."


def names(text: str, colour: str) -> bool:
    """Tell whether an answer names this colour and no other; thoughts before it do not count."""
    return {word.lower() for word in _WORDS.findall(without_reasoning(text))} == {colour}
