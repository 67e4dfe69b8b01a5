"""What comes before and after a task in the view of the dataset that an auditor looks at.

The App cannot open what its view does not hold, and a view may have an order of its own.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bson import ObjectId

from labeling.audits.app.judging import offered_to
from labeling.audits.app.stored import StoredAudit

Stages = Sequence[Mapping[str, Any]]


class Neighbours(NamedTuple):
    """Ids of samples; null where there is none."""

    previous: str | None
    next: str | None


def neighbours(audit: StoredAudit, auditor: str, sample_id: str, stages: Stages) -> Neighbours:
    """Return what an auditor may go to from a sample, among what the stages of a view leave.

    Next is the first that is offered after the sample, else the first at all; previous the last
    before it that the auditor judged or is offered.
    """
    here = ObjectId(sample_id)
    mine = [{f"{slot}.auditor": auditor} for slot in ("slot_1", "slot_2")]
    found = audit.samples.aggregate(
        [
            *stages,
            {"$match": {"$or": [offered_to(audit, auditor), *mine, {"_id": here}]}},
            {"$project": {"slot_1.auditor": 1, "slot_2.auditor": 1}},
        ]
    )
    previous = first = None
    is_past = False
    for sample in found:
        is_mine = any(
            (sample.get(slot) or {}).get("auditor") == auditor for slot in ("slot_1", "slot_2")
        )
        if sample["_id"] == here:
            is_past = True
        elif is_past and not is_mine:
            return Neighbours(previous, str(sample["_id"]))
        elif not is_past:
            previous = str(sample["_id"])
            first = first or (None if is_mine else previous)
    return Neighbours(previous if is_past else None, first)
