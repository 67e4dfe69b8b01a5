"""What of the audit of labels still waits for people, as far as the journal says."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchwright import files
from benchwright.decisions.fields import label_field
from benchwright.decisions.on_labels import label_decisions
from benchwright.decisions.standing import Thing
from benchwright.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditState:
    """How many labels people judged, and who; ``planned`` judgements of a plan and those ``left``.

    Both are null without a plan. What lies in a database or on sheets and was not synced is not
    counted.
    """

    judged: int
    auditors: int
    planned: int | None
    left: int | None
    is_pilot: bool


def audit_state(workspace: Workspace) -> AuditState | None:
    """Return where the audit of labels stands; null where none was begun."""
    plan = files.read_json_object(workspace.audits / "plan.json")
    decisions = label_decisions(workspace)
    if not plan and not decisions:
        return None
    wanted = dict(_wanted(plan))
    left = sum(max(0, looks - len(decisions.get(thing, {}))) for thing, looks in wanted.items())
    return AuditState(
        judged=len(decisions),
        auditors=len({auditor for by_auditor in decisions.values() for auditor in by_auditor}),
        planned=sum(wanted.values()) if plan else None,
        left=left if plan else None,
        is_pilot=plan.get("stage") == "pilot",
    )


def _wanted(plan: Mapping[str, Any]) -> Iterator[tuple[Thing, int]]:
    """Yield what a plan wants judged, and by how many; an entry that is none is left out."""
    for item in plan.get("items") or ():
        try:
            field = label_field(item["type"], item["value"])
            yield Thing(item["image_id"], item["object_id"], None, field), 1 + bool(item["twice"])
        except (AttributeError, KeyError, TypeError):
            continue
