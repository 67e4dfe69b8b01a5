"""COCO files that a test builds, and catalogs of them."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from benchwright.records import Change, Item, Reject
from benchwright.rows import from_table
from benchwright.store import read_table
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from builders.coco.build import CocoOptions, build_coco

Json = dict[str, Any]


@dataclass
class Catalog:
    """What came out of a build."""

    items: list[Item]
    rejects: list[Reject]
    changes: list[Change]
    lines: list[str]
    counts: dict[str, int]
    bytes: dict[str, bytes]

    @property
    def objects(self) -> list[Any]:
        return [one for item in self.items for one in item.objects]

    @property
    def captions(self) -> list[str]:
        return [one for item in self.items for one in item.captions]

    def reasons(self, kind: str | None = None) -> dict[str, int]:
        return dict(Counter(r.reason for r in self.rejects if kind in (None, r.kind)))

    def changed(self) -> dict[str, int]:
        return dict(Counter(change.reason for change in self.changes))


Build = Callable[..., Catalog]


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write a COCO file under the test's folder, and the pictures that it lists as PNG."""

    def _write(data: Any, name: str = "coco.json", *, pictures: bool = True) -> Path:
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(data))
        if pictures and isinstance(data, dict) and isinstance(data.get("images"), list):
            for place, one in enumerate(data["images"]):
                _draw(path.parent, one, place)
        return path

    return _write


def _draw(folder: Path, one: Any, place: int) -> None:
    name = one.get("file_name") if isinstance(one, dict) else None
    if not isinstance(name, str) or "/" in name or "\\" in name or not name.strip():
        return
    picture = folder / name
    if picture.exists():
        return
    sides = one.get("width"), one.get("height")
    size = tuple(side if isinstance(side, int) and 0 < side < 99 else 20 for side in sides)
    image = Image.new("RGB", size, (place, 99, 0))
    image.save(picture, "PNG")


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Build the catalog of COCO files and check that its account adds up."""

    def _build(*paths: Path, where: str = "w", **given: Any) -> Catalog:
        workspace = Workspace(tmp_path / where)
        names = ("source", "split", "fetch", "keep_going")
        options = CocoOptions(**{name: given.pop(name) for name in names if name in given})
        lines: list[str] = []
        given.setdefault("workers", 1)
        built = build_coco(paths, workspace, options=options, report=lines.append, **given)
        rejects = list(from_table(read_table(workspace.catalog, "rejects.parquet"), Reject))
        changes = list(from_table(read_table(workspace.catalog, "changes.parquet"), Change))
        found = Catalog(
            items=list(iterate_items(workspace)),
            rejects=rejects,
            changes=changes,
            lines=lines,
            counts=dict(built.manifest.counts),
            bytes={path.name: path.read_bytes() for path in workspace.catalog.glob("*.parquet")},
        )
        refused = sum(found.reasons("picture").values())
        assert found.counts["rows"] == len(found.items) + refused
        return found

    return _build
