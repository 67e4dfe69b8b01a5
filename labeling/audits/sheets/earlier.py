"""What the journal knows of a row already: when it was judged, and what it takes back."""

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from benchwright.decisions.fields import label_of
from benchwright.decisions.taking_in import judgement
from benchwright.records import Decision
from labeling.audits.sheets.asking import others
from labeling.audits.sheets.keys import SheetKey
from labeling.audits.tasks.task import Slot, TaskKey


@dataclass(frozen=True, slots=True)
class Earlier:
    """What each auditor said of each task before, values named in its place too, by time."""

    by_task: Mapping[Hashable, Sequence[Decision]]

    @classmethod
    def of(cls, decisions: Sequence[Decision]) -> "Earlier":
        """Group the decisions of a journal."""
        by_task: dict[Hashable, list[Decision]] = {}
        for one in sorted(decisions, key=_time):
            asked = one.named_for or one.field
            task = one.auditor, one.image_id, one.object_id, one.record_id, asked
            by_task.setdefault(task, []).append(one)
        return cls(by_task)

    def time_of(
        self, key: SheetKey, slot: Slot, decisions: Callable[[TaskKey, Slot], Sequence[Decision]]
    ) -> str | None:
        """Return when a row that does not say when was judged, if it was taken in before.

        That is the time of its auditor's latest judgement with the same ``seconds``, if it says
        the same: what is filled in by hand has none, those of the App and of pages have some. So
        neither a copy of a sheet is judged anew, nor is an answer that was changed twice lost.
        """
        said = self._said(key, slot)
        times = [one.at for one in said if one.named_for is None and one.seconds == slot.seconds]
        if not times:
            return None
        then = {judgement(one) for one in said if one.at == times[-1] and not _takes_back(one)}
        now = {judgement(one) for one in decisions(key.task, replace(slot, at=times[-1]))}
        return times[-1] if then == now else None

    def with_what_no_longer_holds(self, key: SheetKey, slot: Slot) -> Slot:
        """Return a slot that also takes back another value, which its auditor named before it."""
        label = label_of(key.task.thing.field)
        if label is None:
            return slot
        value = json.loads(slot.text)["value"] if slot.text else None
        named = {
            one.field: one
            for one in self._said(key, slot)
            if one.named_for is not None and _time(one) < datetime.fromisoformat(slot.at)
        }
        held = {label_of(one.field) for one in named.values() if not _takes_back(one)}
        no_longer = [
            each["value"]
            for each in others(key.shown)
            if (label[0], each["value"]) in held and each["value"] != value
        ]
        if not no_longer:
            return slot
        said = {"value": value, "no_longer": no_longer}
        return replace(slot, text=json.dumps(said, ensure_ascii=False))

    def _said(self, key: SheetKey, slot: Slot) -> Sequence[Decision]:
        return self.by_task.get((slot.auditor, *key.task.thing), ())


def _takes_back(decision: Decision) -> bool:
    return decision.named_for is not None and decision.verdict == "withdrawn"


def _time(decision: Decision) -> datetime:
    return datetime.fromisoformat(decision.at)
