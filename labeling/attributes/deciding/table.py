"""Decisions as rows of labels."""

import numpy as np
import pyarrow as pa

from benchwright.records import SCHEMAS, Label
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.codes import Reals
from labeling.attributes.deciding.standing import Decision


def labels_table(ballots: Ballots, decision: Decision) -> pa.Table:
    """Return one row for each cell, sorted by subject, type and value, with origin ``voted``.

    ``votes_saved`` counts the questions that a settled label did without; those that an unsettled
    one still lacks are not saved.
    """
    schema = SCHEMAS[Label]
    count = len(ballots)
    subjects, columns = pa.array(ballots.subjects), pa.array(ballots.columns)
    types = pa.array([value.type for value in ballots.values], pa.string())
    values = pa.array([value.value for value in ballots.values], pa.string())
    answers = pa.array(["no", "unsure", "yes"], pa.string())
    arrays = {
        "image_id": ballots.image_ids.take(subjects),
        "object_id": ballots.object_ids.take(subjects),
        "type": types.take(columns),
        "value": values.take(columns),
        "answer": answers.take(pa.array(decision.answer + 1)),
        "score": _nullable(decision.score),
        "score_low": _nullable(decision.score_low),
        "score_high": _nullable(decision.score_high),
        "margin": pa.array(decision.margin),
        "votes_counted": pa.array(decision.counted, pa.int32()),
        "votes_saved": pa.array(np.where(decision.settled, decision.missing, 0), pa.int32()),
        "origin": pa.repeat("voted", count),
        "auditor": pa.nulls(count, pa.string()),
    }
    return pa.Table.from_arrays(
        [arrays[name].cast(schema.field(name).type) for name in schema.names], schema=schema
    )


def _nullable(figures: Reals) -> pa.Array:
    return pa.array(figures, from_pandas=True)  # NaN becomes null
