"""The contact sheet: all pictures, in order, the target outlined."""

import io

import numpy as np
import pytest
from PIL import Image

from galleries.sheet import contact_sheet

COLOURS = ["#2040c0", "#20a040", "#c0a020", "#802080", "#208080", "#404040", "#c06020"]


def sheet(count: int, target: int, widest: int = 8) -> np.ndarray:
    pictures = [Image.new("RGB", (90, 120), COLOURS[at % len(COLOURS)]) for at in range(count)]
    with Image.open(io.BytesIO(contact_sheet(pictures, target, widest))) as drawn:
        assert drawn.format in ("JPEG", "PNG")
        return np.asarray(drawn.convert("RGB")).astype(int)


def columns_near(pixels: np.ndarray, colour: str) -> np.ndarray:
    """Return the column of each pixel of about this colour."""
    wanted = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)])
    return (abs(pixels - wanted).max(axis=2) < 40).nonzero()[1]


@pytest.mark.parametrize(
    ("count", "widest", "rows", "columns"),
    [
        (1, 8, 1, 1),
        (8, 8, 1, 8),
        (9, 8, 2, 5),  # as even as can be, not eight and one
        (10, 8, 2, 5),
        (17, 8, 3, 6),
        (5, 2, 3, 2),
    ],
)
def test_rows_are_even(count: int, widest: int, rows: int, columns: int) -> None:
    one, drawn = sheet(1, 1), sheet(count, 1, widest)
    # the outer gap is there once, each picture adds the same
    assert (drawn.shape[1] - 10) == columns * (one.shape[1] - 10)
    assert (drawn.shape[0] - 10) == rows * (one.shape[0] - 10)


def test_pictures_stand_in_their_order() -> None:
    drawn = sheet(5, 2)
    found = [columns_near(drawn, colour) for colour in COLOURS[:5]]
    assert min(map(len, found)) > 5000
    centres = [float(np.median(columns)) for columns in found]
    assert centres == sorted(centres)


@pytest.mark.parametrize("target", [1, 3, 5])
def test_the_target_alone_is_outlined(target: int) -> None:
    drawn = sheet(5, target)
    columns = columns_near(drawn, "#c82832")
    width = (drawn.shape[1] - 10) / 5
    assert len(columns) > 1000
    # the outline reaches into the gap around its own tile only
    assert columns.min() >= (target - 1) * width
    assert columns.max() <= target * width + 10
