"""Releases that somebody changed, whose locks fit all the same."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchwright.files import sha256_of
from benchwright.rows import content_digest
from benchwright.workspace import Workspace
from exports.building.shards import without_pictures

Rows = list[dict[str, Any]]


def forge(folder: Path, config: str, change: Callable[[Rows], Any]) -> None:
    """Change the rows of a config, in place or by what is returned, and the lock to fit."""
    path = folder / f"data/{config}/test-00000-of-00001.parquet"
    table = pq.read_table(path)
    rows = table.to_pylist()
    table = pa.Table.from_pylist(change(rows) or rows, schema=table.schema)
    write(folder, config, table)


def write(folder: Path, config: str, table: pa.Table) -> None:
    """Put a table in the place of a config, and change the lock to fit."""
    name = f"data/{config}/test-00000-of-00001.parquet"
    pq.write_table(table, folder / name)
    lock = json.loads((folder / "release.lock.json").read_text("utf-8"))
    lock["files"][name] = {
        "sha256": sha256_of(folder / name),
        "size": (folder / name).stat().st_size,
    }
    digest = content_digest([without_pictures(table)])
    lock["configs"][config] |= {"rows": table.num_rows, "digest": digest}
    (folder / "release.lock.json").write_text(json.dumps(lock), "utf-8")


@pytest.fixture(scope="session")
def forged() -> Callable[..., None]:
    return forge


@pytest.fixture(scope="session")
def written() -> Callable[..., None]:
    return write


@pytest.fixture
def folder(whole: Workspace) -> Path:
    """A release that a test may change."""
    return whole.releases / "things" / "1.0.0"
