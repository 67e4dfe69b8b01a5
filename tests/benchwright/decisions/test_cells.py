"""The cells that labels are of, and what decisions on these are about."""

import pyarrow as pa
import pytest

from benchwright.decisions.cells import CELL, Cell, cell_of, cells_in, name_of, thing_of_cell
from benchwright.decisions.standing import Thing


@pytest.mark.parametrize(
    ("thing", "cell"),
    [
        # a label of a picture
        (Thing("i", None, None, "colour/red"), ("i", None, "colour", "red")),
        # of an object, with a slash in both names
        (Thing("i", "o", None, "a~1b/c~1d"), ("i", "o", "a/b", "c/d")),
    ],
)
def test_a_cell_is_the_thing_that_decisions_are_about(thing: Thing, cell: Cell) -> None:
    assert cell_of(thing) == cell
    assert thing_of_cell(cell) == thing


@pytest.mark.parametrize(
    "thing",
    [
        # a check of a record has no label, even where its field is spelt as one
        Thing(None, None, "r", "colour/red"),
        # the name of a check is no label of a picture
        Thing("i", None, None, "gallery"),
    ],
)
def test_what_is_no_label_has_no_cell(thing: Thing) -> None:
    assert cell_of(thing) is None


def test_the_cells_of_a_table() -> None:
    cells: list[Cell] = [("i", None, "colour", "red"), ("i", "o", "colour", "blue")]
    rows = [dict(zip(CELL, cell, strict=True)) | {"answer": "yes"} for cell in cells]
    assert list(cells_in(pa.Table.from_pylist(rows))) == cells


def test_the_name_of_a_cell() -> None:
    assert name_of(("i", None, "colour", "red")) == "i colour: red"
    assert name_of(("i", "o", "colour", "red")) == "i/o colour: red"
