"""How a scripted model answers a look: which colour fills the picture."""

from benchwright.asking.eyesight.drawing import COLOURS
from benchwright.colour_names import ColourName
from stand_ins.models import Question


def colour_seen(question: Question) -> ColourName:
    """Return the colour in the middle of the last picture of a question."""
    image = question.pictures[-1].image()
    pixel = image.getpixel((image.width // 2, image.height // 2))
    assert isinstance(pixel, tuple)

    def distance(name: ColourName) -> float:
        return sum(abs(a - b) for a, b in zip(COLOURS[name], pixel, strict=True))

    return min(COLOURS, key=distance)
