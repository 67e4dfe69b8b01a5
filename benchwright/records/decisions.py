"""The record of what an auditor decided, with its Arrow schema."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import pyarrow as pa

from benchwright.arrow_fields import TEXT, TEXTS, required

Verdict = Literal["confirmed", "corrected", "rejected", "unsure", "withdrawn"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What one auditor decided of one thing: a label of a subject, or a check of a record.

    The thing is a subject (``image_id``, ``object_id``) or a record (``record_id``) with a
    ``field``: ``type/value`` of a label (``benchwright.decisions.fields``) or the name of a check.
    ``before`` is what the machine held, ``after`` what the auditor holds; ``after`` is null where
    the auditor rejects it, cannot tell, or withdraws what the same auditor decided before.
    ``stratum`` and ``probability`` (above 0, at most 1) say how the thing was drawn; both are
    null for what no plan drew, which then stands for nothing but itself. ``failed`` names what of
    a checklist failed, ``note`` is the auditor's own. ``seconds`` is how long it took; ``at`` is
    ISO 8601 with an offset from UTC. ``named_for`` is the field of the label that the auditor was
    asked about, where this value was named in its place; null where this thing itself was asked.
    """

    image_id: str | None
    object_id: str | None
    record_id: str | None
    field: str
    auditor: str
    before: str | None
    after: str | None
    verdict: Verdict
    seconds: float | None
    at: str
    stratum: str | None
    probability: float | None
    failed: tuple[str, ...] = ()
    note: str | None = None
    named_for: str | None = None


_DECISION = pa.schema(
    [
        *(pa.field(name, TEXT) for name in ("image_id", "object_id", "record_id")),
        required("field", TEXT),
        required("auditor", TEXT),
        pa.field("before", TEXT),
        pa.field("after", TEXT),
        required("verdict", TEXT),
        pa.field("seconds", pa.float64()),
        required("at", TEXT),
        pa.field("stratum", TEXT),
        pa.field("probability", pa.float64()),
        required("failed", TEXTS),
        pa.field("note", TEXT),
        pa.field("named_for", TEXT),
    ]
)

DECISION_SCHEMAS: Mapping[type[Any], pa.Schema] = MappingProxyType(
    {
        Decision: _DECISION,
    }
)
