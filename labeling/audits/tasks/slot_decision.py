"""The decision that a slot stands for, where a kind has said what it comes to."""

from benchwright.records import Decision, Verdict
from labeling.audits.tasks.task import Slot, TaskKey


def slot_decision(task: TaskKey, slot: Slot, verdict: Verdict, after: str | None) -> Decision:
    """Return a decision on the thing of a task; ``after`` is what the auditor holds."""
    image_id, object_id, record_id, field = task.thing
    return Decision(
        image_id=image_id,
        object_id=object_id,
        record_id=record_id,
        field=field,
        auditor=slot.auditor,
        before=task.before,
        after=after,
        verdict=verdict,
        seconds=slot.seconds,
        at=slot.at,
        stratum=task.stratum,
        probability=task.probability,
        failed=slot.failed,
        note=slot.note,
    )
