"""What people make of a draft with a false premise: it stands, as it is or corrected, or not."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from benchwright.decisions.standing import outcome
from benchwright.plain_text import excerpt
from benchwright.records import Approval, Decision, FalsePremise
from labeling.dialogues.false_premise.rebuilding import rebuild
from labeling.dialogues.false_premise.rules.checks import check_dialogue
from labeling.dialogues.stored import ByField, Decided, record_digest

FIELD = "dialogue"  # of the decisions about a dialogue
CHECKLIST = ("grounding", "target consistency", "naturalness", "single error")
_APPROVED = ("confirmed", "corrected")


def decided(record: FalsePremise, decisions: ByField) -> Decided[FalsePremise]:
    """Return a dialogue with its approvals, corrected where people hold another false description.

    It stands when more auditors approve of it than reject it and it keeps all rules. Withheld is
    one that is ``not judged yet``; ``unsure`` where nobody could tell; ``rejected``; ``undecided``
    where as many approve as reject; ``breaks a rule``. The wording that most auditors approved
    holds; of several that are as frequent, the latest correction. Decisions about another draft
    of the same id (their ``before`` is not its digest) say nothing of this one.
    """
    digest = record_digest(record)
    held = {
        auditor: decision
        for auditor, decision in decisions.get(FIELD, {}).items()
        if decision.before == digest and _is_readable(decision, digest)
    }
    false_description = _held(held)
    made = record if false_description is None else rebuild(record, false_description)
    approved = replace(made, approvals=_approvals(held))
    return Decided(record=approved, withheld=_withheld(approved, held))


def corrected_text(false_description: str) -> str:
    """Return ``after`` of a decision that corrects the false description."""
    return json.dumps({"false_description": false_description}, ensure_ascii=False)


def corrected_description(text: str | None) -> str:
    """Return the false description that a text, JSON, holds.

    Raises ValueError, whose message is one line, for anything else.
    """
    try:
        said = json.loads(text or "")
    except (ValueError, RecursionError):
        said = None
    match said:
        case {"false_description": str(description)} if len(said) == 1 and description.strip():
            return " ".join(description.split())
    raise ValueError(
        'a correction wants the new wording as {"false_description": "..."}, '
        f"got {excerpt(text) if text else 'nothing'}"
    )


def _is_readable(decision: Decision, digest: str) -> bool:
    """Tell whether a decision says what it approves; a line of another hand may not."""
    if decision.verdict != "corrected":
        return decision.verdict != "confirmed" or decision.after == digest
    try:
        return bool(corrected_description(decision.after))
    except ValueError:
        return False


def _held(held: Mapping[str, Decision]) -> str | None:
    """Return the corrected false description, null where that of the draft holds."""
    answer, why = outcome(held)
    if answer is None and why == "undecided":
        corrections = [one for one in held.values() if one.verdict == "corrected"]
        latest = max(corrections, key=lambda one: (datetime.fromisoformat(one.at), one.auditor))
        answer = latest.after
    is_corrected = any(one.verdict == "corrected" and one.after == answer for one in held.values())
    return corrected_description(answer) if is_corrected else None


def _approvals(held: Mapping[str, Decision]) -> tuple[Approval, ...]:
    return tuple(
        Approval(auditor=auditor, verdict=one.verdict, failed=one.failed, note=one.note)
        for auditor, one in sorted(held.items())
    )


def _withheld(record: FalsePremise, held: Mapping[str, Decision]) -> str | None:
    approving = sum(one.verdict in _APPROVED for one in held.values())
    rejecting = sum(one.verdict == "rejected" for one in held.values())
    if not held:
        return "not judged yet"
    if approving == rejecting:
        return "undecided" if approving else "unsure"
    if approving < rejecting:
        return "rejected"
    return None if all(check.passed for check in check_dialogue(record)) else "breaks a rule"
