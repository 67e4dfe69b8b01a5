"""The config ``decisions``: what people decided of what is released, without their names."""

import re
from collections.abc import Collection, Iterable, Mapping

import pyarrow as pa

from benchwright.records import Decision
from exports.contents.records import DECISIONS

_WORD = re.compile(r"[a-z0-9-]{1,16}")  # yes, no, valid, good, or the digest of a draft
_ORDER = ("image_id", "record_id", "object_id", "field", "auditor", "verdict", "before", "after")


def decisions_table(
    decisions: Iterable[Decision],
    numbers: Mapping[str, str],
    image_ids: Collection[str],
    record_ids: Collection[str],
) -> pa.Table:
    """Return the decisions about pictures and records of a release, in an order of their own.

    Notes, times and texts that auditors wrote are left out: all may tell who it was. What came of
    a text stands in its record.
    """
    rows = [
        {
            "image_id": one.image_id,
            "object_id": one.object_id,
            "record_id": one.record_id,
            "field": one.field,
            "auditor": numbers[one.auditor],
            "before": _word(one.before),
            "after": _word(one.after),
            "verdict": one.verdict,
            "seconds": one.seconds,
            "stratum": one.stratum,
            "probability": one.probability,
            "failed": list(one.failed),
            "named_for": one.named_for,
        }
        for one in decisions
        if one.image_id in image_ids or one.record_id in record_ids
    ]
    rows.sort(key=lambda row: [repr(row[name] or "") for name in (*_ORDER, *sorted(row))])
    return pa.Table.from_pylist(rows, schema=DECISIONS)


def _word(text: str | None) -> str | None:
    return text if text is not None and _WORD.fullmatch(text) else None
