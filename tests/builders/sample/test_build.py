"""The built-in catalog, as the other stages find it."""

from pathlib import Path

import pytest

from benchwright import files
from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from builders.sample.build import build_sample
from builders.sample.garments import TYPES, sample_garments


def data_bytes(workspace: Workspace) -> dict[str, bytes]:
    paths = [*workspace.catalog.glob("*.parquet"), *workspace.images.glob("*/*")]
    return {path.name: path.read_bytes() for path in paths}


def test_dresses_with_exact_attributes(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    built = build_sample(workspace, n=6, seed=3, workers=1)
    assert built.is_new
    assert built.manifest.counts == {
        "rows": 6, "items": 6, "rejects": 0, "pictures": 6, "animated": 0, "attributes": 72,
    }  # fmt: skip
    by_id = {item.source_id: item for item in iterate_items(workspace)}
    for index, garment in enumerate(sample_garments(6, 3)):
        item = by_id[f"3-{index:06d}"]
        assert (item.source, item.title, item.category) == ("sample", f"Dress {index:06d}", "dress")
        assert (item.licence, item.group_id) == ("CC0-1.0", None)
        assert tuple((a.type, a.value) for a in item.attributes) == garment.values
        assert [a.type for a in item.attributes] == list(TYPES)
        assert {a.origin for a in item.attributes} == {"drawn"}
        assert (item.width, item.height) == (288, 384)
        assert files.sha256_of(workspace.images / (item.image or "")) == item.sha256
    assert not build_sample(workspace, n=6, seed=3).is_new


def test_workers_change_no_byte_and_a_seed_does(tmp_path: Path) -> None:
    one, two, other = (Workspace(tmp_path / name) for name in ("one", "two", "other"))
    build_sample(one, n=5, workers=1)
    build_sample(two, n=5, workers=2)
    build_sample(other, n=5, seed=1, workers=1)
    assert data_bytes(one) == data_bytes(two)
    assert not data_bytes(one).keys() & data_bytes(other).keys() - {
        "items-00000.parquet", "rejects.parquet", "changes.parquet",
    }  # fmt: skip


def test_no_dress_at_all(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the least is 1"):
        build_sample(Workspace(tmp_path), n=0)
