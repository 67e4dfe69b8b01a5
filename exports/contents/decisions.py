"""The config ``decisions``: what people decided of what is released, without their names."""

from collections.abc import Collection, Iterable, Mapping

import pyarrow as pa

from benchwright.records import Decision
from exports.contents.records import DECISIONS


def decisions_table(
    decisions: Iterable[Decision],
    numbers: Mapping[str, str],
    image_ids: Collection[str],
    record_ids: Collection[str],
) -> pa.Table:
    """Return the decisions about pictures and records of a release, in the order of the journal.

    Notes and times are left out: both may tell who it was.
    """
    rows = [
        {
            "image_id": one.image_id,
            "object_id": one.object_id,
            "record_id": one.record_id,
            "field": one.field,
            "auditor": numbers[one.auditor],
            "before": one.before,
            "after": one.after,
            "verdict": one.verdict,
            "seconds": one.seconds,
            "stratum": one.stratum,
            "probability": one.probability,
            "failed": list(one.failed),
        }
        for one in decisions
        if one.image_id in image_ids or one.record_id in record_ids
    ]
    return pa.Table.from_pylist(rows, schema=DECISIONS)
