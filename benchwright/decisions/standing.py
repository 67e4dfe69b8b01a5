"""Which decisions stand: of each auditor on each thing the latest, unless it was withdrawn."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Literal, NamedTuple

from benchwright.records import Decision


class Thing(NamedTuple):
    """What decisions are about: a label of a subject, or a check of a record."""

    image_id: str | None
    object_id: str | None
    record_id: str | None
    field: str


Standing = Mapping[Thing, Mapping[str, Decision]]  # the decisions that stand, by auditor
Open = Literal["unsure", "undecided"]


def thing_of(decision: Decision) -> Thing:
    """Return what a decision is about."""
    return Thing(decision.image_id, decision.object_id, decision.record_id, decision.field)


def standing(decisions: Iterable[Decision]) -> Standing:
    """Return the decisions that stand, in whatever order they were added.

    A later one of the same auditor on the same thing takes the place of an earlier one, by their
    times and, at equal times, by their order; one that withdraws leaves nothing. No auditor's
    decision touches another's.
    """
    latest: dict[Thing, dict[str, Decision]] = {}
    for decision in sorted(decisions, key=lambda each: datetime.fromisoformat(each.at)):
        latest.setdefault(thing_of(decision), {})[decision.auditor] = decision
    kept = {
        thing: {
            auditor: decision
            for auditor, decision in sorted(by_auditor.items())
            if decision.verdict != "withdrawn"
        }
        for thing, by_auditor in latest.items()
    }
    return {thing: by_auditor for thing, by_auditor in kept.items() if by_auditor}


def outcome(by_auditor: Mapping[str, Decision]) -> tuple[str | None, Open | None]:
    """Return what the auditors hold of one thing, or why they hold nothing.

    The most frequent answer wins; who cannot tell, or rejects without an answer, has no voice.
    ``undecided``: two answers are as frequent, and a further auditor must look. ``unsure``: nobody
    gave an answer.
    """
    answers = Counter(each.after for each in by_auditor.values() if each.after is not None)
    if not answers:
        return None, "unsure"
    (first, most), *others = answers.most_common(2)
    return (None, "undecided") if others and others[0][1] == most else (first, None)
