"""Rows of annotations, well and badly written."""

import json
import math
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import SourceError, UsageError
from labeling.dialogues.candidate_set.mapping.annotations import (
    Annotation,
    AnnotationsRead,
    Given,
    read_annotations,
)

WHEN = "2026-03-01T12:00:00+00:00"
ROW: dict[str, Any] = {"dialogue_id": "d1", "turn": 1, "annotator": "ana", "at": WHEN}


def json_lines(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def read(path: Path, given: Given | None = None) -> AnnotationsRead:
    return read_annotations(path, given or Given())


def of_row(folder: Path, given: Given | None = None, **cells: Any) -> AnnotationsRead:
    row = {**ROW, "points": None, "boxes": None, **cells}
    return read(json_lines(folder / "marks.jsonl", row), given)


@pytest.mark.parametrize(
    ("cells", "wanted"),
    [
        ({"points": [[10, 20.5], [3, 4]]}, {"points": ((10, 20.5), (3, 4))}),
        ({"points": [["10", "20"]]}, {"points": ((10, 20),)}),
        ({"points": "[[10, 20]]"}, {"points": ((10, 20),)}),  # as a text
        ({"points": [], "boxes": [[1, 2, 3, 4]]}, {"drawn": ((1, 2, 3, 4),)}),
        ({"boxes": [2, "11"]}, {"named": ("2", "11")}),
        ({"boxes": '["2", 11]'}, {"named": ("2", "11")}),
        ({"points": [[1, 2]], "turn": "1.0"}, {"points": ((1, 2),)}),
        ({"points": [[1, 2]], "at": "2026-03-01T13:00+01:00"}, {"points": ((1, 2),)}),
        ({"points": [[1, 2]], "at": "2026-03-01T12:00"}, {"points": ((1, 2),)}),
    ],
)
def test_a_row_is_an_annotation(tmp_path: Path, cells: Any, wanted: dict[str, Any]) -> None:
    found = of_row(tmp_path, **cells)
    assert list(found.annotations) == [
        Annotation(dialogue_id="d1", turn=1, annotator="ana", row=1, at=WHEN, **wanted)
    ]
    assert not found.rejects


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({}, "nothing_marked"),
        ({"points": []}, "nothing_marked"),
        ({"points": [[1, 2]], "boxes": [1]}, "points_and_boxes"),
        ({"points": [[1, 2, 3]]}, "bad_points"),
        ({"points": [[1, None]]}, "bad_points"),
        ({"points": [1, 2]}, "bad_points"),
        ({"points": "1, 2"}, "bad_points"),
        ({"points": '{"x": 1}'}, "bad_points"),
        ({"points": "[[1, 2]"}, "bad_points"),
        ({"points": "[[1, true]]"}, "bad_points"),
        ({"points": "[[1, NaN]]"}, "bad_points"),
        ({"points": [["1", "a"]]}, "bad_points"),
        ({"points": [[1, 10**400]]}, "bad_points"),
        ({"points": "[" * 100_000}, "bad_points"),
        ({"boxes": [[1, 2, 3]]}, "bad_boxes"),
        ({"boxes": [[1, 2, 3, 4], 2]}, "bad_boxes"),
        ({"points": [[1, 2]], "at": "yesterday"}, "bad_time"),
        ({"points": [[1, 2]], "at": "0001-01-01T00:00+23:00"}, "bad_time"),
        ({"points": [[1, 2]], "at": None}, "no_time"),
    ],
)
def test_a_bad_row_keeps_whose_it_is(tmp_path: Path, cells: Any, reason: str) -> None:
    (found,) = of_row(tmp_path, **cells).annotations
    assert found.fault is not None
    assert (found.dialogue_id, found.turn, found.annotator) == ("d1", 1, "ana")
    assert found.fault.reason == reason
    assert len(str(found.fault)) < 250


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"dialogue_id": " "}, "no_dialogue"),
        ({"dialogue_id": ["d1"]}, "no_dialogue"),
        ({"turn": None}, "no_turn"),
        ({"turn": 0}, "no_turn"),
        ({"turn": 1.5}, "no_turn"),
        ({"turn": "one"}, "no_turn"),
        ({"turn": "inf"}, "no_turn"),
        ({"turn": "nan"}, "no_turn"),
        ({"turn": 10**12}, "no_turn"),
        ({"annotator": None}, "no_annotator"),
        ({"annotator": "a" * 65}, "no_annotator"),
    ],
)
def test_a_row_of_nobody_or_no_turn_is_a_reject(tmp_path: Path, cells: Any, reason: str) -> None:
    found = of_row(tmp_path, points=[[1, 2]], **cells)
    assert not found.annotations
    (reject,) = found.rejects
    assert (reject.reason, reject.row, reject.path) == (reason, 1, "marks.jsonl")


def test_a_csv_is_read_as_any_spreadsheet_saves_it(tmp_path: Path) -> None:
    path = tmp_path / "marks.csv"
    lines = [
        "\ufeffNote;Dialogue_ID;turn;Annotator;points;at",
        f';d1;1;ana;"[[10, 20], [30.5, 4]]";{WHEN}',
        f";d1;2;ana;;{WHEN}",
        ";d1;3",
    ]
    path.write_text("\r\n".join(lines), "utf-8")
    found = read(path)
    assert [one.points for one in found.annotations] == [((10, 20), (30.5, 4)), ()]
    assert [one.row for one in found.annotations] == [2, 3]
    assert [(one.reason, one.row) for one in found.rejects] == [("ragged", 4)]


def test_what_rows_do_not_say_is_given(tmp_path: Path) -> None:
    given = Given.of(" ana ", "2026-03-02")
    (found,) = of_row(tmp_path, given, points=[[1, 2]], annotator=None, at="").annotations
    assert (found.annotator, found.at) == ("ana", "2026-03-02T00:00:00+00:00")
    (own,) = of_row(tmp_path, given, points=[[1, 2]]).annotations
    assert own.at == WHEN
    with pytest.raises(UsageError, match=r"row 1: was annotated by bo, not by ana"):
        of_row(tmp_path, given, points=[[1, 2]], annotator="bo")
    with pytest.raises(UsageError, match=r"--at wants a day .* got 'soon'"):
        Given.of(None, "soon")
    with pytest.raises(UsageError, match="a name has 1 to 64"):
        Given.of(" ", None)


@pytest.mark.parametrize(
    ("lacking", "said"),
    [
        ({"dialogue_id"}, "wanted the columns dialogue_id; found turn, annotator, at, points"),
        ({"turn", "points"}, "wanted the columns turn, points or boxes"),
        ({"annotator"}, "nobody says who annotated; .* by --annotator"),
        ({"at"}, "nothing says when .* by --at 2026-03-01"),
    ],
)
def test_a_file_that_lacks_a_column_is_refused(
    tmp_path: Path, lacking: set[str], said: str
) -> None:
    row = {name: cell for name, cell in {**ROW, "points": [[1, 2]]}.items() if name not in lacking}
    with pytest.raises(UsageError, match=said):
        read(json_lines(tmp_path / "marks.jsonl", row))


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n", b"\x00\x01\x02", b"[1, 2]", b"\xff\xfe\x00"])
def test_what_is_no_table_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "marks.jsonl"
    path.write_bytes(data)
    with pytest.raises((SourceError, UsageError)):
        read(path)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@given(st.fixed_dictionaries(dict.fromkeys(("turn", "points", "boxes", "at"), JSON)))
def test_whatever_a_row_holds_stops_nothing(cells: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        good = {**ROW, "points": [[1, 2]], "boxes": None}
        path = json_lines(Path(folder) / "marks.jsonl", good, {**ROW, **cells})
        found = read(path, Given.of(None, "2026-03-01"))
    assert len(found.annotations) + len(found.rejects) == 2
    assert found.annotations[0].fault is None
    for one in found.annotations:
        marks = one.points or one.drawn or one.named
        assert (one.fault is None) == bool(marks)
        assert all(math.isfinite(number) for mark in one.points + one.drawn for number in mark)


def test_lines_that_are_no_json_stop_nothing(tmp_path: Path) -> None:
    path = json_lines(tmp_path / "marks.jsonl", {**ROW, "points": [[1, 2]]})
    with path.open("a") as stream:
        stream.write('{"dialogue_id": \n[]\n{"turn": 1, "turn": 2}\n')
    found = read(path)
    assert len(found.annotations) == 1
    assert [(one.row, one.reason) for one in found.rejects] == [
        (at, "bad_json") for at in (2, 3, 4)
    ]
