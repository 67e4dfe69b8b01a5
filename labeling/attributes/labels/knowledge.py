"""Labels read back as what is known of every picture."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchwright import store
from benchwright.knowledge import Knowledge, Value
from benchwright.workspace import Workspace
from builders.catalog import load_items
from builders.duplicates.groups import groups_of
from labeling.attributes.labels.writing import keeps_catalog
from labeling.attributes.vocabulary.vocabulary import Vocabulary, load_vocabulary


def load_knowledge(workspace: Workspace) -> Knowledge:
    """Return the knowledge of all pictures of the catalog, in the order of their ids.

    Where labels were decided without the catalog no type is complete: ``complete`` says that a
    catalog lists all there is, and nothing of a value whose questions all failed. Labels of single
    objects are not knowledge of the picture and are left aside, as are labels of values that the
    vocabulary no longer has.

    Raises WorkspaceError when catalog or labels are not there, or when near-duplicates were
    looked for in another catalog.
    """
    items = load_items(workspace, ["image_id", "group_id"])
    labels = store.read_table(workspace.labels, "labels.parquet")
    values = values_of(load_vocabulary(workspace.vocabulary))
    if not keeps_catalog(workspace):
        values = tuple(replace(value, complete=False) for value in values)
    image_ids = items.column("image_id").combine_chunks()
    labels = labels.filter(pc.is_null(labels.column("object_id")))
    rows = pc.index_in(labels.column("image_id"), value_set=image_ids)
    columns = pc.index_in(
        _joined(labels.column("type"), labels.column("value")),
        value_set=pa.array([f"{value.type}\0{value.value}" for value in values], pa.string()),
    )
    yes = _cells(labels, "yes", rows, columns)
    no = _cells(labels, "no", rows, columns)
    unsure = _cells(labels, "unsure", rows, columns)
    indptr, yes_columns = _compressed(yes, len(image_ids), len(values))
    no_indptr, no_columns = _compressed(no, len(image_ids), len(values))
    unsure_indptr, unsure_columns = _compressed(unsure, len(image_ids), len(values))
    return Knowledge(
        ids=np.array([int(text, 16) for text in image_ids.to_pylist()], np.uint64),
        groups=_groups(groups_of(workspace, items)),
        values=values,
        indptr=indptr,
        yes=yes_columns,
        no_indptr=no_indptr,
        no=no_columns,
        unsure_indptr=unsure_indptr,
        unsure=unsure_columns,
    )


def values_of(vocabulary: Vocabulary) -> tuple[Value, ...]:
    """Return the values of a vocabulary with the flags of their types, by (type, value)."""
    types = {entry.type: entry for entry in vocabulary.types}
    return tuple(
        Value(
            type=value.type,
            value=value.value,
            exclusive=types[value.type].exclusive,
            complete=types[value.type].complete,
            askable=types[value.type].askable,
        )
        for value in sorted(vocabulary.values, key=lambda value: (value.type, value.value))
    )


def _joined(types: pa.ChunkedArray, values: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.binary_join_element_wise(types, values, "\0")


def _cells(
    labels: pa.Table, answer: str, rows: pa.ChunkedArray, columns: pa.ChunkedArray
) -> np.ndarray:
    """Return (row, column) of the labels with this answer whose picture and value are known."""
    wanted = pc.and_(
        pc.equal(labels.column("answer"), answer), pc.and_(pc.is_valid(rows), pc.is_valid(columns))
    )
    pair = [part.filter(wanted).to_numpy().astype(np.int64) for part in (rows, columns)]
    return np.stack(pair)


def _compressed(cells: np.ndarray, pictures: int, values: int) -> tuple[np.ndarray, np.ndarray]:
    """Return indptr and columns, ascending in each row, without repetition."""
    flat = np.unique(cells[0] * max(1, values) + cells[1])
    rows, columns = np.divmod(flat, max(1, values))
    indptr = np.searchsorted(rows, np.arange(pictures + 1))
    return indptr.astype(np.int64), columns.astype(np.int32)


def _groups(named: pa.Array) -> np.ndarray:
    """Number the groups by rows, so that a picture of no group has a number of its own."""
    codes = pc.dictionary_encode(named).indices
    filled = pc.fill_null(codes, -1).to_numpy(zero_copy_only=False).astype(np.int64)
    alone = -1 - np.arange(len(filled))
    return np.where(filled >= 0, filled, alone)
