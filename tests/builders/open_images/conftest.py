"""A folder of small Open Images files, and the catalog that is built of it."""

import io
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from benchwright.records import Change, Item, Reject
from benchwright.rows import from_table
from benchwright.store import read_table
from benchwright.workspace import Workspace
from builders.catalog import Built, iterate_items
from builders.open_images.build import OpenImagesOptions, build_open_images


@dataclass(frozen=True)
class Result:
    """What was built: items and objects by their ids, rejects, changes, printed lines."""

    items: dict[str, Item]
    rejects: list[Reject]
    changes: list[Change]
    lines: list[str]
    built: Built

    @property
    def reasons(self) -> dict[str, int]:
        return dict(Counter(one.reason for one in self.rejects))

    @property
    def altered(self) -> dict[str, int]:
        return dict(Counter(one.reason for one in self.changes))


def _build(folder: Path, workspace: Path, **options: Any) -> Result:
    lines: list[str] = []
    force = options.pop("force", False)
    built = build_open_images(
        folder,
        Workspace(workspace),
        options=OpenImagesOptions(**options),
        workers=1,
        force=force,
        report=lines.append,
    )
    catalog = workspace / "catalog"
    items = {item.source_id: item for item in iterate_items(Workspace(workspace))}
    rejects = list(from_table(read_table(catalog, "rejects.parquet"), Reject))
    changes = list(from_table(read_table(catalog, "changes.parquet"), Change))
    counts = built.manifest.counts
    pictures = [one for one in rejects if one.kind == "picture"]
    assert counts["rows"] == len(items) + len(pictures)
    assert built.manifest.reasons == Counter(one.reason for one in rejects)
    ids = [one.object_id for item in items.values() for one in item.objects]
    assert len(set(ids)) == len(ids)
    for item in items.values():
        for one in item.objects:
            x, y, width, height = one.bbox
            assert item.width is not None
            assert item.height is not None
            assert 0 <= x < x + width <= item.width + 1e-9
            assert 0 <= y < y + height <= item.height + 1e-9
    return Result(items, rejects, changes, lines, built)


@pytest.fixture
def build() -> Callable[..., Result]:
    """Build a catalog of a folder and check what holds for every catalog."""
    return _build


def _jpeg(width: int, height: int, orientation: int | None = None) -> bytes:
    image = Image.new("RGB", (width, height), "white")
    image.paste((255, 0, 0), (0, 0, width // 2, height // 2))  # the stored top left is red
    stream = io.BytesIO()
    exif = Image.Exif()
    if orientation is not None:
        exif[0x0112] = orientation
    image.save(stream, "JPEG", quality=95, subsampling=0, exif=exif)
    return stream.getvalue()


@pytest.fixture
def jpeg() -> Callable[..., bytes]:
    """Draw a JPEG whose stored top left quarter is red, with an EXIF orientation or none."""
    return _jpeg


def _write(folder: Path, contents: Mapping[str, str | bytes]) -> Path:
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


@pytest.fixture
def write() -> Callable[[Path, Mapping[str, str | bytes]], Path]:
    """Write files under a folder."""
    return _write
