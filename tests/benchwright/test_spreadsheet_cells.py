"""Texts in the cells of spreadsheets."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.spreadsheet_cells import bare, readable, safe

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",  # a formula
        '=HYPERLINK("http://x.example","y")',
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",  # spreadsheets pass over blanks
        "\r=1",
        "  =1",
        "＝1+1",  # full width: a formula too where such keyboards are used
        "'=1",  # whoever takes one quote away must not run it
        "=cmd|'/C calc'!A0",
    ],
)
def test_hostile_cells_do_not_run_and_come_back(text: str) -> None:
    assert safe(text) == f"'{text}"
    assert bare(safe(text)) == text


@pytest.mark.parametrize("text", ["", "red", "5 = 5", "'tis red", "a-b", "Größe", "1-2"])
def test_other_cells_stay_as_they_are(text: str) -> None:
    assert safe(text) == text
    assert bare(text) == text


@given(TEXTS)
def test_any_text_comes_back(text: str) -> None:
    assert bare(safe(text)) == text
    assert safe(text)[:1] not in set("=+-@＝＋－＠\t\r\n") - {""}


@given(TEXTS)
def test_a_readable_cell_is_one_safe_line(text: str) -> None:
    cell = readable(text)
    assert cell.isprintable()
    assert safe(cell) in (cell, f"'{cell}")
    assert cell[:1] not in set("=+-@")


def test_the_csv_module_agrees() -> None:
    text = io.StringIO(newline="")
    csv.writer(text).writerow([safe('=1,"2"')])
    assert text.getvalue() == '"\'=1,""2"""\r\n'
