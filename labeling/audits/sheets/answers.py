"""What an auditor filled in of a task, as the slot that the App would hold."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from labeling.audits.sheets.asking import box_ids, form_of, others, ticks
from labeling.audits.sheets.cells import divided
from labeling.audits.sheets.keys import SheetKey
from labeling.audits.tasks.task import Slot

_YES = frozenset({"yes", "y", "true", "1"})
_NO = frozenset({"no", "n", "false", "0"})
_UNSURE = frozenset({"unsure", "u", "?"})
_WORDS = {
    "answer": (_YES, _NO),
    "approval": (_YES | {"confirmed"}, _NO | {"rejected"}),
}


class BadRow(ValueError):
    """A row that is no judgement; ``reason`` is a short code that is counted."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def slot_of(
    key: SheetKey, cells: Mapping[str, str], auditor: str, at: str, seconds: float | None
) -> Slot:
    """Return the judgement that stands in the cells of a row, whose verdict is not empty.

    Raises BadRow where it is none, or not one of this task.
    """
    form = form_of(key.task.kind)
    yes, no = _WORDS[form]
    word = cells["verdict"].casefold()
    if word == "withdrawn":  # whatever else still stands in its row
        note = cells["note"] or None
        return Slot(auditor=auditor, verdict="withdrawn", note=note, seconds=seconds, at=at)
    if word not in yes | no | _UNSURE:
        wanted = "yes, no, unsure" if form == "answer" else "confirmed, rejected, unsure"
        raise BadRow(
            "no_verdict", f"verdict wants {wanted} or withdrawn, got {cells['verdict']!r:.60}"
        )
    value = _value(key, cells["value"])
    if value is not None and word not in no:
        raise BadRow("contradiction", f"the other value {value!r:.60} goes with no, not {word}")
    unsure = Slot(
        auditor=auditor,
        verdict="unsure",
        failed=_known("failed", cells["failed"], list(ticks(key.shown))),
        boxes=_known("boxes", cells["boxes"], box_ids(key.shown)) if word in yes else (),
        note=cells["note"] or None,
        seconds=seconds,
        at=at,
    )
    if word in _UNSURE:
        return unsure
    if form == "answer":
        text = None if value is None else json.dumps({"value": value}, ensure_ascii=False)
        return replace(unsure, verdict="confirmed", value="yes" if word in yes else "no", text=text)
    if word in no:
        return replace(unsure, verdict="rejected")
    return replace(unsure, verdict="confirmed", text=_unchanged(key))


def _value(key: SheetKey, cell: str) -> str | None:
    """Return the other value that a cell names, as the vocabulary spells it."""
    if not cell:
        return None
    offered = [str(each["value"]) for each in others(key.shown)]
    found = _same(cell, offered)
    if found is None:
        what = ", ".join(offered) or "none: leave it empty"
        raise BadRow(
            "no_value", f"value wants another value of the type ({what:.200}), got {cell!r:.60}"
        )
    return found


def _known(column: str, cell: str, known: Sequence[str]) -> tuple[str, ...]:
    """Return the entries of a cell, in the order of those that are known."""
    whole = _same(cell, known)
    said = divided(cell, known) if whole is None else (whole,)
    found = {entry: _same(entry, known) for entry in said}
    strange = next((entry for entry, name in found.items() if name is None), None)
    if strange is not None:
        what = ", ".join(known) or "none: leave it empty"
        raise BadRow(f"no_{column}", f"{column} wants some of {what:.200}, got {strange!r:.60}")
    chosen = set(found.values())
    return tuple(name for name in known if name in chosen)


def _same(said: str, known: Sequence[str]) -> str | None:
    """Return the text that is meant: the very one, else the one that differs in case and blanks."""
    if said in known:
        return said
    folded = " ".join(said.split()).casefold()
    alike = [name for name in known if " ".join(name.split()).casefold() == folded]
    return alike[0] if len(alike) == 1 else None


def _unchanged(key: SheetKey) -> str | None:
    """Return the chain that is approved, as it was shown: the App has it from its editor."""
    if key.shown.get("stage") != "chain":
        return None
    return json.dumps(key.shown["chain"], sort_keys=True, ensure_ascii=False)
