"""Labels that a catalog states: a yes for each value of the vocabulary that it lists."""

import numpy as np
import pyarrow as pa

from benchwright.records import SCHEMAS, Label
from labeling.attributes.vocabulary.spelling import fold
from labeling.attributes.vocabulary.stated import Stated
from labeling.attributes.vocabulary.vocabulary import Vocabulary


def stated_labels(stated: Stated, vocabulary: Vocabulary) -> pa.Table:
    """Return one label yes for each value that the catalog states of a picture, in order."""
    lookup = vocabulary.lookup()
    column_of = {value: at for at, value in enumerate(vocabulary.values)}
    entries = [lookup.get((fold(type_name), fold(value))) for type_name, value in stated.pairs]
    columns = np.array([-1 if entry is None else column_of[entry] for entry in entries], np.int64)
    column = columns[stated.which] if len(stated.which) else np.zeros(0, np.int64)
    width = max(1, len(vocabulary.values))
    cells = np.unique(stated.rows[column >= 0].astype(np.int64) * width + column[column >= 0])
    rows, held = np.divmod(cells, width)
    return _as_labels(
        stated.image_ids.take(pa.array(rows)),
        pa.array([value.type for value in vocabulary.values], pa.string()).take(pa.array(held)),
        pa.array([value.value for value in vocabulary.values], pa.string()).take(pa.array(held)),
    )


def _as_labels(image_ids: pa.Array, types: pa.Array, values: pa.Array) -> pa.Table:
    count = len(image_ids)
    stated = {
        "image_id": image_ids,
        "type": types,
        "value": values,
        "answer": pa.repeat(pa.scalar("yes"), count),
        "votes_counted": pa.repeat(pa.scalar(0, pa.int32()), count),
        "votes_saved": pa.repeat(pa.scalar(0, pa.int32()), count),
        "origin": pa.repeat(pa.scalar("catalog"), count),
    }
    schema = SCHEMAS[Label]
    columns = [stated.get(field.name, pa.nulls(count, field.type)) for field in schema]
    return pa.Table.from_arrays(columns, schema=schema)
