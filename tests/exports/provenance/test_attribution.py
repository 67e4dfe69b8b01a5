import csv
from collections.abc import Callable
from typing import Any

import pytest

from benchwright.records import Item
from benchwright.workspace import Workspace
from exports.provenance.attribution import COLUMNS, FILE, write_attribution
from stand_ins.dialogues import spoken_about

BY_SA = "https://creativecommons.org/licenses/by-sa/2.0/"


def test_each_picture_of_a_release_is_credited(coco: Workspace, build: Callable[..., Any]) -> None:
    built = build(coco)
    data = (built.folder / FILE).read_bytes()
    assert data.count(b"\r\n") == data.count(b"\n") == 5  # RFC 4180
    rows = list(csv.DictReader(data.decode().splitlines()))
    assert [row["image_id"] for row in rows] == sorted(row["image_id"] for row in rows)
    (dog,) = [row for row in rows if row["source_id"] == "validation/000000404484.jpg"]
    assert dog == {
        "image_id": dog["image_id"],
        "title": "",
        "author": "",
        "source": "coco",
        "source_id": "validation/000000404484.jpg",
        "link": "http://farm3.staticflickr.com/2645/4216057008_f835cc6fdf_z.jpg",
        "licence": "CC-BY-SA-2.0",
        "licence_as_stated": "http://creativecommons.org/licenses/by-sa/2.0/",
        "licence_link": BY_SA,
    }


@pytest.mark.parametrize(
    ("author", "cell"),
    [
        ('=HYPERLINK("http://evil.example","me")', '\'=HYPERLINK("http://evil.example","me")'),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("+49 30 1234", "'+49 30 1234"),
        ("Müller, Zoë\r\n=1+1", "Müller, Zoë  =1+1"),  # a second line would be a cell of its own
        ('the "owner"', 'the "owner"'),
        ("王小明", "王小明"),
        (None, ""),
    ],
)
def test_no_spreadsheet_runs_a_cell(
    making_of: Callable[..., Any], author: str | None, cell: str
) -> None:
    making = making_of(spoken_about("b"), spoken_about("a", author=author))
    write_attribution(making)
    with (making.folder / FILE).open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[0] == list(COLUMNS)
    assert len(rows) == 3
    assert {len(row) for row in rows} == {len(COLUMNS)}
    assert cell in [row[COLUMNS.index("author")] for row in rows]


def test_the_order_of_the_pictures_changes_nothing(making_of: Callable[..., Any]) -> None:
    items: list[Item] = [spoken_about(name) for name in "abcd"]
    found = []
    for some in (items, items[::-1]):
        making = making_of(*some)
        write_attribution(making)
        found.append((making.folder / FILE).read_bytes())
    assert found[0] == found[1]
