"""COCO written from a catalog: the same again when read, and as pycocotools sees it."""

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pycocotools import mask as coco_mask
from pycocotools.coco import COCO

from benchwright.records import Item
from benchwright.workspace import Workspace
from builders import masks
from builders.catalog import iterate_items
from builders.coco.build import CocoOptions, build_coco, read_files
from builders.coco.entries import gather
from builders.coco.merging import merge
from builders.coco.settling import Settler
from builders.outcomes import Outcome
from builders.settling import with_picture
from exports.coco.objects import captions_of, instances_of, write_coco

Json = dict[str, Any]
DATA = Path(__file__).parents[2] / "data"
SIDES = {"a.png": (20, 12), "b.png": (9, 9), "c.png": (7, 15)}
CATEGORIES = [{"id": 0, "name": "cat"}, {"id": 9, "name": "dog, \u72ac"}, {"id": 4, "name": "car"}]
ATTRIBUTES = [
    {"id": 3, "name": "striped", "supercategory": "Pattern"},
    {"id": 0, "name": "dots", "supercategory": "pattern"},
    {"id": 7, "name": "open", "supercategory": None},
]

NUMBER = st.integers(-5, 25) | st.floats(-5, 25, width=32)
SIDE = st.integers(1, 15) | st.floats(0.5, 15, width=32)
POLYGON = st.lists(st.tuples(NUMBER, NUMBER), min_size=3, max_size=6).map(
    lambda points: [number for point in points for number in point]
)


@st.composite
def segmentations(draw: st.DrawFn, size: tuple[int, int]) -> Any:
    kind = draw(st.sampled_from(["none", "empty", "polygons", "runs", "packed"]))
    if kind in ("none", "empty"):
        return None if kind == "none" else []
    if kind == "polygons":
        return draw(st.lists(POLYGON, min_size=1, max_size=2))
    wide, high = size
    first = draw(st.integers(0, wide * high - 1))
    second = draw(st.integers(1, wide * high - first))
    runs = [first, second, wide * high - first - second]
    counts = runs if kind == "runs" else masks.from_counts(runs, wide, high)
    return {"size": [high, wide], "counts": counts}


@st.composite
def annotations(draw: st.DrawFn, number: int, picture: int, size: tuple[int, int]) -> Json:
    record: Json = {
        "id": draw(st.sampled_from([number, str(number)])),
        "image_id": picture,
        "category_id": draw(st.sampled_from([0, 9, 4])),
        "bbox": draw(st.tuples(NUMBER, NUMBER, SIDE, SIDE).map(list)),
        "segmentation": draw(segmentations(size)),
    }
    optional = {
        "iscrowd": st.sampled_from([0, 1]),
        "area": st.floats(0.5, 30),
        "attribute_ids": st.lists(st.sampled_from([0, 3, 7]), max_size=3),
        "occluded": st.booleans(),
        "truncated": st.booleans(),
    }
    for name, values in optional.items():
        if draw(st.booleans()):
            record[name] = draw(values)
    return record


@st.composite
def files(draw: st.DrawFn) -> tuple[Json, Json]:
    names = draw(st.lists(st.sampled_from(sorted(SIDES)), min_size=1, unique=True))
    images, things, captions = [], [], []
    for picture, name in enumerate(names):
        width, height = SIDES[name]
        record: Json = {"id": picture, "file_name": name, "width": width, "height": height}
        optional = {
            "license": st.sampled_from([0, 5, 99]),
            "split": st.sampled_from(["train", "val"]),
            "author": st.sampled_from(["Ada", "\u00c9va"]),
            "flickr_url": st.just("https://www.flickr.com/photos/1/2"),
            "url": st.just("https://pictures.org/2"),
            "attribute_ids": st.lists(st.sampled_from([0, 3]), max_size=2),
        }
        for key, values in optional.items():
            if draw(st.booleans()):
                record[key] = draw(values)
        images.append(record)
        for _ in range(draw(st.integers(0, 3))):
            things.append(draw(annotations(len(things), picture, SIDES[name])))
        for _ in range(draw(st.integers(0, 2))):
            text = draw(st.sampled_from(["a cat ", "zwei H\u00fcte", "\u732b", "a cat"]))
            captions.append({"id": len(captions), "image_id": picture, "caption": text})
    licences = [{"id": 0, "name": "mine", "url": ""}, {"id": 5, "url": "http://cc/by", "name": "x"}]
    frame: Json = {"images": images, "licenses": licences, "attributes": ATTRIBUTES}
    return (
        frame | {"annotations": things, "categories": CATEGORIES},
        frame | {"annotations": captions},
    )


def records(*paths: Path) -> list[Item]:
    """Read COCO files without looking at pictures: their sizes are those of SIDES."""
    chosen, _ = read_files(paths, CocoOptions())
    merged = merge(chosen, "coco", keep_going=False)
    gathered = gather(chosen, merged, "coco")
    settle = Settler(drawn=gathered.drawn, changes=gathered.changes)
    found = []
    for item in gathered.items:
        name = item.source_id.split("/")[-1]
        width, height = SIDES[name]
        outcome = Outcome(image=f"00/{name}", sha256="0", width=width, height=height)
        settled = settle(with_picture(item, outcome), outcome)
        assert settled.item is not None
        found.append(settled.item)
    return found


def anonymous(item: Item) -> Item:
    """The item without what is given anew or has no place in COCO."""
    plain = [
        replace(
            one,
            object_id="",
            attributes=tuple(replace(a, raw="", origin="") for a in one.attributes),
        )
        for one in item.objects
    ]
    stated = tuple(replace(a, raw="", origin="") for a in item.attributes)
    return replace(item, image_id="", source_id="", objects=tuple(plain), attributes=stated)


def without_names(whole: Json) -> Json:
    """A written file without the ids of the catalog that it was written from."""
    for record in [*whole["images"], *whole["annotations"]]:
        record.pop("source_id", None)
        record.pop("object_id", None)
    return whole


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80)
@given(made=files())
def test_there_and_back(made: tuple[Json, Json], tmp_path: Path) -> None:
    sources = [tmp_path / "instances.json", tmp_path / "captions.json"]
    for path, data in zip(sources, made, strict=True):
        path.write_text(json.dumps(data))
    first = records(*sources)
    written = write_coco(first, tmp_path / "x.json")
    second = records(*written.paths)
    assert sorted(map(repr, map(anonymous, first))) == sorted(map(repr, map(anonymous, second)))
    # and what is written of it is the same again
    for make in (instances_of, captions_of):
        assert without_names(make(second)) == without_names(make(first))
    assert (written.pictures, written.without_picture) == (len(first), 0)
    assert written.objects == sum(len(item.objects) for item in first)
    assert written.captions == sum(len(item.captions) for item in first)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(made=files(), chance=st.randoms(use_true_random=False))
def test_pycocotools_sees_the_same(
    made: tuple[Json, Json],
    chance: random.Random,
    tmp_path: Path,
) -> None:
    source = tmp_path / "instances.json"
    source.write_text(json.dumps(made[0]))
    items = records(source)
    write_coco(items, tmp_path / "x.json")
    before = (tmp_path / "x.json").read_bytes()
    shuffled = list(items)
    chance.shuffle(shuffled)
    write_coco(shuffled, tmp_path / "x.json")
    assert (tmp_path / "x.json").read_bytes() == before
    seen_by_pycocotools(tmp_path / "x.json", items)


def seen_by_pycocotools(path: Path, items: list[Item]) -> None:
    coco = COCO(str(path))
    by_image = {item.image: item for item in items}
    assert {one["file_name"] for one in coco.imgs.values()} == set(by_image)
    seen = 0
    for picture in coco.imgs.values():
        item = by_image[picture["file_name"]]
        assert (picture["width"], picture["height"]) == (item.width, item.height)
        for record in coco.loadAnns(coco.getAnnIds(imgIds=[picture["id"]])):
            (thing,) = [one for one in item.objects if one.object_id == record["object_id"]]
            assert tuple(record["bbox"]) == thing.bbox
            assert record["area"] == thing.area
            assert record["iscrowd"] == thing.is_crowd
            assert coco.cats[record["category_id"]]["name"] == thing.category
            seen += 1
            if thing.mask is None:
                assert "segmentation" not in record
                continue
            theirs = coco.annToRLE(record)
            assert item.width is not None
            assert item.height is not None
            assert coco_mask.area(theirs) == masks.mask_area(thing.mask, item.width, item.height)
            pixels = masks.decode(thing.mask, item.width, item.height)
            assert masks.encode(pixels) == thing.mask
            x, y, wide, high = (int(number) for number in coco_mask.toBbox(theirs))
            assert pixels[y : y + high, x : x + wide].sum() == pixels.sum()
    assert seen == sum(len(item.objects) for item in items)


@pytest.fixture
def real(tmp_path: Path) -> list[Item]:
    workspace = Workspace(tmp_path / "w")
    build_coco(sorted((DATA / "coco" / "annotations").glob("*.json")), workspace, workers=1)
    return list(iterate_items(workspace))


def test_the_real_files_there_and_back(
    real: list[Item], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = write_coco(real, tmp_path / "out.json")
    seen_by_pycocotools(written.paths[0], real)
    assert [path.name for path in written.paths] == ["out.json", "captions_out.json"]
    COCO(str(written.paths[1]))
    images = tmp_path / "w" / "catalog" / "images"
    again = Workspace(tmp_path / "again")
    build_coco(written.paths, again, images=images, workers=1)
    second = list(iterate_items(again))
    assert sorted(map(repr, map(anonymous, real))) == sorted(map(repr, map(anonymous, second)))


def test_an_item_without_a_picture_is_left_out(real: list[Item], tmp_path: Path) -> None:
    bare = replace(real[0], image=None, sha256=None, width=None, height=None)
    written = write_coco([bare, *real[1:]], tmp_path / "instances_val.json")
    assert (written.pictures, written.without_picture) == (len(real) - 1, 1)
    assert written.paths[1].name == "captions_val.json"


def test_nothing_to_write_is_a_file_all_the_same(tmp_path: Path) -> None:
    written = write_coco([], tmp_path / "x.json")
    assert written.paths == (tmp_path / "x.json",)
    assert json.loads(written.paths[0].read_text())["images"] == []


def test_fashionpedias_way(tmp_path: Path) -> None:
    data = {
        "images": [{"id": 1, "file_name": "a.png", "width": 20, "height": 12}],
        "annotations": [
            {
                "id": 1,
                "image_id": 1,
                "category_id": 0,
                "bbox": [1, 1, 3, 3],
                "attribute_ids": [7, 3],
            }
        ],
        "categories": CATEGORIES,
        "attributes": ATTRIBUTES,
    }
    (tmp_path / "in.json").write_text(json.dumps(data))
    whole = instances_of(records(tmp_path / "in.json"))
    assert whole["attributes"] == [
        {"id": 0, "name": "open", "supercategory": "attribute", "level": 1},
        {"id": 1, "name": "striped", "supercategory": "pattern", "level": 1},
    ]
    assert whole["annotations"][0]["attribute_ids"] == [0, 1]


def test_one_record_on_each_line(real: list[Item], tmp_path: Path) -> None:
    (path, _) = write_coco(real, tmp_path / "x.json").paths
    lines = path.read_text().splitlines()
    whole = json.loads(path.read_text())
    assert len(lines) > sum(len(whole[key]) for key in ("images", "annotations", "categories"))
    assert all(len(line) < 40_000 for line in lines)
    assert str(tmp_path) not in path.read_text()


@pytest.mark.parametrize(
    "others",
    [
        [{"bbox": [0, 0, 1, 1], "segmentation": {"size": [12, 20], "counts": "01_7"}}],  # packed
        [{"bbox": [0, 0, 1, 1], "segmentation": {"size": [12, 20], "counts": [0, 1, 0, 0, 239]}}],
        [
            {"bbox": [-3, -3, 4, 4], "segmentation": {"size": [12, 20], "counts": [0, 1, 239]}}
        ],  # out
    ],
)
def test_one_object_in_two_spellings_is_one(tmp_path: Path, others: list[Json]) -> None:
    """Else what is written would have two objects that reading takes for one."""
    first = {"bbox": [0, 0, 1, 1], "segmentation": {"size": [12, 20], "counts": [0, 1, 239]}}
    annotations = [
        {"id": number, "image_id": 0, "category_id": 4, **one}
        for number, one in enumerate([first, *others])
    ]
    path = tmp_path / "instances.json"
    path.write_text(
        json.dumps(
            {
                "images": [{"id": 0, "file_name": "a.png", "width": 20, "height": 12}],
                "categories": [{"id": 4, "name": "car"}],
                "annotations": annotations,
            }
        )
    )
    (item,) = records(path)
    assert [one.object_id for one in item.objects] == ["0"]
