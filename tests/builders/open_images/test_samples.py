"""The real samples of every version, with their numbers."""

import csv
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from builders.masks import mask_area

DATA = Path(__file__).parents[2] / "data" / "open_images"


def attributes(item: Any) -> list[tuple[str, str, str]]:
    return [(one.type, one.value, one.origin) for one in item.attributes]


def test_v5_layout(tmp_path: Path, build: Callable[..., Any]) -> None:
    result = build(DATA / "datumaro_assets" / "v5", tmp_path)
    assert sorted(result.items) == ["aa", "cc"]
    aa, cc = result.items["aa"], result.items["cc"]
    assert (aa.split, aa.author, aa.title, aa.licence, aa.url) == (
        "train", "Intel", "Test Image AA", None, None,
    )  # fmt: skip
    assert (aa.width, aa.height, cc.width, cc.height, cc.split) == (6, 8, 5, 10, "test")
    assert result.rejects == []
    assert result.changes == []


def test_v6_layout(tmp_path: Path, build: Callable[..., Any]) -> None:
    result = build(DATA / "datumaro_assets" / "v6", tmp_path)
    assert sorted(result.items) == ["a", "b", "c"]
    assert [(one.source_id, one.row, one.reason) for one in result.rejects] == [("d", 5, "ragged")]
    assert attributes(result.items["a"]) == [("label", "Generic label #0", "verified")]
    assert attributes(result.items["b"]) == []  # verified to be absent
    (absent,) = result.changes
    assert (absent.source_id, absent.reason) == ("b", "verified_absent")
    assert absent.message == "/m/0 Generic label #0"
    (b,) = result.items["b"].objects
    assert b.category == "Generic label #0"
    assert b.bbox == pytest.approx((1.6, 0.6, 6.4, 0.4))  # of 8 x 2 pixels
    assert (b.is_crowd, b.is_occluded, b.is_truncated) == (False, None, None)  # all of them -1
    assert b.mask is not None
    assert mask_area(b.mask, 8, 2) == b.area == 4
    (c,) = result.items["c"].objects
    assert c.bbox == pytest.approx((3.5, 0, 0.5, 5.0))  # of 5 x 10 pixels
    assert (c.is_crowd, c.is_occluded, c.is_truncated) == (True, True, False)
    assert any("hierarchy: 3 classes" in line for line in result.lines)


def with_pictures(folder: Path, sample: str, jpeg: bytes, *ids: str) -> Path:
    shutil.copytree(DATA / sample, folder)
    for one in ids:
        (folder / f"{one}.jpg").write_bytes(jpeg)
    return folder


def test_v3_headers(tmp_path: Path, build: Callable[..., Any], jpeg: Callable[..., bytes]) -> None:
    folder = with_pictures(tmp_path / "v3", "header_samples_v3", jpeg(20, 10), "000060e3121c7305")
    listed = build(folder, tmp_path / "listed")
    item = listed.items["000060e3121c7305"]
    assert (item.author, item.title) == ("David", "28 Nov 2010 Our new house.")
    assert item.licence == "https://creativecommons.org/licenses/by/2.0/"
    assert item.url == "https://c1.staticflickr.com/5/4129/5215831864_46f356962f_o.jpg"
    assert listed.reasons == {"unlisted_picture": 5}
    (folder / "images.csv").unlink()  # without a list, pictures are those that any file names
    for one in ("000002b66c9c498e", "000026e7ee790996", "0000c64e1253d68f"):
        (folder / f"{one}.jpg").write_bytes(jpeg(20, 10))
    named = build(folder, tmp_path / "named")
    assert sorted(named.items) == ["000002b66c9c498e", "000026e7ee790996", "0000c64e1253d68f"]
    assert named.reasons == {"missing_file": 2}
    assert {one.source_id for one in named.rejects} == {"000062a39995e348", "000002b97e5471a0"}
    assert sum(len(item.objects) for item in named.items.values()) == 9 + 3 + 4
    first = named.items["000002b66c9c498e"]
    assert attributes(first) == [
        ("machine label", "/m/01kcnl", "machine, confidence 0.5"),
        ("machine label", "/m/05_4_", "machine, confidence 0.7"),
        ("machine label", "/m/0krfg", "machine, confidence 0.7"),
    ]
    assert all(one.is_occluded is None for one in first.objects)  # eight columns, no flags
    verified = named.items["000026e7ee790996"]
    assert [value for _, value, _ in attributes(verified)] == [
        "/m/01bqvp", "/m/01cbzq", "/m/07j7r", "/m/0csby",
    ]  # fmt: skip
    (absent,) = named.changes
    assert len(absent.message.split("; ")) == 5
    assert all(one.is_crowd for one in verified.objects)


def test_v6_headers(tmp_path: Path, build: Callable[..., Any], jpeg: Callable[..., bytes]) -> None:
    ids = ("000002b66c9c498e", "000ac95750ac7399", "4fa8054781a4c382", "b37f763ae67d0888")
    folder = with_pictures(tmp_path / "v6", "header_samples_v6", jpeg(1000, 500), *ids)
    listed = build(folder, tmp_path / "listed")
    assert sorted(listed.items) == ["4fa8054781a4c382", "b37f763ae67d0888"]
    assert listed.items["4fa8054781a4c382"].title == "...die FNF-Kerze"
    assert listed.reasons == {"unlisted_picture": 6}
    (folder / "train-images-boxable-with-rotation.csv").unlink()
    named = build(folder, tmp_path / "named")
    assert sorted(named.items) == ["000002b66c9c498e", "000ac95750ac7399"]
    assert named.reasons == {"missing_file": 4}  # those of the four masks
    boxes = named.items["000002b66c9c498e"].objects  # 21 columns
    assert boxes[0].bbox == pytest.approx((12.5, 74.219, 182.812, 219.531))
    assert [one.is_occluded for one in boxes] == [False, False, True]
    bottles = named.items["000ac95750ac7399"].objects  # no box has them
    assert named.altered == {"implied_object": 2, "verified_absent": 1}
    assert [[(a.type, a.raw, a.origin) for a in one.attributes] for one in bottles] == [
        [("attribute", "/m/019nj4", "relationship")]
    ] * 2
    ignored = [line for line in named.lines if line.startswith("ignored")]
    assert len(ignored) == 1
    assert "triplets" in ignored[0]


SIX = ("Human foot", "Human body", "Human arm", "Human hand", "Human head", "Human leg")


@pytest.mark.parametrize(
    ("name", "pictures", "classes", "groups", "occluded"),
    [
        ("train-annotations-bbox.sample.csv", 886, {"Human foot": 2000}, 3, 1231),
        ("test-annotations-bbox.csv", 2281, dict.fromkeys(SIX, 464), 104, 1046),
    ],
)
def test_real_boxes(
    tmp_path: Path,
    build: Callable[..., Any],
    jpeg: Callable[..., bytes],
    name: str,
    pictures: int,
    classes: dict[str, int],
    groups: int,
    occluded: int,
) -> None:
    """Every row of the real boxes is an object, of the class that the official list names."""
    folder = tmp_path / "boxes"
    folder.mkdir()
    shutil.copy(DATA / "boxes" / name, folder)
    shutil.copy(DATA / "names" / "class-descriptions-boxable.csv", folder)
    with (folder / name).open(newline="") as stream:
        records = list(csv.DictReader(stream))
    picture = jpeg(100, 50)
    for one in {record["ImageID"] for record in records}:
        (folder / f"{one}.JPG").write_bytes(picture)
    result = build(folder, tmp_path / "w")
    objects = [one for item in result.items.values() for one in item.objects]
    assert len(result.items) == pictures
    assert result.rejects == []
    assert result.changes == []
    assert Counter(one.category for one in objects) == classes
    assert sum(one.is_crowd for one in objects) == groups
    assert sum(bool(one.is_occluded) for one in objects) == occluded
    wanted = sorted(
        (record["ImageID"], round(float(record["XMin"]) * 100, 4), float(record["YMax"]) * 50)
        for record in records
    )
    found = sorted(
        (item.source_id, round(one.bbox[0], 4), one.bbox[1] + one.bbox[3])
        for item in result.items.values()
        for one in item.objects
    )
    assert [one[:2] for one in found] == [one[:2] for one in wanted]
    assert [one[2] for one in found] == pytest.approx([one[2] for one in wanted], abs=1e-3)


def test_names_of_v1(tmp_path: Path, build: Callable[..., Any], jpeg: Callable[..., bytes]) -> None:
    """Quoted names, with commas and letters outside ASCII; the boxable list wins its spelling."""
    folder = tmp_path / "names"
    shutil.copytree(DATA / "names", folder)
    (folder / "x.jpg").write_bytes(jpeg(8, 8))
    (folder / "l.csv").write_text(
        "ImageID,Source,LabelName,Confidence\n"
        "x,verification,/m/01c_0l,1\nx,verification,/m/0132x9,1\nx,verification,/m/011k07,1\n"
    )
    result = build(folder, tmp_path / "w")
    assert [value for _, value, _ in attributes(result.items["x"])] == [
        "Tortoise", "ducks, geese and swans", "kakigōri",
    ]  # fmt: skip
    assert any("601 rows = 601 kept" in line for line in result.lines)
    assert any("29 rows = 29 kept" in line for line in result.lines)
