"""Tables in every shape that people export, and the errors for what is none."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from benchwright.errors import SourceError
from builders.table.reading import Table, read_table


def read(folder: Path, data: bytes | str, name: str = "t.csv") -> Table:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return read_table(path, "table")


def cells(table: Table) -> list[tuple[Any, ...]]:
    return [row.cells for row in table.rows]


@pytest.mark.parametrize(
    ("data", "encoding", "delimiter", "wanted"),
    [
        ("id,c\n1,é\n", "utf-8", ",", ("1", "é")),
        (b"\xef\xbb\xbfid,c\n1,\xc3\xa9\n", "utf-8-sig", ",", ("1", "é")),  # Excel's mark
        ("id,c\n1,é\n".encode("utf-16"), "utf-16", ",", ("1", "é")),
        (b"\xfe\xff" + "id,c\n1,é\n".encode("utf-16-be"), "utf-16", ",", ("1", "é")),
        ("id,c\n1,é\n".encode("utf-16-le"), "utf-16-le", ",", ("1", "é")),  # no mark
        ("id,c\n1,é\n".encode("utf-16-be"), "utf-16-be", ",", ("1", "é")),
        ("id,c\n1,é€\n".encode("cp1252"), "cp1252", ",", ("1", "é€")),
        ("id;c\n1;4,6\n", "utf-8", ";", ("1", "4,6")),  # decimal comma
        ("id;c\n1;4,6\n2;4,7\n", "utf-8", ";", ("1", "4,6")),
        ("id\tc\n1\ta, b, c\n2\td, e, f\n", "utf-8", "\t", ("1", "a, b, c")),
        ("id|c\n1|x\n", "utf-8", "|", ("1", "x")),
        ('"a;b",c\n1,x\n', "utf-8", ",", ("1", "x")),  # another one inside quotes
        ("id,c\r1,x\r2,y\r", "utf-8", ",", ("1", "x")),  # carriage returns alone
        ("id,c\r\n1,x\r\n", "utf-8", ",", ("1", "x")),
        ("\n\nid,c\n\n1,x\n\n", "utf-8", ",", ("1", "x")),  # blank lines are no rows
        ("id,c\n1,x", "utf-8", ",", ("1", "x")),  # no line end at the end
        ('id,c\n1,"a\n""b"",\nc"\n', "utf-8", ",", ("1", 'a\n"b",\nc')),  # newlines in quotes
        ('id,c\n1,5" heel\n', "utf-8", ",", ("1", '5" heel')),  # an inch
        ("id,c\n00123,1e10\n", "utf-8", ",", ("00123", "1e10")),  # text stays text
        ("id,c\n00012345678e90,NA\n", "utf-8", ",", ("00012345678e90", "NA")),
        ("id,c\n1, null \n", "utf-8", ",", ("1", " null ")),
        ("id,c\n1,\n", "utf-8", ",", ("1", "")),
        ("id,c\n1,\u2028x\x85\x0b\n", "utf-8", ",", ("1", "\u2028x\x85\x0b")),  # no line ends
        ("sep=|\nid|c\n1|a,b\n", "utf-8", "|", ("1", "a,b")),  # declared, for Excel
        ("sep=#\n1\n", "utf-8", ",", ("1",)),  # declares nothing that we know
        ("id\n7\n", "utf-8", ",", ("7",)),  # one column
    ],
)
def test_each_way_of_writing_a_table(
    tmp_path: Path, data: bytes | str, encoding: str, delimiter: str, wanted: tuple[str, ...]
) -> None:
    table = read(tmp_path, data)
    assert (table.format, table.encoding, table.delimiter) == ("csv", encoding, delimiter)
    assert cells(table)[0] == wanted
    assert not table.rejects


def test_the_content_decides_not_the_name(tmp_path: Path) -> None:
    assert read(tmp_path, "id\tc\n1\tx\n", "t.csv").delimiter == "\t"
    assert read(tmp_path, '{"id": 1}\n', "t.csv").format == "jsonl"
    pq.write_table(pa.table({"id": ["1"]}), tmp_path / "p.csv")
    assert read_table(tmp_path / "p.csv", "table").format == "parquet"


def test_lines_are_those_where_records_start(tmp_path: Path) -> None:
    table = read(tmp_path, 'id,c\n1,"a\nb\nc"\n\n2,x\n3\n4,y\n')
    assert [row.line for row in table.rows] == [2, 6, 8]
    (reject,) = table.rejects
    assert (reject.row, reject.reason) == (7, "ragged")
    assert reject.message == "t.csv, line 7: 1 cells where the header has 2"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("1,x,y", "ragged"),  # an unquoted comma shifts nothing
        ("1", "ragged"),
        ('1,"x" y', "bad_quotes"),
    ],
)
def test_a_bad_row_never_touches_the_next(tmp_path: Path, line: str, reason: str) -> None:
    table = read(tmp_path, f"id,c\n{line}\n2,z\n")
    assert cells(table) == [("2", "z")]
    assert [(reject.row, reject.reason) for reject in table.rejects] == [(2, reason)]


def test_a_cell_of_any_length(tmp_path: Path) -> None:
    long = "x" * 400_000
    assert cells(read(tmp_path, f"id,c\n1,{long}\n")) == [("1", long)]
    assert read(tmp_path, f"id;c\n1;{long}\n").delimiter == ";"


def test_a_nameless_column_is_called_by_its_place(tmp_path: Path) -> None:
    assert read(tmp_path, "id, name ,,\n1,2,3,4\n").columns == (
        "id",
        "name",
        "column 3",
        "column 4",
    )


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", ["is empty"]),
        (b"\n\n", ["blank"]),
        (b"\xef\xbb\xbf", ["blank"]),
        ('id,c\n1,x\n2,"open\n3,y\n4,z\n', ["starts on line 3", "never closed"]),
        ('id,c\n1,x\n2,"open\n3,y\n4,"z"\n', ["starts on line 3", "line 5"]),
        ('"id,c\n1,x\n', ["starts on line 1", "never closed"]),
        ("id,c,id\n1,2,3\n", ["columns 1 and 3", "'id'"]),
        (",,\n1,2,3\n", ["every column name"]),
        (b"id,c\n1,\x81\n", ["Windows-1252", "line 2"]),
        (b"\xef\xbb\xbfid,c\n1,\xff\n", ["utf-8-sig", "line 2"]),
        (b"id,c\n1," + "é".encode() * 99 + b"\n2,\xe9\n", ["line 3", "0xe9", "UTF-8"]),
        (b"id,c\n1,a\0b\n" + b"2,x\n" * 20, ["binary"]),
        (b"id,c\n" + b"1,x\n" * 20_000 + b"2,\0\n", ["NUL", "20002"]),  # beyond the first bytes
        (bytes(range(256)) * 9, ["binary"]),
        (b"PK\x03\x04\x14\0", ["Excel"]),
        (b"\x1f\x8b\x08\0", ["gzip"]),
        (b"\xff\xd8\xff\xe0\0\0", ["JPEG"]),
        (b"PAR1 and no more", ["Parquet"]),
        (b"PAR1", ["Parquet"]),
        ('[{"id": 1}, {"id": 2}]', ["JSON array", "each line"]),
        ('[\n{"id": 1}\n]', ["JSON array"]),
        ("{}\n{}\n", ["no line"]),
    ],
)
def test_what_is_no_table(tmp_path: Path, data: bytes | str, words: list[str]) -> None:
    with pytest.raises(SourceError) as caught:
        read(tmp_path, data)
    message = str(caught.value)
    assert "t.csv" in message
    for word in words:
        assert word in message


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="No such file"):
        read_table(tmp_path / "none.csv", "table")
    with pytest.raises(SourceError, match="folder"):
        read_table(tmp_path, "table")


def test_json_lines(tmp_path: Path) -> None:
    lines = [
        '{"id": 00, "c": 1}',  # no JSON: leading zero
        '{"id": 1234567890123456789012, "c": 1.10}',  # numbers as they are spelled
        '{"id": "007", "c": null}',
        "",
        '{"c": ["a", null, 2], "id": true, "more": {"x": NaN, "y": {"z": 1e5}}}',
        "[1]",
        '{"id": 1, "id": 2}',
        '{"id": "\\ud800"}',
        "{",
        '{"id": "last"}',
    ]
    table = read(tmp_path, "\n".join(lines[1:]) + "\n" + lines[0], "t.jsonl")
    assert table.columns == ("id", "c", "more.x", "more.y.z")
    assert cells(table) == [
        ("1234567890123456789012", "1.10", None, None),
        ("007", None, None, None),
        ("true", ["a", "2"], "NaN", "1e5"),
        ("last", None, None, None),
    ]
    assert [row.line for row in table.rows] == [1, 2, 4, 9]
    assert {(r.row, r.reason) for r in table.rejects} == {(n, "bad_json") for n in (5, 6, 7, 8, 10)}


def test_deep_json_is_one_bad_line(tmp_path: Path) -> None:
    table = read(tmp_path, '{"id": 1}\n' + "[" * 100_000 + "\n", "t.jsonl")
    assert [reject.reason for reject in table.rejects] == ["bad_json"]


def test_parquet(tmp_path: Path) -> None:
    pq.write_table(
        pa.table(
            {
                "id": pa.array([1, 2**53 + 1, None], pa.int64()),
                "f": pa.array([0.5, float("nan"), None]),
                "b": [True, False, None],
                "d": pa.array(["x", "NA", "x"]).dictionary_encode(),
                "l": [["a", None], [], None],
                "s": [{"p": "q"}, {"p": None}, None],
                "bytes": [b"\xff", b"", None],
                "pictures": [[b"\xff"], [], None],
                "files": [[{"bytes": b"\xff", "path": "a"}], None, None],
            }
        ),
        tmp_path / "t.parquet",
    )
    table = read_table(tmp_path / "t.parquet", "table")
    assert table.columns == ("id", "f", "b", "d", "l", "s.p")
    assert cells(table) == [
        ("1", "0.5", "true", "x", ["a"], "q"),
        ("9007199254740993", None, "false", "NA", [], None),
        (None, None, None, "x", None, None),
    ]
    assert [row.line for row in table.rows] == [1, 2, 3]
    assert table.encoding is None


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (123.0, "123"),  # whole numbers that a column with gaps makes floats of
        (-7.0, "-7"),
        (0.5, "0.5"),
        (1e16, "10000000000000000"),  # never with an exponent
        (1e-7, "0.0000001"),
        (float("inf"), "inf"),
    ],
)
def test_floats_of_a_parquet_are_written_as_a_csv_has_them(
    tmp_path: Path, number: float, text: str
) -> None:
    table = pa.table({"f": [number, None], "l": [[number], None]})
    pq.write_table(table, tmp_path / "t.parquet")
    assert cells(read_table(tmp_path / "t.parquet", "table"))[0] == (text, [text])


def test_a_parquet_of_bytes_alone(tmp_path: Path) -> None:
    pq.write_table(pa.table({"bytes": [b"\xff"]}), tmp_path / "t.parquet")
    with pytest.raises(SourceError, match="no column of text"):
        read_table(tmp_path / "t.parquet", "table")


def test_a_damaged_parquet(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": ["abc"] * 1000}), tmp_path / "t.parquet", compression="zstd")
    data = bytearray((tmp_path / "t.parquet").read_bytes())
    data[10:60] = b"\xff" * 50
    with pytest.raises(SourceError, match="broken Parquet"):
        read(tmp_path, bytes(data))


# letters of every kind that all the encodings under test can write
TEXT = st.text(
    st.sampled_from("aZ09 ,;\t|\"'éßÄ€\n\r-_=/#"),
    max_size=12,
)


@settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    rows=st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=8),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"]),
    delimiter=st.sampled_from(",;\t|"),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_what_is_written_is_read(
    tmp_path: Path, rows: list[tuple[str, ...]], encoding: str, delimiter: str, end: str
) -> None:
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerow(("first", "second", "third"))
    writer.writerows(rows)
    data = stream.getvalue().encode(encoding)
    if encoding == "cp1252":
        assume(_is_no_utf8(data))
    table = read(tmp_path, data)
    assert cells(table) == rows
    assert table.delimiter == delimiter


def _is_no_utf8(data: bytes) -> bool:
    try:
        return data.decode() == data.decode("cp1252")
    except UnicodeDecodeError:
        return True


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.dictionaries(st.text("abc", min_size=1), st.text()), min_size=1, max_size=6))
def test_json_lines_are_read_as_written(tmp_path: Path, rows: list[dict[str, str]]) -> None:
    assume(any(rows))
    table = read(tmp_path, "\n".join(map(json.dumps, rows)), "t.jsonl")
    got = [
        {
            name: cell
            for name, cell in zip(table.columns, row.cells, strict=True)
            if cell is not None
        }
        for row in table.rows
    ]
    assert got == rows
