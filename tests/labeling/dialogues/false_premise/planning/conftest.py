"""The real boxes of 56 COCO pictures, as a catalog; pictures that are not here are drawn grey."""

import json
from collections.abc import Callable, Collection
from pathlib import Path
from types import SimpleNamespace

import pytest
from PIL import Image

from benchwright.workspace import Workspace
from builders.coco.build import CocoOptions, build_coco
from builders.complexity import Cell
from labeling.dialogues.false_premise.planning.pictures import Fitting, Target

COCO = Path(__file__).parents[4] / "data" / "coco"


def fitting(name: str, cells: Collection[Cell]) -> Fitting:
    """A picture that can fill some cells, with a target of its own in each."""
    targets = {
        cell: Target(object_id=f"{name} {cell[0]}", box=(0.0, 0.0, 10.0, 10.0)) for cell in cells
    }
    return Fitting(image_id=name, targets=targets)


@pytest.fixture(scope="session")
def kit() -> SimpleNamespace:
    """The functions above, for tests."""
    return SimpleNamespace(fitting=fitting)


@pytest.fixture(scope="session")
def coco(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace with the catalog of the 56 pictures; tests must not write into it."""
    folder = tmp_path_factory.mktemp("coco")
    files = sorted(COCO.glob("annotations/instances_*.json"))
    for path in files:
        for entry in json.loads(path.read_text("utf-8"))["images"]:
            grey = Image.new("RGB", (entry["width"], entry["height"]), (128, 128, 128))
            grey.save(folder / entry["file_name"])
    workspace = Workspace(folder / "workspace")
    build_coco(files, workspace, options=CocoOptions(), images=folder, workers=1)
    return workspace


@pytest.fixture
def with_catalog(coco: Workspace, tmp_path: Path) -> Callable[[str], Workspace]:
    """Make a workspace of a name that has that catalog."""

    def make(name: str) -> Workspace:
        root = tmp_path / name
        root.mkdir()
        (root / "catalog").symlink_to(coco.catalog, target_is_directory=True)
        return Workspace(root)

    return make
