"""Small files in the formats of the sets, about two drawn pictures."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from stand_ins.grounding.coco_files import FIRST, SECOND, annotation


@pytest.fixture
def images(tmp_path: Path) -> Path:
    """A folder of pictures, some levels deep, one of them under its name of 2017."""
    folder = tmp_path / "images"
    (folder / "deep" / "train2014").mkdir(parents=True)
    Image.new("RGB", (64, 48), "teal").save(folder / "deep" / "train2014" / FIRST)
    Image.new("RGB", (30, 40), "navy").save(folder / "000000000111.jpg")
    return folder


@pytest.fixture
def instances(tmp_path: Path) -> Path:
    """COCO's instances.json: three objects and a crowd in the first picture, one in the second."""
    path = tmp_path / "instances.json"
    said = {
        "images": [
            {"id": 110, "file_name": FIRST, "width": 64, "height": 48, "license": 1},
            {"id": 111, "file_name": SECOND, "width": 30, "height": 40, "license": 1},
            {"id": 112, "file_name": "COCO_train2014_000000000112.jpg", "width": 9, "height": 9},
        ],
        "annotations": [
            annotation(1, [1.5, 2, 10, 20]),
            annotation(2, [30, 2, 10, 20.25]),
            annotation(3, [50, 40, 20, 20], category_id=1),  # reaches over the edge
            annotation(4, [0, 0, 64, 48], iscrowd=1, segmentation={"counts": [1], "size": [1, 1]}),
            annotation(5, [5, 5, 10, 0]),
            annotation(6, [1, 1, 5, 5], image_id=111),
            annotation(7, [1, 1, 5, 5], image_id=112),
            annotation(8, "no box"),
        ],
        "categories": [{"id": 47, "name": "cup"}, {"id": 1, "name": "person"}],
    }
    path.write_text(json.dumps(said), "utf-8")
    return path


@pytest.fixture
def written(tmp_path: Path) -> Callable[[Iterable[Any]], Path]:
    """Write references as JSON."""

    def write(rows: Iterable[Any]) -> Path:
        path = tmp_path / "refs.json"
        path.write_text(json.dumps(list(rows)), "utf-8")
        return path

    return write
