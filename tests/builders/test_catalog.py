"""The catalog stage by itself."""

from dataclasses import replace
from pathlib import Path

import pytest

from benchwright.errors import CorruptShard, UsageError, WorkspaceError
from benchwright.identity import image_id_of
from benchwright.pictures import Picture
from benchwright.records import Item, Reject
from benchwright.store import Plan
from benchwright.workspace import Workspace
from builders.catalog import (
    Harvest,
    input_digests,
    iterate_items,
    load_items,
    write_catalog,
)
from builders.local import pictures_digest
from builders.outcomes import Entry

PLAN = Plan(stage="catalog", inputs={}, settings={})


def item(name: str) -> Item:
    return Item(
        image_id=image_id_of("t", name), image=None, sha256=None, width=None, height=None,
        source="t", source_id=name, split=None, group_id=None, title=None, category=None,
        url=None, licence=None, author=None, attributes=(), objects=(), captions=(), dialogues=(),
    )  # fmt: skip


def entry(name: str) -> Entry[str]:
    return Entry(item=item(name), picture=None)


def no_picture(_: str) -> Picture:
    raise AssertionError("nothing to make")


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    reject = Reject(source="t", source_id=None, row=3, path="f", reason="no_id", message="none")
    entries = [entry(name) for name in "cab"]
    harvest = Harvest(entries=entries, rejects=[reject], make=no_picture)
    manifest = write_catalog(workspace, PLAN, harvest).manifest
    assert manifest.counts["rows"] == 4
    items = list(iterate_items(workspace))
    assert items == sorted((item(name) for name in "abc"), key=lambda each: each.image_id)
    assert load_items(workspace).num_rows == 3


def test_two_items_of_one_id_are_a_fault_of_the_source(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'a'"):
        write_catalog(Workspace(tmp_path), PLAN, Harvest(entries=[entry("a")] * 2, make=no_picture))


def test_no_catalog_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="run build-catalog table FILE"):
        load_items(Workspace(tmp_path))


def test_a_broken_shard_is_named(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    write_catalog(workspace, PLAN, Harvest(entries=[entry("a")], make=no_picture))
    path = workspace.catalog / "items-00000.parquet"
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(CorruptShard, match="items-00000"):
        load_items(workspace)


def test_no_entry_is_no_catalog(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no rows"):
        write_catalog(Workspace(tmp_path), PLAN, Harvest(entries=[], make=no_picture))


def test_inputs_are_named_without_folders(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a/t.csv", "b/t.csv", "u.csv")]
    for number, path in enumerate(paths):
        path.parent.mkdir(exist_ok=True)
        path.write_text(str(number))
    digests = input_digests(paths)
    assert sorted(name.split(" ")[0] for name in digests) == ["t.csv", "t.csv", "u.csv"]
    assert input_digests(paths[::-1]) == digests


def test_a_picture_counts_by_name_and_size() -> None:
    one = pictures_digest([("a", 1), ("b", None)])
    assert one == pictures_digest([("b", None), ("a", 1), ("a", 1)])
    assert one != pictures_digest([("a", 1), ("b", 0)])
    assert one != pictures_digest([("a", 2), ("b", None)])
    assert replace(PLAN, inputs={"pictures/": one}) != PLAN


def test_pictures_of_an_earlier_catalog_go(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    earlier = workspace.images / "ab" / f"{'ab' * 32}.jpg"
    earlier.parent.mkdir(parents=True)
    earlier.write_bytes(b"of a catalog that stood here before")
    write_catalog(workspace, PLAN, Harvest(entries=[entry("a")], make=no_picture))
    assert not earlier.exists()
