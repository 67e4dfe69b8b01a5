"""Judging: what comes next, storing a decision, taking it back. By pymongo, without FiftyOne.

A decision is one atomic change of one sample that succeeds only where the slot is free or the
auditor's own, and it is on the disk when the call returns. What is asked for again and again is
answered from indexes.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any, get_args

from bson import ObjectId
from bson.errors import InvalidId
from pymongo import WriteConcern

from benchwright.errors import UsageError
from benchwright.records import Verdict
from labeling.audits.app.reading import slot_of
from labeling.audits.app.stored import SLOTS, StoredAudit
from labeling.audits.tasks.names import AuditName
from labeling.audits.tasks.task import Slot

_CLAIMED = timedelta(minutes=10)  # for so long nobody else is offered what is on a screen
_ON_DISK = WriteConcern(w=1, j=True)
_STANDING = [verdict for verdict in get_args(Verdict) if verdict != "withdrawn"]
_RECENT = 20  # decisions that tell the pace
_BREAK = 600.0  # seconds between two decisions; what is longer was a break

Query = Mapping[str, Any]


def _stands(slot: str) -> Query:
    said = {"$ifNull": [f"${slot}.verdict", "withdrawn"]}
    return {"$ne": [said, "withdrawn"]}


def _fills(slot: str) -> Query:
    """Return whether a slot is a look; of a chain, which gets but one, an unsure is none."""
    is_unsure = {"$eq": [f"${slot}.verdict", "unsure"]}
    is_chain = {"$eq": ["$kind", "question-chain"]}
    return {"$and": [_stands(slot), {"$not": {"$and": [is_chain, is_unsure]}}]}


def _answers(slot: str) -> Query:
    said = {"$ifNull": [f"${slot}.verdict", None]}
    return {"$in": [said, ["confirmed", "corrected", "rejected"]]}


def _differ() -> Query:
    verdict, value, text = (
        {"$ne": [f"$slot_1.{name}", f"$slot_2.{name}"]} for name in ("verdict", "value", "text")
    )
    # of a label the text names another value, on which auditors need not agree
    is_record = {"$ne": ["$kind", "attributes"]}
    parts = [verdict, value, {"$and": [is_record, text]}]
    marked = [{"$ifNull": [f"${slot}.boxes", []]} for slot in SLOTS]
    return {"$or": [*parts, {"$not": [{"$setEquals": marked}]}]}


# the end of an update after which ``open``, ``disputed``, ``auditors`` (whose decisions stand) and
# ``seen_by`` follow from the slots;
# while a task is open, ``seen_by`` is who judged it, "" nobody: with it an index alone knows what
# an auditor can be offered
CONSEQUENCES = (
    {
        "$set": {
            "open": {
                "$max": [
                    0,
                    {
                        "$subtract": [
                            "$looks",
                            {"$sum": [{"$cond": [_fills(slot), 1, 0]} for slot in SLOTS]},
                        ]
                    },
                ]
            },
            "disputed": {"$and": [*map(_answers, SLOTS), _differ()]},
            "auditors": {
                "$concatArrays": [
                    {"$cond": [_stands(slot), [f"${slot}.auditor"], []]} for slot in SLOTS
                ]
            },
        }
    },
    {
        "$set": {
            "seen_by": {
                "$switch": {
                    "branches": [
                        {"case": {"$eq": ["$open", 0]}, "then": None},
                        *({"case": _stands(slot), "then": f"${slot}.auditor"} for slot in SLOTS),
                    ],
                    "default": "",
                }
            }
        }
    },
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far an audit is: decisions of mine, tasks that are done, all tasks.

    ``per_hour`` is the pace of my last decisions without breaks; null before there are two.
    """

    mine: int
    done: int
    total: int
    per_hour: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A task as an auditor sees it; ``next`` and ``previous`` are ids of samples."""

    sample_id: str
    kind: AuditName
    task_id: str
    shown: Mapping[str, Any]
    facets: Mapping[str, Any]
    mine: Slot | None
    next: str | None
    previous: str | None


def load(audit: StoredAudit, sample_id: str, auditor: str, *, in_order: bool = True) -> Loaded:
    """Return a task, and keep it from the other auditors for ten minutes while it is open.

    ``next`` and ``previous`` are those of the order of judging, null unless ``in_order``. Raises
    UsageError for a sample that is not there.
    """
    sample = stored_sample(audit, sample_id)
    _claim(audit, sample, auditor)
    return Loaded(
        sample_id=str(sample["_id"]),
        kind=sample["kind"],
        task_id=sample["task_id"],
        shown=json.loads(sample["task"]),
        facets={name: sample.get(name) for name in audit.info["facets"]},
        mine=_mine(sample, auditor),
        next=next_task(audit, auditor, after=sample["rank"]) if in_order else None,
        previous=previous_task(audit, auditor, before=sample["rank"]) if in_order else None,
    )


def next_task(audit: StoredAudit, auditor: str, *, after: int = -1) -> str | None:
    """Return the sample to judge next: the first after a rank, else the first at all.

    Nobody is offered a task twice, one that needs no more looks, or one that another auditor
    looks at.
    """
    offered = offered_to(audit, auditor)
    for ranks in ({"$gt": after}, {"$lt": after}):
        found = audit.samples.find_one({**offered, "rank": ranks}, {"_id": 1}, sort=[("rank", 1)])
        if found is not None:
            return str(found["_id"])
    return None


def previous_task(audit: StoredAudit, auditor: str, *, before: int) -> str | None:
    """Return the last sample before a rank that the auditor judged or is offered."""
    wanted: list[Query] = [
        offered_to(audit, auditor),
        *({f"{slot}.auditor": auditor} for slot in SLOTS),
    ]
    found = [
        audit.samples.find_one({**each, "rank": {"$lt": before}}, {"rank": 1}, sort=[("rank", -1)])
        for each in wanted
    ]
    ranked = [(each["rank"], str(each["_id"])) for each in found if each is not None]
    return max(ranked)[1] if ranked else None


def judge(audit: StoredAudit, sample_id: str, slot: Slot) -> None:
    """Store what an auditor decided; it is on the disk when this returns.

    An auditor's own decision is replaced, another's never. Where no slot is free, one whose
    decision was withdrawn is taken; what was withdrawn is kept in it. Raises UsageError where two
    others judged the task already, or where the auditor may not judge it.
    """
    samples = audit.samples.with_options(write_concern=_ON_DISK)
    identity = _id_of(sample_id)
    for may_take in (_free_or_mine, _withdrawn):
        for chosen, other in (SLOTS, SLOTS[::-1]):
            changed = samples.find_one_and_update(
                {
                    "_id": identity,
                    "$or": may_take(chosen, slot.auditor),
                    f"{other}.auditor": {"$ne": slot.auditor},
                    "judged_by": {"$ne": slot.auditor},
                },
                [
                    {"$set": {chosen: _taken(chosen, slot), "claim": _without_claim(slot.auditor)}},
                    *CONSEQUENCES,
                ],
                projection={"_id": 1},
            )
            if changed is not None:
                return
    raise UsageError(_refusal(stored_sample(audit, sample_id), slot.auditor))


def undo(audit: StoredAudit, auditor: str) -> str | None:
    """Withdraw the last decision of an auditor; return its sample, null where none stands."""
    latest = _latest(audit, auditor, 1)
    if not latest:
        return None
    _, name, identity = latest[0]
    samples = audit.samples.with_options(write_concern=_ON_DISK)
    withdrawn = {f"{name}.verdict": "withdrawn", f"{name}.at": now()}
    samples.find_one_and_update(
        {"_id": identity, f"{name}.auditor": auditor}, [{"$set": withdrawn}, *CONSEQUENCES]
    )
    return str(identity)


def progress(audit: StoredAudit, auditor: str) -> Progress:
    """Return how far an audit is."""
    count = audit.samples.count_documents
    mine = sum(
        count({f"{name}.auditor": auditor})
        - count({f"{name}.auditor": auditor, f"{name}.verdict": "withdrawn"})
        for name in SLOTS
    )
    left = count({"open": {"$gt": 0}})
    total = audit.info["total"]
    times = [datetime.fromisoformat(at) for at, _, _ in _latest(audit, auditor, _RECENT)]
    return Progress(mine=mine, done=total - left, total=total, per_hour=_pace(times))


def stored_sample(audit: StoredAudit, sample_id: str) -> Mapping[str, Any]:
    """Return a sample as it is stored; raise UsageError for one that is not there."""
    found: Mapping[str, Any] | None = audit.samples.find_one({"_id": _id_of(sample_id)})
    if found is None:
        raise UsageError(f"sample {sample_id} is not in the audit {audit.name}; open it again")
    return found


def now() -> str:
    """Return the time as slots and claims have it; texts of it are in the order of time."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def offered_to(audit: StoredAudit, auditor: str) -> dict[str, Any]:
    """Return the query for the samples that an auditor may be offered."""
    expired = (datetime.now(UTC) - _CLAIMED).isoformat(timespec="milliseconds")
    seen_by = audit.samples.distinct("seen_by")  # from the index: a handful of names
    has_room = [
        each
        for name in SLOTS
        for each in (*_free_or_mine(name, auditor), *_withdrawn(name, auditor))
    ]
    not_for_them = [
        *({f"{name}.auditor": auditor, f"{name}.verdict": {"$in": _STANDING}} for name in SLOTS),
        # a chain that has an author is for them to mend
        {"kind": "question-chain", "stage": "chain", "owner": {"$nin": [None, auditor]}},
        # one that was dealt to somebody is for them to check
        {"kind": "question-chain", "dealt_to": {"$nin": [None, auditor]}},
    ]
    unclaimed = [{"claim": None}, {"claim.auditor": auditor}, {"claim.at": {"$lt": expired}}]
    return {
        "seen_by": {"$in": [name for name in seen_by if name not in (None, auditor)]},
        "judged_by": {"$ne": auditor},
        "$and": [{"$or": has_room}, {"$or": unclaimed}, {"$nor": not_for_them}],
    }


def _claim(audit: StoredAudit, sample: Mapping[str, Any], auditor: str) -> None:
    claim = {"_cls": "DynamicEmbeddedDocument", "auditor": auditor, "at": now()}
    chosen = {"_id": sample["_id"]}
    if sample["kind"] == "candidate-set" and sample.get("dialogue_id"):
        # whoever marks one turn goes on with the next: marks are carried from turn to turn
        chosen = {"dialogue_id": sample["dialogue_id"]}
    audit.samples.update_many({**offered_to(audit, auditor), **chosen}, {"$set": {"claim": claim}})


def _without_claim(auditor: str) -> Query:
    is_mine = {"$eq": ["$claim.auditor", {"$literal": auditor}]}
    return {"$cond": [is_mine, None, "$claim"]}


def _latest(audit: StoredAudit, auditor: str, most: int) -> list[tuple[str, str, ObjectId]]:
    """Return time, slot and sample of the last decisions that stand, the last first."""
    found = [
        (sample[name]["at"], name, sample["_id"])
        for name in SLOTS
        for sample in audit.samples.find(
            {f"{name}.auditor": auditor, f"{name}.verdict": {"$in": _STANDING}},
            {f"{name}.at": 1},
        )
        .sort(f"{name}.at", -1)
        .limit(most)
    ]
    return sorted(found, reverse=True)[:most]


def _pace(times: Sequence[datetime]) -> int | None:
    """Return decisions an hour, of times in falling order."""
    gaps = [(late - early).total_seconds() for late, early in pairwise(times)]
    worked = [gap for gap in gaps if gap <= _BREAK]
    return round(3600 * len(worked) / sum(worked)) if worked and sum(worked) > 0 else None


def _id_of(sample_id: str) -> ObjectId:
    try:
        return ObjectId(sample_id)
    except (InvalidId, TypeError) as error:
        raise UsageError(
            f"{str(sample_id)[:40]!r} is no id of a sample; open the audit again"
        ) from (error)


def _mine(sample: Mapping[str, Any], auditor: str) -> Slot | None:
    for name in SLOTS:
        stored = sample.get(name)
        if stored is not None and stored["auditor"] == auditor:
            return slot_of(stored)
    return None


def _free_or_mine(slot: str, auditor: str) -> list[Query]:
    return [{slot: None}, {f"{slot}.auditor": auditor}]


def _withdrawn(slot: str, _: str) -> list[Query]:
    return [{f"{slot}.verdict": "withdrawn"}]


def _taken(chosen: str, slot: Slot) -> Query:
    """Return a slot after a decision: another's that it displaces, withdrawn, stays in it."""
    is_mine = {"$eq": [f"${chosen}.auditor", {"$literal": slot.auditor}]}
    displaced = {"$cond": [is_mine, f"${chosen}.displaced", f"${chosen}"]}
    kept = {"displaced": {"$ifNull": [displaced, None]}}
    return {"$mergeObjects": [{"$literal": _slot_document(slot)}, kept]}


def _slot_document(slot: Slot) -> Mapping[str, Any]:
    said = asdict(slot) | {"failed": list(slot.failed), "boxes": list(slot.boxes)}
    return {
        "_cls": "DynamicEmbeddedDocument",
        **{name: _encodable(value) for name, value in said.items()},
    }


def _encodable(value: Any) -> Any:
    """Return a value with halves of surrogate pairs, which JSON can bring, as question marks."""
    if isinstance(value, list):
        return [_encodable(each) for each in value]
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _refusal(sample: Mapping[str, Any], auditor: str) -> str:
    if auditor in sample.get("judged_by", ()):
        return f"{auditor} judged this before or had a part in it; another auditor must look at it"
    others = " and ".join(sample[name]["auditor"] for name in SLOTS)
    return f"{others} judged this already; go on with the next"
