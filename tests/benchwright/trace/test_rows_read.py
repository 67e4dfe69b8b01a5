"""What is sorted by the id costs a group of rows, however much there is of it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from benchwright import store
from benchwright.records import SCHEMAS, Item, Label
from benchwright.trace.pictures import item_of
from benchwright.trace.shelves import Shelves, begins, is_id
from benchwright.workspace import Workspace

ITEMS = 120_000  # three shards, in groups of 10,000 rows
GROUP = 10_000


def image_id(number: int) -> str:
    return f"{number:016x}"


def filled(schema: pa.Schema, rows: int, **columns: list[Any]) -> pa.Table:
    """Return a table of a schema; columns that are not given are null or empty."""
    given: dict[pa.DataType, Any] = {pa.string(): "", pa.int32(): 0}
    arrays = []
    for field in schema:
        if field.name in columns:
            arrays.append(pa.array(columns[field.name], field.type))
        elif pa.types.is_list(field.type):
            arrays.append(pa.array([[]], field.type).take(pa.array([0] * rows)))
        elif field.nullable:
            arrays.append(pa.nulls(rows, field.type))
        else:
            arrays.append(pa.repeat(pa.scalar(given[field.type], field.type), rows))
    return pa.Table.from_arrays(arrays, schema=schema)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A catalog of 120,000 items with two labels each."""
    workspace = Workspace(tmp_path_factory.mktemp("large"))
    ids = [image_id(number) for number in range(ITEMS)]
    items = filled(
        SCHEMAS[Item], ITEMS, image_id=ids, source_id=[f"row-{n}" for n in reversed(range(ITEMS))]
    )
    with _stage(workspace.catalog, "catalog", "items-*.parquet") as out:
        out.shards("items", items)
        for name in ("rejects", "changes"):
            out.table(name, pa.table({"source_id": pa.array([], pa.string())}))
    twice = [name for name in ids for _ in range(2)]
    labels = filled(
        SCHEMAS[Label],
        2 * ITEMS,
        image_id=twice,
        answer=["yes"] * len(twice),
        origin=["catalog"] * len(twice),
    )
    with _stage(workspace.labels, "labels", "labels.parquet") as out:
        out.table("labels", labels)
    return workspace


def _stage(folder: Path, name: str, pattern: str) -> Any:
    plan = store.Plan(stage=name, inputs={}, settings={"from": "table"})
    return store.writing(folder, plan, configs={name: pattern})


@pytest.mark.parametrize("number", [0, 59_999, ITEMS - 1])
def test_one_group_is_decoded_for_a_picture(number: int, large: Workspace) -> None:
    shelves = Shelves(large)
    item = item_of(shelves, image_id(number))
    assert item is not None
    assert item.values["source_id"] == f"row-{ITEMS - 1 - number}"
    assert shelves.rows_read == GROUP


@pytest.mark.parametrize("number", [0, 59_999, ITEMS - 1])
def test_one_group_is_decoded_for_the_labels_of_a_picture(number: int, large: Workspace) -> None:
    shelves = Shelves(large)
    shelf = shelves.stage("labels")
    assert shelf is not None
    rows = [*shelves.rows(shelf, "labels.parquet", is_id("image_id", image_id(number)))]
    assert len(rows) == 2
    assert shelves.rows_read == GROUP


def test_the_beginning_of_an_id_is_found_by_statistics_too(large: Workspace) -> None:
    shelves = Shelves(large)
    shelf = shelves.stage("catalog")
    assert shelf is not None
    prefix = image_id(65_800)[:14]  # of 256 ids, all in one group
    (found,) = shelves.tables(shelf, "items-*.parquet", begins("image_id", prefix), ["image_id"])
    assert found[1].num_rows == 256
    assert shelves.rows_read == GROUP


def test_an_id_that_is_not_there_decodes_nothing(large: Workspace) -> None:
    shelves = Shelves(large)
    assert item_of(shelves, "f" * 16) is None
    assert shelves.rows_read == 0


def test_a_picture_is_followed_by_its_unsorted_name(
    large: Workspace, run: Callable[..., Any]
) -> None:
    ran = run("benchwright", "trace", "row-50000", "--workspace", large.root)
    assert ran.code == 0, ran.err
    assert f"{image_id(ITEMS - 1 - 50_000)}:" in ran.out
    assert "labels     2 labels: 2 yes; 2 catalog" in ran.out
