"""The config ``labels``: yes, no or unknown for each value of each picture (definition 1)."""

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchwright import store
from benchwright.knowledge import UNKNOWN, YES
from benchwright.workspace import Workspace
from exports.contents.records import LABELS
from labeling.attributes.labels.knowledge import load_knowledge

_PICTURES = 2_000  # whose labels are held at once
_JOINED = ("image_id", "type", "value")


def label_tables(workspace: Workspace, image_ids: Sequence[str]) -> Iterator[pa.Table]:
    """Yield the labels of pictures, by picture, type and value; ids are ascending.

    Every value has a row for every picture. What follows from the flags of a type (another value
    of an exclusive type, all of a complete one) has no score and no origin of its own.
    """
    knowledge = load_knowledge(workspace)
    stated = store.read_table(
        workspace.labels,
        "labels.parquet",
        columns=[*_JOINED, "object_id", "score", "margin", "origin"],
    )
    stated = stated.filter(pc.is_null(stated.column("object_id"))).drop_columns(["object_id"])
    rows = {knowledge.image_id(row): row for row in range(len(knowledge.ids))}
    for start in range(0, len(image_ids), _PICTURES):
        some = image_ids[start : start + _PICTURES]
        known = knowledge.answers([rows[name] for name in some]).ravel()
        count = len(knowledge.values)
        table = pa.table(
            {
                "image_id": np.repeat(np.array(some, dtype=object), count),
                "type": pa.array([value.type for value in knowledge.values] * len(some)),
                "value": pa.array([value.value for value in knowledge.values] * len(some)),
                "answer": _words(known),
                "place": np.arange(len(known)),
            }
        )
        of_these = stated.filter(pc.is_in(stated.column("image_id"), value_set=pa.array(some)))
        joined = table.join(of_these, keys=list(_JOINED), join_type="left outer")
        joined = joined.sort_by("place").drop_columns(["place"])
        yield joined.select(LABELS.names).cast(LABELS)


def _words(known: np.ndarray) -> pa.Array:
    words = np.where(known == UNKNOWN, "unknown", np.where(known == YES, "yes", "no"))
    return pa.array(words.tolist(), pa.string())
