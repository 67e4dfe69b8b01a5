"""The decisions on labels alone, and the digest by which labels know whether they heed them."""

from collections.abc import Iterable

from benchwright.decisions.fields import label_of
from benchwright.decisions.journal import read_journal
from benchwright.decisions.standing import Standing, standing
from benchwright.records import Decision
from benchwright.store import digest_of
from benchwright.workspace import Workspace


def label_decisions(workspace: Workspace) -> Standing:
    """Return the decisions on labels that stand; lines of the journal that are none are left."""
    return of_labels(read_journal(workspace).decisions)


def of_labels(decisions: Iterable[Decision]) -> Standing:
    """Return those that stand among some decisions and are about the label of a subject."""
    return standing(
        decision
        for decision in decisions
        if decision.image_id is not None and label_of(decision.field) is not None
    )


def label_decisions_digest(decisions: Standing) -> str | None:
    """Return one digest of who holds what of which label; null where nobody holds anything.

    When it was decided, how long it took and what the machine held change no label, so they are
    no part of it; nor are decisions on dialogues.
    """
    if not decisions:
        return None
    held = [
        [*thing, [[auditor, decision.after] for auditor, decision in sorted(by_auditor.items())]]
        for thing, by_auditor in decisions.items()
    ]
    return digest_of(sorted(held, key=lambda entry: [str(part or "") for part in entry[:4]]))
