"""New decisions are added to the journal, and what stands there is not added again."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace

from benchwright.decisions.journal import append_decisions, read_journal
from benchwright.decisions.standing import thing_of
from benchwright.records import Decision
from benchwright.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenIn:
    """How many decisions came into the journal; ``withdrawn`` of them take back earlier ones."""

    new: int
    withdrawn: int


def take_in(workspace: Workspace, decisions: Iterable[Decision]) -> TakenIn:
    """Add to the journal what is not there; when it returns all is on the disk.

    A judgement that stands there already is not added because the machine's label or the plan
    changed since; nor is a withdrawal of what its auditor never decided as far as anyone knows.
    """
    found = list(decisions)
    held = read_journal(workspace).decisions
    decided = {_who_of(one) for one in (*held, *found) if one.verdict != "withdrawn"}
    known = {judgement(one) for one in held}
    new = {
        judgement(one): one
        for one in found
        if judgement(one) not in known and (one.verdict != "withdrawn" or _who_of(one) in decided)
    }
    if new:
        append_decisions(workspace, new.values())
    return TakenIn(new=len(new), withdrawn=sum(one.verdict == "withdrawn" for one in new.values()))


def _who_of(decision: Decision) -> Hashable:
    return thing_of(decision), decision.auditor, decision.named_for


def judgement(decision: Decision) -> Decision:
    """Return a decision without what its auditor did not see or say.

    Whether an answer confirms or corrects hangs on the machine's label, which may change.
    """
    plain = replace(decision, before=None, stratum=None, probability=None)
    return plain if plain.after is None else replace(plain, verdict="confirmed")
