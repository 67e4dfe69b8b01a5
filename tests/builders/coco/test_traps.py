"""Faults of COCO files that people have met, each built here, with what is right."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.errors import SourceError, UsageError

Json = dict[str, Any]


def coco_of(**changed: Any) -> Json:
    """A sound file of one picture (20 x 20) and one object; keywords replace or (None) drop."""
    sound: Json = {
        "info": {},
        "licenses": [{"id": 1, "name": "by", "url": "http://creativecommons.org/licenses/by/2.0/"}],
        "images": [{"id": 1, "file_name": "a.png", "width": 20, "height": 20, "license": 1}],
        "annotations": [annotation()],
        "categories": [{"id": 7, "name": "cat", "supercategory": "animal"}],
    }
    return {key: value for key, value in (sound | changed).items() if value is not None}


def annotation(**changed: Any) -> Json:
    """An annotation of that picture; keywords replace or (None) drop."""
    sound: Json = {
        "id": 1,
        "image_id": 1,
        "category_id": 7,
        "bbox": [2, 3, 5, 6],
        "area": 30,
        "iscrowd": 0,
        "segmentation": [[2, 3, 7, 3, 7, 9, 2, 9]],
    }
    return {key: value for key, value in (sound | changed).items() if value is not None}


def one(**changed: Any) -> Json:
    """The sound file with its one annotation changed."""
    return coco_of(annotations=[annotation(**changed)])


def picture(**changed: Any) -> Json:
    """The sound file with its one picture changed."""
    sound: Json = {"id": 1, "file_name": "a.png", "width": 20, "height": 20, "license": 1}
    return coco_of(images=[{k: v for k, v in (sound | changed).items() if v is not None}])


BOX = (2.0, 3.0, 5.0, 6.0)
TWENTY = [20, 20]
# a mask of 5 x 6 pixels at (2, 3) in 20 x 20, column by column
COUNTS = [43, 6, 14, 6, 14, 6, 14, 6, 14, 6, 271]
PACKED = "[1f0>0O10O102N0c8"

KEPT: list[tuple[str, Json]] = [
    # every one of them gives the one cat with its box
    ("no info", coco_of(info=None)),
    ("no licenses", coco_of(licenses=None)),
    ("info is a text", coco_of(info="mine")),
    ("picture ids are text here and numbers there", one(image_id="1")),
    ("picture ids are numbers with a point", one(image_id=1.0)),
    ("category ids are text", one(category_id="7")),
    ("ids of eight bytes", coco_of(
        images=[{"id": 2**62, "file_name": "a.png", "width": 20, "height": 20}],
        annotations=[annotation(image_id=2**62)],
    )),
    ("ids longer than a number can be", coco_of(
        images=[{"id": 10**40, "file_name": "a.png", "width": 20, "height": 20}],
        annotations=[annotation(image_id=10**40)],
    )),
    ("category 0 is a class", coco_of(
        categories=[{"id": 0, "name": "cat"}], annotations=[annotation(category_id=0)]
    )),
    ("annotation and picture 0", coco_of(
        images=[{"id": 0, "file_name": "a.png", "width": 20, "height": 20}],
        annotations=[annotation(id=0, image_id=0)],
    )),
    ("category ids with gaps, not in order", coco_of(
        categories=[{"id": 90, "name": "dog"}, {"id": 7, "name": "cat"}, {"id": 8, "name": "cow"}]
    )),
    ("a root category of Roboflow that nothing uses", coco_of(
        categories=[{"id": 0, "name": "cat", "supercategory": "none"},
                    {"id": 7, "name": "cat", "supercategory": "cat"}]
    )),
    ("no segmentation", one(segmentation=None)),
    ("segmentation null", coco_of(annotations=[annotation() | {"segmentation": None}])),
    ("segmentation []", one(segmentation=[])),
    ("segmentation [[]]", one(segmentation=[[]])),
    ("segmentation is an empty object", one(segmentation={})),
    ("one flat polygon", one(segmentation=[2, 3, 7, 3, 7, 9, 2, 9])),
    ("a polygon of points", one(segmentation=[[2, 3], [7, 3], [7, 9], [2, 9]])),
    ("RLE with counts as a list", one(segmentation={"size": TWENTY, "counts": COUNTS})),
    ("RLE with counts as text", one(segmentation={"size": TWENTY, "counts": PACKED})),
    ("RLE in a list, as COCO-Stuff has it", one(
        segmentation=[{"size": TWENTY, "counts": COUNTS}], bbox=[[2, 3, 5, 6]]
    )),
    ("no iscrowd", one(iscrowd=None)),
    ("iscrowd null", coco_of(annotations=[annotation() | {"iscrowd": None}])),
    ("iscrowd false", one(iscrowd=False)),
    ("no box: from the polygon", one(bbox=None)),
    ("an empty box where there is a polygon", one(bbox=[])),
    ("no area", one(area=None)),
    ("no sizes of the picture", picture(width=None, height=None)),
    ("sizes are texts", picture(width="20", height="20")),
    ("sizes are numbers with a point", picture(width=20.0, height=20.0)),
    ("a licence that is not listed", picture(license=99)),
    ("a licence of a wrong type", picture(license=[1])),
    ("a name in Windows' way from another machine", picture(file_name="C:\\data\\x\\a.png")),
    ("an absolute path of another machine", picture(file_name="/home/me/coco/a.png")),
    ("a folder that is not there any more", picture(file_name="train2017/a.png")),
    ("a link as the file name", picture(file_name="https://host/pictures/a.png?size=2")),
    ("no file name, but a link", picture(file_name=None, coco_url="http://host/train2017/a.png")),
    ("categories of no use beside it", coco_of(
        categories=[7, None, {"id": 7, "name": "cat"}, {"name": "no id"}, {"id": 9}]
    )),
    ("attributes and licences of no use", coco_of(
        attributes=[3, {"id": []}, {"name": {}}], licenses=[None, 3, {"id": 1, "url": 5}]
    )),
]  # fmt: skip


@pytest.mark.parametrize(("what", "data"), KEPT, ids=[what for what, _ in KEPT])
def test_kept(what: str, data: Json, write: Callable[..., Path], build: Callable[..., Any]) -> None:
    write(picture(), "drawn/only.json")  # draws a.png
    path = write(data)
    (path.parent / "drawn" / "a.png").replace(path.parent / "a.png")
    found = build(path)
    (thing,) = found.objects
    assert thing.category == "cat"
    assert thing.bbox == BOX
    assert thing.area == 30.0
    assert thing.is_crowd is False
    assert not found.rejects


PIECES: list[tuple[str, Json, dict[str, int], dict[str, int], int]] = [
    # what, file, rejects, changes, objects kept
    ("a box of no height", one(bbox=[2, 3, 5, 0], segmentation=[]), {"empty_box": 1}, {}, 0),
    ("a box of negative width", one(bbox=[7, 3, -5, 6], segmentation=[]), {"empty_box": 1}, {}, 0),
    ("a box of no height with a polygon", one(bbox=[2, 3, 5, 0]), {}, {"box_from_mask": 1}, 1),
    ("a box of texts with a polygon", one(bbox=["2", 3, 5, 6]), {}, {"box_from_mask": 1}, 1),
    ("a box beside the picture", one(bbox=[30, 3, 5, 6]), {"outside_picture": 1}, {}, 0),
    ("a box that begins before it", one(bbox=[-2, -3, 5, 6]), {}, {"clipped": 1}, 1),
    ("a box that ends behind it", one(bbox=[18, 18, 5, 6]), {}, {"clipped": 1}, 1),
    ("a box without end", one(bbox=[2, 3, 1e308, 1e308]), {}, {"clipped": 1}, 1),
    ("a box of NaN", one(bbox=[2, 3, float("nan"), 6], segmentation=[]), {"bad_box": 1}, {}, 0),
    ("a box of infinity", one(bbox=[float("inf"), 3, 5, 6], segmentation=[]),
     {"bad_box": 1}, {}, 0),
    ("a box of three", one(bbox=[2, 3, 5], segmentation=[]), {"bad_box": 1}, {}, 0),
    ("a box of true", one(bbox=[True, 3, 5, 6], segmentation=[]), {"bad_box": 1}, {}, 0),
    ("a box that is an object", one(bbox={"x": 2}, segmentation=[]), {"bad_box": 1}, {}, 0),
    ("a box of a number of 5000 digits",
     one(bbox=[2, 3, "HUGE", 6], segmentation=[]), {"bad_box": 1}, {}, 0),
    ("neither box nor mask among boxes",
     coco_of(annotations=[annotation(), annotation(id=2, bbox=None, segmentation=None)]),
     {"no_box": 1}, {}, 1),
    ("a polygon of four numbers is no box", one(segmentation=[[2, 3, 7, 9]]),
     {}, {"bad_polygon": 1}, 1),
    ("a polygon of odd length", one(segmentation=[[2, 3, 7, 3, 7, 9, 2]]),
     {}, {"bad_polygon": 1}, 1),
    ("a polygon as far as the moon", one(segmentation=[[2, 3, 1e9, 3, 7, 9]]),
     {}, {"bad_polygon": 1}, 1),
    ("a polygon of texts", one(segmentation=[["2", 3, 7, 3, 7, 9]]), {}, {"bad_polygon": 1}, 1),
    ("one good polygon, one bad", one(segmentation=[[2, 3, 7, 3, 7, 9, 2, 9], [1, 2]]),
     {}, {"bad_polygon": 1}, 1),
    ("segmentation true", one(segmentation=True), {}, {"bad_polygon": 1}, 1),
    ("a polygon without area", one(segmentation=[[2, 3, 2, 3, 2, 3]]), {}, {"empty_mask": 1}, 1),
    ("RLE of another size", one(segmentation={"size": [20, 21], "counts": COUNTS}),
     {}, {"mask_size": 1}, 1),
    ("RLE without size", one(segmentation={"counts": COUNTS}), {}, {"mask_size": 1}, 1),
    ("RLE that is too short", one(segmentation={"size": TWENTY, "counts": [1, 2]}),
     {}, {"bad_mask": 1}, 1),
    ("RLE that writes past its end", one(segmentation={"size": TWENTY, "counts": [0, 4_000_000]}),
     {}, {"bad_mask": 1}, 1),
    ("RLE of negative runs", one(segmentation={"size": TWENTY, "counts": [500, -200, 100]}),
     {}, {"bad_mask": 1}, 1),
    ("RLE of nonsense", one(segmentation={"size": TWENTY, "counts": "é\u0000~~~~"}),
     {}, {"bad_mask": 1}, 1),
    ("RLE that goes on for ever", one(segmentation={"size": TWENTY, "counts": "o" * 500}),
     {}, {"bad_mask": 1}, 1),
    ("RLE of all zeros", one(segmentation={"size": TWENTY, "counts": [400]}),
     {}, {"empty_mask": 1}, 1),
    ("an area of zero", one(area=0), {}, {"area_computed": 1}, 1),
    ("an area of NaN", one(area=float("nan")), {}, {}, 1),
    ("an area larger than the picture", one(area=401), {}, {"area_computed": 1}, 1),
    ("of another picture's size", picture(width=40, height=30) | {"images": [
        {"id": 1, "file_name": "b.png", "width": 400, "height": 300}]},
     {"size_mismatch": 1}, {}, 0),
    ("no category_id", coco_of(annotations=[annotation(category_id=None)]),
     {"no_category": 1}, {}, 0),
    ("no picture id", coco_of(annotations=[annotation(image_id=None)]), {"no_picture": 1}, {}, 0),
    ("a picture that the file has not", one(image_id=5), {"unknown_picture": 1}, {}, 0),
    ("a list as the picture id", one(image_id=[1]), {"no_picture": 1}, {}, 0),
    ("annotations that are none", coco_of(annotations=[None, 3, "x", [], annotation()]),
     {"bad_record": 4}, {}, 1),
    ("panoptic without segments", coco_of(annotations=[{"image_id": 1, "segments_info": []}]),
     {"no_segments": 1}, {}, 0),
    ("an attribute id without a name", one(attribute_ids=[3]), {}, {"unknown_attribute": 1}, 1),
    ("the same object under two ids", coco_of(annotations=[annotation(), annotation(id=2)]),
     {"duplicate_object": 1}, {}, 1),
    ("an object with a caption of its own", one(caption="a cat"), {}, {"caption_left_out": 1}, 1),
]  # fmt: skip


@pytest.mark.parametrize(
    ("what", "data", "rejects", "changes", "kept"), PIECES, ids=[case[0] for case in PIECES]
)
def test_refused_or_changed(
    what: str,
    data: Json,
    rejects: dict[str, int],
    changes: dict[str, int],
    kept: int,
    write: Callable[..., Path],
    build: Callable[..., Any],
) -> None:
    path = write(data)
    path.write_text(path.read_text().replace('"HUGE"', "9" * 5000))
    found = build(path)
    assert found.reasons() == rejects
    assert found.changed() == changes
    assert len(found.objects) == kept
    assert len(found.items) == 1
    for thing in found.objects:
        x, y, wide, high = thing.bbox
        assert x >= 0 <= y
        assert wide > 0 < high
        assert x + wide <= 20 >= y + high
        assert 0 < thing.area <= 400
    for row in [*found.rejects, *found.changes]:
        assert "coco.json" in row.message


FILES: list[tuple[str, str, list[str]]] = [
    # what, text of the file, words of the one line
    ("empty", "", ["empty"]),
    ("no JSON", "image_id,x\n1,2\n", ["no JSON"]),
    ("cut off", '{"images": [{"id": 1}', ["no JSON"]),
    ("nested for ever", "[" * 100_000, ["nested too deeply"]),
    ("results of a detector", "[]", ["results of a detector"]),
    ("a number", "3", ["no JSON object"]),
    ("no pictures", '{"annotations": []}', ["no list 'images'", "annotations"]),
    ("pictures by id", '{"images": {"1": {}}}', ["no list 'images'"]),
    ("annotations by id", '{"images": [], "annotations": {"1": {}}}', ["'annotations' is no list"]),
    ("categories by id", '{"images": [], "categories": {"1": "x"}}', ["'categories' is no list"]),
    ("no picture at all", '{"images": []}', ["would be empty"]),
    ("only pictures of no use", '{"images": [3, null, {}]}', ["would be empty", "no_id"]),
    ("no category",
     json.dumps(coco_of(categories=None)), ["coco.json", "no 'categories'", "7", "--keep-going"]),
    ("an unknown category",
     json.dumps(one(category_id=9)), ["coco.json", "category ids that no category has: 9"]),
    ("an annotation id twice",
     json.dumps(coco_of(annotations=[annotation(), annotation(bbox=[1, 1, 2, 2])])),
     ["coco.json", "annotation ids that are used twice: 1"]),
    ("a picture id twice",
     json.dumps(coco_of(images=[{"id": 1, "file_name": name} for name in ("a.png", "b.png")])),
     ["coco.json", "picture ids that different pictures have: 1"]),
    ("a category id twice",
     json.dumps(coco_of(categories=[{"id": 7, "name": "cat"}, {"id": 7, "name": "dog"}])),
     ["category ids with several names: 7"]),
]  # fmt: skip


@pytest.mark.parametrize(("what", "text", "words"), FILES, ids=[case[0] for case in FILES])
def test_a_file_that_cannot_be_used_is_one_line(
    what: str,
    text: str,
    words: list[str],
    write: Callable[..., Path],
    build: Callable[..., Any],
    tmp_path: Path,
) -> None:
    path = write(picture())
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        build(path)
    for word in words:
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "w" / "catalog" / "manifest.json").exists()


def test_other_encodings_and_archives(
    write: Callable[..., Path], build: Callable[..., Any]
) -> None:
    path = write(coco_of())
    for encoding in ("utf-8-sig", "utf-16"):
        path.write_text(json.dumps(coco_of()), encoding)
        assert len(build(path, force=True).objects) == 1
    path.write_bytes(b"\x1f\x8b123")
    with pytest.raises(SourceError, match="unpack it"):
        build(path)


def test_going_on_where_categories_are_missing(
    write: Callable[..., Path], build: Callable[..., Any]
) -> None:
    data = coco_of(annotations=[annotation(), annotation(id=2, category_id=9, bbox=[1, 1, 2, 2])])
    found = build(write(data), keep_going=True)
    assert found.reasons() == {"unknown_category": 1}
    assert len(found.objects) == 1
    assert any("coco.json" in line and "9" in line for line in found.lines)


def test_going_on_where_annotation_ids_are_used_twice(
    write: Callable[..., Path], build: Callable[..., Any]
) -> None:
    images = [{"id": n, "file_name": f"{n}.png", "width": 20, "height": 20} for n in (1, 2)]
    boxes = [annotation(bbox=box, segmentation=[]) for box in ([1, 1, 2, 2], [5, 5, 2, 2])]
    elsewhere = annotation(image_id=2)
    for name, order in (("x", boxes), ("y", boxes[::-1])):
        path = write(coco_of(images=images, annotations=[*order, elsewhere]), "coco.json")
        found = build(path, keep_going=True, where=name, force=True)
        assert found.changed() == {"repeated_id": 3}
        by_picture = {item.source_id: [o.object_id for o in item.objects] for item in found.items}
        assert by_picture["2.png"] == ["1"]  # an object is known by its picture and its id
        assert all(one.startswith("1~") for one in by_picture["1.png"])
        assert len(set(by_picture["1.png"])) == 2
        if name == "x":
            first = found.bytes["items-00000.parquet"]
    assert found.bytes["items-00000.parquet"] == first


def test_going_on_where_picture_ids_are_used_twice(
    write: Callable[..., Path], build: Callable[..., Any]
) -> None:
    images = [
        {"id": number, "file_name": name, "width": 20, "height": 20}
        for number, name in ((1, "a.png"), (1, "b.png"), (2, "c.png"))
    ]
    data = coco_of(images=images, annotations=[annotation(), annotation(id=2, image_id=2)])
    found = build(write(data), keep_going=True)
    assert [item.source_id for item in found.items] == ["c.png"]
    assert found.reasons("picture") == {"duplicate_id": 2}
    assert found.reasons("object") == {"ambiguous_picture": 1}


def test_one_file_under_two_ids_is_one_picture(
    write: Callable[..., Path], build: Callable[..., Any]
) -> None:
    images = [{"id": n, "file_name": "a.png", "width": 20, "height": 20} for n in (1, 2)]
    boxes = [annotation(), annotation(id=2, image_id=2, bbox=[1, 1, 2, 2], segmentation=[])]
    found = build(write(coco_of(images=images, annotations=boxes)))
    (item,) = found.items
    assert [thing.object_id for thing in item.objects] == ["1", "2"]
    assert found.changed() == {"several_ids": 1}


def test_pictures_without_annotations_are_kept(
    write: Callable[..., Path], build: Callable[..., Any]
) -> None:
    images = [{"id": n, "file_name": f"{n}.png"} for n in range(3)]
    found = build(write(coco_of(images=images)))
    assert len(found.items) == 3
    assert len(found.objects) == 1


def test_a_crowd_is_a_crowd(write: Callable[..., Path], build: Callable[..., Any]) -> None:
    for given in (1, True, "1", 1.0):
        (thing,) = build(write(one(iscrowd=given)), force=True).objects
        assert thing.is_crowd is True


CAPTIONS: list[tuple[Any, str | None, str | None]] = [
    # caption, what is kept, what is said of it
    ("a cat", "a cat", None),
    ("a cat \n", "a cat", "text_cleaned"),
    ("  ", None, "no_caption"),
    (None, None, "no_caption"),
    (3, None, "no_caption"),
    (["a cat"], None, "no_caption"),
    ("half \ud800 pair", "half \ufffd pair", "text_cleaned"),
    ("nul \u0000 inside", "nul \u0000 inside", None),
]


@pytest.mark.parametrize(("caption", "kept", "said"), CAPTIONS)
def test_captions(
    caption: Any,
    kept: str | None,
    said: str | None,
    write: Callable[..., Path],
    build: Callable[..., Any],
) -> None:
    record = {"id": 4, "image_id": 1, "caption": caption}
    found = build(write(coco_of(annotations=[record], categories=None)))
    assert found.captions == ([] if kept is None else [kept])
    assert [*found.reasons("caption"), *found.changed()] == ([] if said is None else [said])
    assert not found.objects


def test_the_same_caption_twice_is_one(
    write: Callable[..., Path], build: Callable[..., Any]
) -> None:
    records = [{"id": number, "image_id": 1, "caption": "a cat"} for number in (12, 3)]
    paths = [
        write(coco_of(annotations=records, categories=None, info={"x": name}), name)
        for name in ("captions.json", "again.json")
    ]
    found = build(*paths)
    assert found.captions == ["a cat", "a cat"]  # two people said so, in one file and the other
    assert found.reasons() == {"duplicate_caption": 2}


ATTRIBUTES: list[tuple[Any, list[tuple[str, str]]]] = [
    # what stands under `attributes` of an annotation, what is read
    ({"colour": "red", "Sleeve_Length": 3}, [("colour", "red"), ("sleeve length", "3")]),
    ({"open": True}, [("open", "true")]),
    ({"none": None, "list": [1], "": "x", "blank": " "}, []),
    ({"occluded": True}, []),  # a flag of its own
    (["striped"], [("attribute", "striped")]),
    ([0], [("pattern", "dots")]),
    ("red", []),
    (3, []),
]


@pytest.mark.parametrize(("stated", "read"), ATTRIBUTES)
def test_attributes_of_tools(
    stated: Any,
    read: list[tuple[str, str]],
    write: Callable[..., Path],
    build: Callable[..., Any],
) -> None:
    data = one(attributes=stated)
    data["attributes"] = [{"id": 0, "name": "dots", "supercategory": "Pattern"}]
    (thing,) = build(write(data)).objects
    assert [(a.type, a.value) for a in thing.attributes] == read
    is_flagged = isinstance(stated, dict) and "occluded" in stated
    assert thing.is_occluded is (True if is_flagged else None)


def test_a_label_that_its_picture_states_as_well_is_one(
    write: Callable[..., Path], build: Callable[..., Any]
) -> None:
    data = one(bbox=None, segmentation=None)
    data["images"][0]["attributes"] = {"label": "cat", "light": "dim"}
    found = build(write(data))
    (item,) = found.items
    assert [(a.type, a.value, a.origin) for a in item.attributes] == [
        ("label", "cat", "coco labels"),
        ("light", "dim", "coco attributes"),
    ]
    assert "labels: 1 read = 1 kept + 0 refused" in found.lines


def test_an_annotation_nested_for_ever(
    write: Callable[..., Path], build: Callable[..., Any]
) -> None:
    for depth in (50, 500, 800, 900, 950, 970):
        path = write(one(segmentation="DEEP"))
        path.write_text(path.read_text().replace('"DEEP"', "[" * depth + "]" * depth))
        try:
            found = build(path, force=True)
        except SourceError as error:
            assert "nested too deeply" in str(error)  # noqa: PT017
        else:
            assert len(found.items) == 1


def test_what_a_catalog_has_no_place_for_is_counted(
    write: Callable[..., Path], build: Callable[..., Any]
) -> None:
    data = one(keypoints=[1, 2, 2], num_keypoints=1)
    data["images"][0] |= {"neg_category_ids": [3], "not_exhaustive_category_ids": []}  # LVIS
    found = build(write(data))
    assert len(found.objects) == 1
    assert "coco.json: keypoints of 1 annotations are left out" in found.lines
    assert "coco.json: neg_category_ids of 1 pictures are left out" in found.lines
    assert not any("exhaustive" in line for line in found.lines)
