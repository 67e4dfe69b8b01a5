"""What comes before and after a task in the view of the dataset that an auditor looks at.

The App cannot open what its view does not hold, and a view may have an order of its own.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bson import ObjectId

from labeling.audits.app.judging import offered_to
from labeling.audits.app.stored import SLOTS, StoredAudit

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
    offered = offered_to(audit, auditor)
    mine = [{f"{slot}.auditor": auditor} for slot in SLOTS]

    def ids(*wanted: Mapping[str, Any]) -> Iterator[ObjectId]:
        chosen = {"$match": {"$or": [*wanted, {"_id": here}]}}
        for sample in audit.samples.aggregate([*stages, chosen, {"$project": {"_id": 1}}]):
            yield sample["_id"]

    return Neighbours(previous=_before(here, ids(offered, *mine)), next=_after(here, ids(offered)))


def _before(here: ObjectId, ids: Iterable[ObjectId]) -> str | None:
    previous = None
    for each in ids:
        if each == here:
            return previous
        previous = str(each)
    return None  # it left the view


def _after(here: ObjectId, ids: Iterable[ObjectId]) -> str | None:
    """Return the first after a sample, else the first at all."""
    first = None
    is_past = False
    for each in ids:
        if each == here:
            is_past = True
        elif is_past:
            return str(each)
        else:
            first = first or str(each)
    return first
