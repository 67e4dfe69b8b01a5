"""What goes out of pictures: from the files of a source to the shards of a release."""

import csv
import hashlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from PIL import Image

from benchwright.workspace import Workspace
from exports.provenance.takedowns import take_down

Build = Callable[..., Any]
_LICENCES = ("CC BY 4.0", "https://creativecommons.org/licenses/by-nc/2.0/", "", "CC BY 4.0")


@pytest.fixture
def snaps(tmp_path: Path, run: Callable[..., Any]) -> Workspace:
    """Four photographs as a phone makes them: two share their bytes, one lies on its side."""
    with (tmp_path / "snaps.csv").open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["id", "image", "colour", "licence", "author", "product"])
        for number, licence in enumerate(_LICENCES):
            exif = Image.Exif()
            exif[0x010F] = "SECRET camera"
            exif[0x0112] = 6 if number == 1 else 1
            exif.get_ifd(0x8825).update({1: "N", 2: (52.0, 31.0, float(number % 3))})
            noise = np.random.default_rng(number % 3).integers(0, 256, (64, 48, 3), np.uint8)
            path = tmp_path / f"{number}.jpg"
            Image.fromarray(noise).save(path, exif=exif, comment="SECRET street")
            product = "coat" if number < 3 else ""
            rows.writerow([f"p{number}", path.name, "red", licence, "=Ana", product])
    where = ("--workspace", tmp_path / "workspace")
    columns = ("--id", "id", "--image", "image", "--attributes", "colour", "--licence", "licence")
    table = (
        "table",
        tmp_path / "snaps.csv",
        *columns,
        "--author",
        "author",
        "--group",
        "product",
        "--workers",
        "1",
    )
    for command in (("build-catalog", *table), ("label-attributes", "normalise")):
        ran = run(*command, *where)
        assert ran.code == 0, ran.err
    return Workspace(tmp_path / "workspace")


def shown(folder: Path) -> dict[str, dict[str, Any]]:
    paths = sorted((folder / "data" / "images").glob("*.parquet"))
    return {row["source_id"]: row for path in paths for row in pq.read_table(path).to_pylist()}


def test_no_byte_of_a_release_says_where_a_picture_was_taken(
    snaps: Workspace, build: Build
) -> None:
    folder = build(snaps).folder
    for path in folder.rglob("*"):
        assert not path.is_file() or b"SECRET" not in path.read_bytes()
    rows = shown(folder)
    assert list(map(len, (rows, set(rows)))) == [4, 4]
    for row in rows.values():
        data = row["image"]["bytes"]
        (stored,) = snaps.images.rglob(f"{row['source_sha256']}.*")
        assert row["sha256"] == hashlib.sha256(data).hexdigest()
        old, new = Image.open(stored), Image.open(io.BytesIO(data))
        assert np.array_equal(np.asarray(new), np.asarray(old))
        assert new.size == (row["width"], row["height"])
        assert not new.getexif()
    assert rows["p0"]["sha256"] != rows["p0"]["source_sha256"]
    assert rows["p1"]["image"]["path"].endswith(".png")  # it was turned upright when it came in
    assert rows["p0"]["image"]["path"].endswith(".jpg")


def test_metadata_stays_for_who_asks_for_it(snaps: Workspace, build: Build) -> None:
    rows = shown(build(snaps, keep_metadata=True).folder)
    assert b"SECRET street" in rows["p0"]["image"]["bytes"]
    assert rows["p0"]["sha256"] == rows["p0"]["source_sha256"]


def test_what_may_not_be_shared_stays_here(snaps: Workspace, build: Build) -> None:
    built = build(snaps, licences=("cc-by-4.0",))
    assert sorted(shown(built.folder)) == ["p0", "p3"]
    reasons = {"licence not shared: CC-BY-NC-2.0": 1, "no licence": 1}
    assert built.lock.left_out == {"images": reasons}
    labels = pq.read_table(next(built.folder.glob("data/labels/*.parquet")))
    assert set(labels.column("image_id").to_pylist()) == {
        row["image_id"] for row in shown(built.folder).values()
    }


def test_two_pictures_of_the_same_bytes_go_together(snaps: Workspace, build: Build) -> None:
    rows = shown(build(snaps).folder)
    take_down(snaps, "r", rows["p0"]["image_id"], "asked")
    assert sorted(shown(build(snaps, "1.0.1").folder)) == ["p1", "p2"]


def test_pictures_of_its_group_are_named(snaps: Workspace, build: Build) -> None:
    rows = shown(build(snaps).folder)
    ids = {name: row["image_id"] for name, row in rows.items()}
    done = take_down(snaps, "r", ids["p0"], "asked")
    assert done is not None
    assert done.alike == tuple(sorted((ids["p1"], ids["p2"])))
    done = take_down(snaps, "r", ids["p1"], "asked")
    assert done is not None
    assert done.alike == (ids["p2"],)  # what is down already needs no look
    done = take_down(snaps, "r", ids["p3"], "asked")
    assert done is not None
    assert done.alike == ()  # of no group
