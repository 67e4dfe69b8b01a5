"""Which records of which files mean one picture."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Json = dict[str, Any]
NAMES = ("id", "file_name")


def file(*pictures: tuple[Any, str], caption: str | None = None, **more: Any) -> Json:
    """A file of pictures (id and name), the first with a caption or a box of its own."""
    own: Json = {"id": 1, "image_id": pictures[0][0]}
    box = {"category_id": 1, "bbox": [1, 1, 3, 3]}
    return {
        "images": [dict(zip(NAMES, one, strict=True), width=9, height=9) for one in pictures],
        "annotations": [own | (box if caption is None else {"caption": caption})],
        "categories": [{"id": 1, "name": "cat"}],
    } | more


CASES: list[tuple[str, dict[str, Json], dict[str, tuple[int, int]]]] = [
    # what, files by name, source ids with how many objects and captions each has
    ("the same picture of two files", {
        "instances_val.json": file((1, "a.png")),
        "captions_val.json": file((1, "a.png"), caption="c"),
    }, {"validation/a.png": (1, 1)}),
    ("its id is text in one of them", {
        "instances_val.json": file((1, "a.png")),
        "captions_val.json": file(("1", "a.png"), caption="c"),
    }, {"validation/a.png": (1, 1)}),
    ("its number is another one", {
        "instances_val.json": file((1, "a.png")),
        "captions_val.json": file((4, "a.png"), (1, "b.png"), caption="c"),
    }, {"validation/a.png": (1, 1), "validation/b.png": (0, 0)}),
    ("the same id in two splits, other names", {
        "instances_train.json": file((1, "a.png")), "instances_val.json": file((1, "b.png")),
    }, {"train/a.png": (1, 0), "validation/b.png": (1, 0)}),
    ("the same id and name in two splits stay apart", {
        "instances_train.json": file((1, "a.png")), "instances_val.json": file((1, "a.png")),
    }, {"train/a.png": (1, 0), "validation/a.png": (1, 0)}),
    ("a file without a split joins the only one", {
        "instances_val.json": file((1, "a.png")), "captions.json": file((1, "a.png"), caption="c"),
    }, {"validation/a.png": (1, 1)}),
    ("a file without a split stays alone between two", {
        "instances_val.json": file((1, "a.png")), "instances_train.json": file((1, "a.png")),
        "captions.json": file((1, "a.png"), caption="c"),
    }, {"validation/a.png": (1, 0), "train/a.png": (1, 0), "a.png": (0, 1)}),
    ("folders that all names share say nothing", {
        "instances_val.json": file((1, "val2017/a.png"), (2, "val2017/b.png")),
        "captions_val.json": file((1, "/home/me/x/a.png"), (2, "/home/me/x/b.png"), caption="c"),
    }, {"validation/a.png": (1, 1), "validation/b.png": (0, 0)}),
    ("folders that tell pictures apart stay", {
        "instances_val.json": file((1, "/x/cam1/a.png"), (2, "/x/cam2/a.png")),
    }, {"validation/cam1/a.png": (1, 0), "validation/cam2/a.png": (0, 0)}),
    ("a name without its folder", {
        "instances_val.json": file((1, "cam1/a.png"), (2, "cam2/a.png")),
        "captions_val.json": file((2, "a.png"), caption="c"),
    }, {"validation/cam1/a.png": (1, 0), "validation/cam2/a.png": (0, 1)}),
    ("a split that is a folder of each name", {
        "all.json": file((1, "train2017/a.png"), (2, "val2017/a.png")),
    }, {"train/a.png": (1, 0), "validation/a.png": (0, 0)}),
    ("an id with a slash is only an id", {
        "instances_val.json": file(("../1/x", "a.png")),
    }, {"validation/a.png": (1, 0)}),
    ("one absolute path among relative names", {
        "instances_val.json": file((1, "/home/me/x/a.png"), (2, "b.png")),
    }, {"validation/a.png": (1, 0), "validation/b.png": (0, 0)}),
    ("absolute paths of two machines", {
        "instances_val.json": file((1, "/home/me/x/a.png"), (2, "D:\\y\\b.png")),
    }, {"validation/a.png": (1, 0), "validation/b.png": (0, 0)}),
    ("a folder named as the split of another file", {
        "all.json": file((1, "val/a.png"), (2, "c.png")), "instances_val.json": file((3, "a.png")),
    }, {"validation/a.png": (2, 0), "c.png": (0, 0)}),
]  # fmt: skip


@pytest.mark.parametrize(("what", "files", "wanted"), CASES, ids=[case[0] for case in CASES])
def test_merging(
    what: str,
    files: dict[str, Json],
    wanted: dict[str, tuple[int, int]],
    tmp_path: Path,
    write: Callable[..., Path],
    build: Callable[..., Any],
) -> None:
    write({"images": [{"file_name": f"{n}.png", "width": 9, "height": 9} for n in "abc"]}, "p/x")
    for folder in ("cam1", "cam2", "train", "val"):
        (tmp_path / "in" / "p" / folder).mkdir()
        for name in "ab":
            data = (tmp_path / "in" / "p" / f"{name}.png").read_bytes()
            (tmp_path / "in" / "p" / folder / f"{name}.png").write_bytes(data)
    # a caption file and an object file may come in any order; their ids of annotations differ
    bytes_of = []
    for place, order in enumerate((list(files), list(files)[::-1])):
        paths = []
        for name in order:
            data = json.loads(json.dumps(files[name]))
            data["annotations"][0]["id"] = sorted(files).index(name)
            paths.append(write(data, name, pictures=False))
        found = build(*paths, images=tmp_path / "in" / "p", where=f"w{place}")
        bytes_of.append(found.bytes)
    assert bytes_of[0] == bytes_of[1]
    held = {one.source_id: (len(one.objects), len(one.captions)) for one in found.items}
    if what.startswith("a folder named"):  # two boxes drawn alike are one object
        held["validation/a.png"] = (held["validation/a.png"][0] + len(found.rejects), 0)
    assert held == wanted
    assert {one.split for one in found.items} == {
        name.split("/")[0] if name.split("/")[0] in ("train", "validation") else None
        for name in wanted
    }


def test_the_first_file_that_says_it_gives_licence_and_links(
    write: Callable[..., Path], build: Callable[..., Any]
) -> None:
    bare = file((1, "a.png"))
    full = file((1, "a.png"), caption="c", licenses=[{"id": 0, "name": "CC0", "url": ""}])
    full["images"][0] |= {
        "license": 0,
        "flickr_url": "http://farm1.staticflickr.com/1/2.jpg",
        "coco_url": "http://images.cocodataset.org/val2017/a.png",
        "author": "Ada",
    }
    (item,) = build(write(full, "z_val.json"), write(bare, "a_val.json")).items
    assert (item.licence, item.author, item.split) == ("CC0", "Ada", "validation")
    assert item.url == "http://farm1.staticflickr.com/1/2.jpg"


LICENCES = [
    # licenses, license, licence of the item
    ([{"id": 4, "name": "Attribution", "url": "http://cc/by"}], 4, "http://cc/by"),
    ([{"id": 4, "name": "Attribution", "url": "http://cc/by"}], "4", "http://cc/by"),
    ([{"id": 0, "name": "", "url": ""}], 0, None),
    ([{"id": 0, "name": "mine"}], 0, "mine"),  # 0 is an id
    ([], "CC BY 4.0", "CC BY 4.0"),  # said outright
    ([], 4, None),
    ([{"id": 4, "name": "mine"}], None, None),
]


@pytest.mark.parametrize(("licenses", "given", "licence"), LICENCES)
def test_licences(
    licenses: list[Json],
    given: Any,
    licence: str | None,
    write: Callable[..., Path],
    build: Callable[..., Any],
) -> None:
    data = file((1, "a.png"), licenses=licenses)
    data["images"][0]["license"] = given
    (item,) = build(write(data)).items
    assert item.licence == licence


def test_the_split_that_the_option_gives_wins(
    write: Callable[..., Path], build: Callable[..., Any]
) -> None:
    data = file((1, "a.png"))
    data["images"][0]["split"] = "restval"  # as some files state it of each picture
    path = write(data, "instances_val.json")
    assert [item.split for item in build(path).items] == ["restval"]
    assert [item.split for item in build(path, split="mine").items] == ["mine"]


def test_labels_of_whole_pictures(write: Callable[..., Path], build: Callable[..., Any]) -> None:
    data = file((1, "a.png"), (2, "gone.png"))
    data["annotations"] = [
        {"id": number, "image_id": picture, "category_id": category}
        for number, picture, category in ((1, 1, 1), (2, 1, 1), (3, 2, 1), (4, 5, 1), (5, 1, 1.0))
    ]
    path = write(data)
    (path.parent / "gone.png").unlink()
    found = build(path)
    (item,) = found.items
    assert [(one.type, one.value) for one in item.attributes] == [("label", "cat")]
    assert found.reasons("attribute") == {"duplicate_label": 2, "unknown_picture": 1}
    assert "labels: 5 read = 1 kept + 3 refused + 1 of refused pictures" in found.lines
