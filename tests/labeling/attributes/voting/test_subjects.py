"""What is labelled: pictures and objects, what they are called, and what is left out."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from labeling.attributes.voting.subjects import subjects_of


@pytest.fixture
def workspace(tmp_path: Path, run: Callable[..., Any]) -> Workspace:
    """Two pictures; in the first three objects, one of them a crowd; a box over the edge."""
    for number in (1, 2):
        Image.new("RGB", (60, 40), (number, 9, 9)).save(tmp_path / f"{number}.png")

    def thing(number: int, box: list[float], category: int, crowd: int = 0) -> dict[str, Any]:
        return {
            "id": number,
            "image_id": 1,
            "category_id": category,
            "bbox": box,
            "area": box[2] * box[3],
            "iscrowd": crowd,
        }

    said = {
        "images": [
            {"id": number, "file_name": f"{number}.png", "width": 60, "height": 40}
            for number in (1, 2)
        ],
        "annotations": [
            thing(7, [1, 2, 10, 12], 1),
            thing(8, [0, 0, 60, 40], 2, crowd=1),
            thing(9, [50, 30, 30, 30], 2),
        ],
        "categories": [{"id": 1, "name": "Traffic_Light"}, {"id": 2, "name": "Person"}],
    }
    path = tmp_path / "instances.json"
    path.write_text(json.dumps(said), "utf-8")
    ran = run("build-catalog", "coco", path, "--workers", "1", "--workspace", tmp_path / "w")
    assert ran.code == 0, ran.err
    return Workspace(tmp_path / "w")


def test_pictures(workspace: Workspace) -> None:
    found = list(subjects_of(workspace, "pictures", "street"))
    assert [each.image_id for each in found] == sorted(each.image_id for each in found)
    assert len(found) == 2
    for each in found:
        assert (each.object_id, each.bbox, each.noun) == (None, None, "street")
        assert (each.width, each.height) == (60, 40)
        assert each.path.is_file()


def test_objects_without_crowds_and_within_the_picture(workspace: Workspace) -> None:
    found = list(subjects_of(workspace, "objects"))
    assert [(each.object_id, each.noun) for each in found] == [
        ("7", "traffic light"),
        ("9", "person"),
    ]
    assert [each.bbox for each in found] == [(1, 2, 10, 12), (50, 30, 10, 10)]
    assert {each.noun for each in subjects_of(workspace, "objects", "thing")} == {"thing"}


def test_pictures_have_no_category_here(workspace: Workspace) -> None:
    with pytest.raises(UsageError, match=r"has no category to ask about; name .* with --noun"):
        list(subjects_of(workspace, "pictures"))
