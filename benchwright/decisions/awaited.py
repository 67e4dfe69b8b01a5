"""What of the audit of labels still waits for people, as far as the journal says."""

from dataclasses import dataclass

from benchwright.decisions.drawn import read_drawn
from benchwright.decisions.on_labels import label_decisions
from benchwright.decisions.standing import asked
from benchwright.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditState:
    """How many labels people judged, and who; ``planned`` judgements of a plan and those ``left``.

    Both are null without a plan. What lies in a database or on sheets and was not synced is not
    counted; nor is a value that was only named in the place of another.
    """

    judged: int
    auditors: int
    planned: int | None
    left: int | None
    is_pilot: bool


def audit_state(workspace: Workspace) -> AuditState | None:
    """Return where the audit of labels stands; null where none was begun."""
    drawn = read_drawn(workspace)
    decisions = asked(label_decisions(workspace))
    if drawn is None and not decisions:
        return None
    wanted = {} if drawn is None else {each.thing: each.looks for each in drawn.labels}
    left = sum(max(0, looks - len(decisions.get(thing, {}))) for thing, looks in wanted.items())
    return AuditState(
        judged=len(decisions),
        auditors=len({auditor for by_auditor in decisions.values() for auditor in by_auditor}),
        planned=None if drawn is None else sum(wanted.values()),
        left=None if drawn is None else left,
        is_pilot=drawn is not None and drawn.is_pilot,
    )
