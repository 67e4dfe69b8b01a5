"""What auditors decided, read back from the database: by one query, without FiftyOne."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from benchwright.decisions.standing import Thing
from labeling.audits.app.database import connected, has_database
from labeling.audits.app.stored import SLOTS, TASKS, keys_of, stored_audit, stored_audits
from labeling.audits.tasks.task import Slot, TaskKey

if TYPE_CHECKING:
    from pymongo.database import Database

__all__ = ["audits_of", "connected", "has_database", "read_slots"]

_BATCH = 5_000


def audits_of(database: "Database[dict[str, Any]]") -> Sequence[str]:
    """Return the names of the datasets of audits in a database, sorted."""
    return sorted(stored_audits(database))


def read_slots(
    database: "Database[dict[str, Any]]", dataset: str
) -> Iterator[tuple[TaskKey, Slot]]:
    """Yield what each auditor decided of each task, withdrawn decisions too, by order of tasks.

    So comes what was withdrawn from a slot that another auditor has taken since.

    Raises WorkspaceError where there is no such audit.
    """
    samples = stored_audit(database, dataset).samples
    wanted = dict.fromkeys(
        ("task_id", "kind", "before", "stratum", "probability", *Thing._fields), 1
    )
    kept = database[TASKS].find(keys_of(dataset), {**wanted, "_id": 0}, batch_size=_BATCH)
    keys = {key["task_id"]: key for key in kept}
    filled = {"$or": [{name: {"$type": "object"}} for name in SLOTS]}
    fields = {"_id": 0, "task_id": 1, **dict.fromkeys(SLOTS, 1)}
    for sample in samples.find(filled, fields, batch_size=_BATCH).sort("rank", 1):
        key = task_key(keys[sample["task_id"]])
        for name in SLOTS:
            judged = sample[name]
            while judged is not None:
                yield key, slot_of(judged)
                judged = judged.get("displaced")


def task_key(stored: Mapping[str, Any]) -> TaskKey:
    """Return a task as it is kept away from the screen."""
    return TaskKey(
        task_id=stored["task_id"],
        kind=stored["kind"],
        thing=Thing(stored["image_id"], stored["object_id"], stored["record_id"], stored["field"]),
        before=stored["before"],
        stratum=stored["stratum"],
        probability=stored["probability"],
    )


def slot_of(stored: Mapping[str, Any]) -> Slot:
    """Return a slot as it was judged."""
    return Slot(
        auditor=stored["auditor"],
        verdict=stored["verdict"],
        value=stored["value"],
        text=stored["text"],
        failed=tuple(stored["failed"]),
        boxes=tuple(stored["boxes"]),
        note=stored["note"],
        seconds=stored["seconds"],
        at=stored["at"],
    )
