"""Workspaces whose pictures have licences, authors and metadata, and what is released of them."""

import json
import shutil
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from benchwright.decisions.journal import append_decisions
from benchwright.records import Item
from benchwright.workspace import Workspace
from exports.building.build import Built, build_release
from exports.building.making import Making
from exports.building.settings import ReleaseSettings
from exports.building.shards import write_shards
from exports.contents.gathering import Gathered
from exports.names import Version
from stand_ins.false_premises import false_premises, said_of, store_false_premises

Run = Callable[..., Any]
Build = Callable[..., Built]


@pytest.fixture(scope="session")
def _coco(tmp_path_factory: pytest.TempPathFactory, run: Run) -> Path:
    root = tmp_path_factory.mktemp("coco") / "workspace"
    data = Path(__file__).parents[2] / "data" / "coco" / "annotations"
    files = [data / f"instances_{name}2017.json" for name in ("train", "val")]
    ran = run("build-catalog", "coco", *files, "--workers", "1", "--workspace", root)
    assert ran.code == 0, ran.err
    store_false_premises(Workspace(root))
    append_decisions(Workspace(root), [said_of(one) for one in false_premises()])
    return root


@pytest.fixture
def coco(_coco: Path, tmp_path: Path) -> Workspace:
    """Real pictures of COCO and four dialogues about them that people let stand."""
    return Workspace(Path(shutil.copytree(_coco, tmp_path / "workspace", symlinks=True)))


@pytest.fixture(scope="session")
def build() -> Build:
    """Make a release; settings are given by name."""

    def make(workspace: Workspace, version: str = "1.0.0", name: str = "r", **more: Any) -> Built:
        return build_release(workspace, name, Version.of(version), ReleaseSettings(**more))

    return make


@pytest.fixture(scope="session")
def lines() -> Callable[[Path], list[dict[str, Any]]]:
    """Return the objects of a file of JSON Lines."""
    return lambda path: [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def making_of(tmp_path: Path) -> Callable[..., Making]:
    """Return a release in the making that shows these pictures, and has these configs.

    ``configs`` are tables; their shards are written.
    """
    numbers = count()

    def make(
        *items: Item, configs: Mapping[str, pa.Table] | None = None, **settings: Any
    ) -> Making:
        folder = tmp_path / f"making-{next(numbers)}"
        folder.mkdir()
        configs = configs or {}
        return Making(
            workspace=Workspace(tmp_path),
            name="r",
            version=Version(1, 0, 0),
            settings=ReleaseSettings(**settings),
            folder=folder,
            gathered=Gathered(
                contents=(), records={}, items=items, held={}, left_out={}, inputs={}
            ),
            written=[
                write_shards(folder, name, table.schema, [table.slice(0, 1), table.slice(1)], 1)
                for name, table in configs.items()
            ],
            schemas={name: table.schema for name, table in configs.items()},
        )

    return make
