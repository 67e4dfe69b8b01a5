"""Boxes as x, y, width, height: read so where that is said, never taken for corners in silence."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from builders.invig.box_order import as_corners
from builders.invig.build import InvigOptions, build_invig
from builders.invig.draft import Draft
from builders.invig.layouts import read_row

Write = Callable[..., dict[str, Any]]
COCO = Path(__file__).parents[2] / "data" / "coco"
NESTED: list[Any] = []
HELD: dict[str, Any] = {}
for _ in range(5000):
    NESTED, HELD = [NESTED], {"ann": HELD}
CORNERS_ALONE = ("tagged", "speakers")  # their boxes are bins


def as_xywh(value: Any) -> Any:
    """Return a row with all its boxes written as x, y, width, height."""
    if isinstance(value, dict):
        return {name: as_xywh(each) for name, each in value.items()}
    if isinstance(value, list) and len(value) == 4 and not isinstance(value[0], list | str | dict):
        return [value[0], value[1], value[2] - value[0], value[3] - value[1]]
    if isinstance(value, list):
        return [as_xywh(each) for each in value]
    if isinstance(value, str) and value.startswith("["):
        return json.dumps(as_xywh(json.loads(value)))
    return value


@pytest.mark.parametrize("name", ["A", "A in JSON", "B", "C", "C as lists", "D", "E"])
def test_every_layout_with_other_boxes(name: str, layouts: dict[str, Write], plain: Any) -> None:
    row = layouts[name](plain())
    (wanted,), (found,) = read_row(row, "en")[1], read_row(as_corners(as_xywh(row)), "en")[1]
    assert isinstance(wanted, Draft)
    assert isinstance(found, Draft)
    assert found.target == pytest.approx(wanted.target)
    assert found.candidates == wanted.candidates
    assert found.utterances == wanted.utterances


@pytest.mark.parametrize("name", CORNERS_ALONE)
def test_bins_are_corners_always(name: str, layouts: dict[str, Write], plain: Any) -> None:
    row = layouts[name](plain())
    assert read_row(as_corners(row), "en") == read_row(row, "en")


@pytest.mark.parametrize(
    "row",
    [
        {"bbox": "no box", "raw_anns": "no JSON", "ann": 5, "ref_list": [1, None]},
        {"bbox": [1, 2, 3], "bboxes": [[1, 2], None, ["a", 2, 3, 4]], "objects": "{"},
        {"bbox": [10**400, 2.5, 1.5, 4], "bboxes": NESTED, "ann": HELD},
        {"bbox": [True, 2, 3, 4], "bbox_xyxy_px": [1, 2, 3, 4]},
    ],
)
def test_what_is_no_box_stays_as_it_is(row: dict[str, Any]) -> None:
    found = as_corners(row)
    assert found.keys() == row.keys()
    for name in row.keys() - {"bboxes", "ann"}:
        assert found[name] == row[name]
    assert found.get("ann") in (None, 5) or found["ann"]["ann"] is row["ann"]["ann"]


def coco_rows(order: str, *, pictured: bool = False) -> list[dict[str, Any]]:
    """Return a dialogue about each real picture of COCO, with all of its boxes.

    Its size stands in the row or, of those that are ``pictured``, is that of the file.
    """
    rows = []
    for part in ("train", "val"):
        said = json.loads((COCO / "annotations" / f"instances_{part}2017.json").read_text("utf-8"))
        names = {one["id"]: one["name"] for one in said["categories"]}
        for image in said["images"]:
            objects = [
                {"bbox": one["bbox"], "category": names[one["category_id"]]}
                for one in said["annotations"]
                if one["image_id"] == image["id"] and not one["iscrowd"]
            ]
            if order == "corners":
                for one in objects:
                    x, y, width, height = one["bbox"]
                    one["bbox"] = [x, y, x + width, y + height]
            size = {} if pictured else {side: image[side] for side in ("width", "height")}
            if pictured and not any(COCO.glob(f"*/{image['file_name']}")):
                continue
            if objects:
                rows.append(
                    {
                        "id": str(image["id"]),
                        "image": image["file_name"],
                        "utterances": [
                            ["human", "that one."],
                            ["agent", "which?"],
                            ["human", "it."],
                        ],
                        "bbox": objects[0]["bbox"],
                        "raw_anns": objects,
                        **size,
                    }
                )
    return rows


def built(folder: Path, rows: list[dict[str, Any]], **options: Any) -> dict[str, Any]:
    """Return the target of each dialogue of a catalog of rows, by id."""
    source = folder / "rows.jsonl"
    source.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    workspace = Workspace(folder / "w")
    chosen = InvigOptions(**{"images": COCO, **options})
    build_invig([source], workspace, options=chosen, workers=1)
    return {
        dialogue.dialogue_id: (dialogue.target_box, len(dialogue.candidate_boxes), item.objects)
        for item in iterate_items(workspace)
        for dialogue in item.dialogues
    }


@pytest.mark.parametrize(("pictured", "bad", "total"), [(False, 54, 56), (True, 8, 9)])
def test_boxes_of_coco_are_refused_until_it_is_said_what_they_are(
    tmp_path: Path, pictured: bool, bad: int, total: int
) -> None:
    rows = coco_rows("xywh", pictured=pictured)
    options = {} if pictured else {"images": None, "pictures": False}
    wanted = f"rows.jsonl: {bad} of {total} dialogues have a box .* give --boxes xywh"
    with pytest.raises(UsageError, match=wanted):
        built(tmp_path, rows, **options)
    assert not (tmp_path / "w" / "catalog" / "manifest.json").exists()
    found = built(tmp_path, rows, boxes="xywh", **options)
    assert found.keys() == {row["id"] for row in rows}
    for row in rows:
        target, count, objects = found[row["id"]]
        assert target == pytest.approx(row["bbox"], abs=1.01)  # one leaves its picture by a pixel
        assert count == len(row["raw_anns"])
        assert {one.category for one in objects} == {one["category"] for one in row["raw_anns"]}
    as_said = built(tmp_path, rows, boxes="corners", **options)  # a mistake, and the user's own
    assert 0 < len(as_said) < len(rows)


@pytest.mark.parametrize("boxes", [None, "corners"])
def test_corners_with_mistakes_are_read_as_corners(tmp_path: Path, boxes: Any) -> None:
    """One box has its corners the wrong way round, one object has none: the others stand."""
    rows = coco_rows("corners")
    x0, y0, x1, y1 = rows[0]["bbox"]
    rows[0] = {**rows[0], "bbox": [x1, y1, x0, y0]}
    rows[1]["raw_anns"].append({"category": "cup"})
    found = built(tmp_path, rows, boxes=boxes, images=None, pictures=False)
    assert found.keys() == {row["id"] for row in rows[1:]}


@pytest.mark.parametrize(
    ("bad", "is_refused"),
    [
        (0, False),
        # of no known size: few bad boxes prove nothing, half of them do
        (1, False),
        (2, True),
        (4, True),
    ],
)
def test_pictures_of_no_known_size(
    tmp_path: Path, layouts: dict[str, Write], plain: Any, bad: int, is_refused: bool
) -> None:
    boxes = [[40, 30, 8, 8] if number < bad else [8, 4, 40, 24] for number in range(4)]
    rows = [
        {**layouts["B"](plain(picture=f"{number:016x}")), "bbox": box, "id": str(number)}
        for number, box in enumerate(boxes)
    ]
    if is_refused:
        with pytest.raises(UsageError, match=f"{bad} of 4 dialogues have a box"):
            built(tmp_path, rows, images=None, pictures=False)
    else:
        assert len(built(tmp_path, rows, images=None, pictures=False)) == 4 - bad


def test_a_box_that_leaves_its_picture_as_xywh_tells_corners(
    tmp_path: Path, layouts: dict[str, Write], plain: Any
) -> None:
    Image.new("RGB", (64, 48)).save(tmp_path / "00bf29ce5868629f.jpg")
    rows = [
        {**layouts["B"](plain()), "bbox": box, "id": str(number)}
        for number, box in enumerate([[40, 30, 8, 8], [30, 4, 40, 24]])
    ]
    assert built(tmp_path, rows, images=None).keys() == {"1"}
    rows[1]["bbox"] = [8, 4, 40, 24]
    with pytest.raises(UsageError, match="1 of 2 dialogues have a box"):
        built(tmp_path, rows, images=None)
