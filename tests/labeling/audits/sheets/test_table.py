from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchwright.errors import SourceError
from benchwright.spreadsheet_cells import safe
from labeling.audits.sheets.cells import ASKED, FILLED
from labeling.audits.sheets.table import read_table, write_table

COLUMNS = (*ASKED, *FILLED)
# a NUL is no text; the ends of a cell are trimmed, for spreadsheets do it too
CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")).map(
    lambda text: text.strip(" \r\n")
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(rows=st.lists(st.lists(CELLS, min_size=len(COLUMNS), max_size=len(COLUMNS)), max_size=4))
def test_any_cells_come_back(rows: Sequence[Sequence[str]], tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    write_table(path, ([safe(cell) for cell in row] for row in rows))
    read = [tuple(line.cells[name] for name in COLUMNS) for line in read_table(path)]
    wanted = [tuple(row) for row in rows if any(safe(cell).strip() for cell in row)]
    assert read == wanted


def test_the_file_is_utf8_with_a_mark_and_crlf(tmp_path: Path) -> None:
    write_table(tmp_path / "a.csv", [["té", *[""] * (len(COLUMNS) - 1)]])
    data = (tmp_path / "a.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbfkey,task_id,kind,picture,asked,machine,verdict,value,")
    assert data.count(b"\r\n") == data.count(b"\n") == 2


@pytest.mark.parametrize(
    ("data", "row"),
    [
        # as we write it
        (b"\xef\xbb\xbfkey,task_id,verdict\r\nt1,a/b,yes\r\n", 2),
        # Excel where the comma is the decimal point
        (b"key;task_id;verdict\r\nt1;a/b;yes\r\n", 2),
        # Excel, Unicode text
        ("key\ttask_id\tverdict\r\nt1\ta/b\tyes\r\n".encode("utf-16"), 2),
        # the same without its mark
        ("key\ttask_id\tverdict\r\nt1\ta/b\tyes\r\n".encode("utf-16-le"), 2),
        # LibreOffice, all cells quoted
        (b'"key","task_id","verdict"\n"t1","a/b","yes"\n', 2),
        # Excel of an old Mac
        (b"key,task_id,verdict\rt1,a/b,yes\r", 2),
        # a first line that Excel wants
        (b"sep=;\r\nkey;task_id;verdict\r\nt1;a/b;yes\r\n", 3),
        # columns moved about, one added, names in other case and with blanks
        (b"mine,VERDICT, Task_ID ,Key\r\nx, yes ,a/b,t1\r\n", 2),
        # empty columns and rows behind, as spreadsheets save them
        (b"key,task_id,verdict,,,\r\n,,,,,\r\nt1,a/b,yes,,,\r\n,,,,,\r\n", 3),
        # blank lines, which spreadsheets count
        (b"\r\n\r\nkey,task_id,verdict\r\n\r\nt1,a/b,yes\r\n\r\n", 5),
        # a title above
        (b"sheet of ana\r\nkey,task_id,verdict\r\nt1,a/b,yes\r\n", 3),
        # cells that are missing at the end
        (b"key,task_id,verdict,value,note\r\nt1,a/b,yes\r\n", 2),
    ],
)
def test_spreadsheets_save_it_so(data: bytes, row: int, tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_bytes(data)
    (line,) = read_table(path)
    assert line.problem is None
    assert line.number == row
    assert {name: cell for name, cell in line.cells.items() if cell} == {
        "key": "t1",
        "task_id": "a/b",
        "verdict": "yes",
    }


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty"),
        (b"PK\x03\x04 and more", "an Excel workbook"),  # .xlsx
        (b"a,b\r\n1,2\r\n", "wanted the columns key or task_id, and verdict"),
        (b"key,verdict,verdict\r\n", "two columns are called 'verdict'"),
        (b'key,verdict\r\nt1,"yes\r\nt2,no\r\n', "line 2 has a quote that is not closed"),
        (bytes(range(256)), "binary"),
    ],
)
def test_what_is_no_sheet_is_refused_in_one_line(data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=r"sheet\.csv") as error:
        list(read_table(path))
    assert message in str(error.value)


def test_a_row_that_cannot_be_read_spoils_no_other(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_bytes(
        b"key,verdict\r\n"
        b't1,"yes"no\r\n'  # text behind a quote
        b"t2,yes,blue,red\r\n"  # a comma that was not quoted moves cells
        b"t3,yes\r\n"
    )
    lines = list(read_table(path))
    assert [(line.number, line.problem is None) for line in lines] == [
        (2, False),
        (3, False),
        (4, True),
    ]
    assert "4 cells where the header has 2" in str(lines[1].problem)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be read"):
        list(read_table(tmp_path / "none.csv"))
