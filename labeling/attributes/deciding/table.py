"""Decisions as rows of labels."""

import pyarrow as pa

from benchwright.records import SCHEMAS, Label
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.codes import NOT_ASKED, Mask, Reals
from labeling.attributes.deciding.savings import questions_saved
from labeling.attributes.deciding.standing import Outcome


def labels_table(ballots: Ballots, outcome: Outcome) -> pa.Table:
    """Return one row for each cell with a label, by subject, type and value; origin ``voted``.

    ``votes_saved`` counts the questions that a settled label did without; those that an unsettled
    one still lacks are not saved, nor are those that failed or weigh nothing.
    """
    schema = SCHEMAS[Label]
    subjects, columns = pa.array(ballots.subjects), pa.array(ballots.columns)
    types = pa.array([value.type for value in ballots.values], pa.string())
    values = pa.array([value.value for value in ballots.values], pa.string())
    answers = pa.array(["no", "unsure", "yes"], pa.string())
    arrays = {
        "image_id": ballots.image_ids.take(subjects),
        "object_id": ballots.object_ids.take(subjects),
        "type": types.take(columns),
        "value": values.take(columns),
        "answer": answers.take(pa.array(outcome.answer + 1)),
        "score": _nullable(outcome.score),
        "score_low": _nullable(outcome.score_low),
        "score_high": _nullable(outcome.score_high),
        "margin": pa.array(outcome.margin),
        "votes_counted": pa.array(outcome.counted, pa.int32()),
        "votes_saved": pa.array(questions_saved(ballots, outcome)),
        "origin": pa.repeat("voted", len(ballots)),
        "auditor": pa.nulls(len(ballots), pa.string()),
    }
    table = pa.Table.from_arrays(
        [arrays[name].cast(schema.field(name).type) for name in schema.names], schema=schema
    )
    labelled = has_label(ballots, outcome)
    return table if labelled.all() else table.filter(pa.array(labelled))


def has_label(ballots: Ballots, outcome: Outcome) -> Mask:
    """Return the cells that the votes say something of.

    One that is open and of which nothing was answered has no label: such are the values that were
    added to an exclusive type after the votes, and those whose questions all failed.
    """
    labelled: Mask = outcome.settled | (ballots.answers != NOT_ASKED).any(axis=0)
    return labelled


def _nullable(figures: Reals) -> pa.Array:
    return pa.array(figures, from_pandas=True)  # NaN becomes null
