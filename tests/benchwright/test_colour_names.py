"""The names of colours stand in one place; the tones of each use are its own."""

import pytest

from benchwright.asking.eyesight import drawing
from benchwright.asking.eyesight.drawing import asked_colour, chosen
from benchwright.clip import drawings
from benchwright.colour_names import COLOUR_NAMES


@pytest.mark.parametrize("tones", [drawing.COLOURS, drawings.COLOURS])
def test_each_name_has_its_tone(tones: dict[str, tuple[int, int, int]]) -> None:
    assert sorted(tones) == sorted(COLOUR_NAMES)
    assert len(set(tones.values())) == len(COLOUR_NAMES)


def test_what_voters_were_shown_is_shown_again() -> None:
    """Another word or another tone would be another question: all stored looks would be lost."""
    assert chosen(5) == ["black", "purple", "orange", "green", "yellow"]
    assert asked_colour("this picture") == (
        "Which colour fills this picture? Reply with one word: black, blue, green, orange, purple,"
        " red, white or yellow."
    )
    assert [drawing.COLOURS[name] for name in chosen(5)] == [
        (0, 0, 0),
        (130, 0, 160),
        (255, 140, 0),
        (0, 150, 0),
        (255, 240, 0),
    ]
