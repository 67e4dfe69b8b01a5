"""Real COCO files, all their records accounted for."""

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pycocotools import mask as coco_mask
from pycocotools.coco import COCO

from benchwright.identity import image_id_of
from builders import masks
from builders.splits import canonical_split

DATA = Path(__file__).parents[2] / "data"
COCO2017 = DATA / "coco"
FILES = sorted((COCO2017 / "annotations").glob("*.json"))
VARIANTS = DATA / "coco_variants" / "coco_dataset" / "coco"


@pytest.fixture
def real(build: Callable[..., Any]) -> Any:
    return build(*FILES)


def test_every_record_of_the_real_files_is_accounted_for(real: Any) -> None:
    assert len(list(COCO2017.glob("*2017/*.jpg"))) == len(real.items) == 9
    assert real.counts["rows"] == 56
    assert real.reasons("picture") == {"missing_file": 47}
    kept, lost = len(real.objects), real.reasons("object")
    assert kept + sum(lost.values()) == 657
    assert set(lost) == {"picture_refused"}
    assert len(real.captions) + sum(real.reasons("caption").values()) == 190
    assert f"objects: 657 read = {kept} kept + {657 - kept} refused" in real.lines
    assert "pictures: 94 records in 4 files are 56 = 9 kept + 47 refused" in real.lines
    assert set(real.changed()) <= {"text_cleaned"}
    for item in real.items:
        assert item.image_id == image_id_of("coco", item.source_id)
        assert item.source_id.startswith(f"{item.split}/0000")
        assert item.licence.startswith(("http://creativecommons.org/", "http://flickr.com/"))
        assert "staticflickr.com" in item.url


def test_areas_boxes_and_masks_are_those_of_pycocotools(
    real: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    by_picture = {item.source_id: item for item in real.items}
    seen = crowds = 0
    for split in ("train", "val"):
        coco = COCO(str(COCO2017 / "annotations" / f"instances_{split}2017.json"))
        for record in coco.dataset["annotations"]:
            name = coco.imgs[record["image_id"]]["file_name"]
            item = by_picture.get(f"{canonical_split(split)}/{name}")
            if item is None:
                continue
            (thing,) = [one for one in item.objects if one.object_id == str(record["id"])]
            theirs = coco.annToRLE(record)
            assert thing.mask == theirs["counts"].decode()
            assert masks.mask_area(thing.mask, item.width, item.height) == coco_mask.area(theirs)
            assert thing.bbox == tuple(record["bbox"])
            assert thing.area == record["area"]
            assert thing.is_crowd == bool(record["iscrowd"])
            assert thing.category == coco.cats[record["category_id"]]["name"]
            seen, crowds = seen + 1, crowds + thing.is_crowd
    assert seen == len(real.objects)
    assert crowds == 3


def test_any_order_of_files_and_records_gives_the_same_bytes(
    real: Any, build: Callable[..., Any], tmp_path: Path
) -> None:
    chance = random.Random(5)
    paths = []
    for path in FILES:
        data = json.loads(path.read_text())
        for key in ("images", "annotations", "categories", "licenses"):
            chance.shuffle(data.get(key, []))
        paths.append(tmp_path / "annotations" / path.name)
        paths[-1].parent.mkdir(exist_ok=True)
        paths[-1].write_text(json.dumps(data))
    chance.shuffle(paths)
    other = build(*paths, images=COCO2017, where="other")
    for name in ("items-00000.parquet", "changes.parquet"):
        assert other.bytes[name] == real.bytes[name]
    # what is said of a missing picture names the folder; nothing else may differ
    assert [(r.kind, r.source_id, r.reason) for r in other.rejects] == [
        (r.kind, r.source_id, r.reason) for r in real.rejects
    ]


def test_the_kinds_of_files(build: Callable[..., Any]) -> None:
    found = build(*(VARIANTS / "annotations").glob("*.json"))
    by_id = {item.source_id: item for item in found.items}
    assert set(by_id) == {"train/a.jpg", "validation/b.jpg"}
    val = by_id["validation/b.jpg"]
    # of instances, keypoints and stuff one object each, of panoptic two more
    assert [one.object_id for one in val.objects] == ["1", "2", "7", "20"]
    assert [one.is_crowd for one in val.objects] == [False, True, False, True]
    assert [one.mask is None for one in val.objects] == [False, False, True, True]
    assert masks.mask_area(val.objects[1].mask, 5, 10) == 20
    assert {(a.type, a.value) for a in val.objects[0].attributes} == {("x", "1"), ("y", "hello")}
    assert {(a.type, a.value) for a in val.attributes} == {("label", "a"), ("label", "b")}
    assert val.captions == ("world", "text")
    assert found.reasons() == {"duplicate_object": 3}
    for words in ("keypoints of 2 annotations", "panoptic", "8 read = 5 kept + 3 refused"):
        assert any(words in line for line in found.lines)


@pytest.mark.parametrize("name", sorted(p.name for p in (VARIANTS / "annotations").glob("*")))
def test_each_kind_by_itself(name: str, build: Callable[..., Any]) -> None:
    found = build(VARIANTS / "annotations" / name)
    assert len(found.items) == 1
    assert not found.rejects


def test_the_layout_of_roboflow(build: Callable[..., Any], tmp_path: Path) -> None:
    for split, name in (("train", "a.jpg"), ("val", "b.jpg")):
        folder = tmp_path / "export" / ("valid" if split == "val" else split)
        folder.mkdir(parents=True)
        annotations = DATA / "coco_variants/coco_dataset/coco_roboflow" / split
        data = (annotations / "_annotations.coco.json").read_bytes()
        (folder / "_annotations.coco.json").write_bytes(data)
        (folder / name).write_bytes((VARIANTS / "images" / split / name).read_bytes())
    found = build(*(tmp_path / "export").glob("*/*.json"))
    assert {item.source_id for item in found.items} == {"train/a.jpg", "validation/b.jpg"}
    assert len(found.objects) == 3
    assert any(
        line.startswith("read train/_annotations.coco.json: 1 picture") for line in found.lines
    )


def test_fashionpedia(build: Callable[..., Any], write: Callable[..., Path]) -> None:
    data = json.loads((DATA / "fashionpedia" / "sample.json").read_text())
    for one in data["images"]:  # drawn small, with the shapes moved along
        one["width"], one["height"] = 90, 90
    for one in data["annotations"]:
        one["segmentation"] = [[number % 90 for number in part] for part in one["segmentation"]]
    found = build(write(data))
    assert len(found.objects) == 12
    assert not found.rejects
    counts = Counter(len(thing.attributes) for thing in found.objects)
    assert sum(size * number for size, number in counts.items()) == sum(
        len(one["attribute_ids"]) for one in data["annotations"]
    )
    (shirt,) = [thing for thing in found.objects if thing.object_id == "37"]
    assert shirt.category == "shirt, blouse"  # the category 0
    (dress,) = [thing for thing in found.objects if thing.object_id == "18"]
    assert ("waistline", "empire waistline") in {(a.type, a.value) for a in dress.attributes}
    assert {a.origin for a in dress.attributes} == {"fashionpedia attributes"}
    for thing, record in zip(
        sorted(found.objects, key=lambda one: int(one.object_id)),
        sorted(data["annotations"], key=lambda one: one["id"]),
        strict=True,
    ):
        xs = [x for part in record["segmentation"] for x in part[0::2]]
        ys = [y for part in record["segmentation"] for y in part[1::2]]
        assert thing.bbox == (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def test_the_command(run: Callable[..., Any], tmp_path: Path) -> None:
    given = ["coco", *FILES, "--workspace", tmp_path / "w", "--workers", "1"]
    done = run("build-catalog", *given)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "read captions_train2017.json: 18 pictures, 90 captions; split train"
    assert "56 rows = 9 items + 47 rejects; 9 pictures" in lines
    assert str(DATA) not in done.out
    again = run("build-catalog", *given)
    assert "nothing to do" in again.out
    assert "objects: 657 read" in again.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["none.json"], ["none.json", "no such file"]),
        (["."], ["no such file"]),
        ([str(DATA / "fashionpedia" / "fake_results.json")], ["results of a detector"]),
        ([str(FILES[0]), "--images", "nowhere"], ["nowhere", "no such folder"]),
        ([str(FILES[0]), str(FILES[0])], ["same bytes"]),
        ([str(DATA / "fashionpedia" / "sample.json")], ["would be empty", "--images"]),
    ],
)
def test_a_mistake_is_one_line(
    arguments: list[str],
    words: list[str],
    run: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("build-catalog", "coco", *arguments)
    assert done.code == 1
    assert len(done.err.splitlines()) == 1
    for word in words:
        assert word in done.err
