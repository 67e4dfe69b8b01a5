"""Which decisions stand: of each auditor on each thing the latest, unless it was withdrawn.

A value that was only named in the place of another is a word of its own: it gives way to what the
same auditor says when asked of it, and stands again when that is withdrawn.
"""

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
    times and, at equal times, by their order; one that withdraws leaves nothing. Both touch only
    what has the same ``named_for``: of what then is left of an auditor on a thing the one that was
    asked stands, else the latest that was named. No auditor's decision touches another's.
    """
    words: dict[Thing, dict[str, dict[str | None, Decision]]] = {}
    for decision in sorted(decisions, key=lambda each: datetime.fromisoformat(each.at)):
        own = words.setdefault(thing_of(decision), {}).setdefault(decision.auditor, {})
        own.pop(decision.named_for, None)  # so that the last in ``own`` is the latest
        own[decision.named_for] = decision
    kept = {
        thing: {
            auditor: held
            for auditor, own in sorted(by_auditor.items())
            if (held := _holds(own)) is not None
        }
        for thing, by_auditor in words.items()
    }
    return {thing: by_auditor for thing, by_auditor in kept.items() if by_auditor}


def asked(decisions: Standing) -> Standing:
    """Return the decisions on what was asked, without values that were only named.

    They alone are a sample of anything: a value is named because of what an auditor sees.
    """
    found = {thing: asked_of(by_auditor) for thing, by_auditor in decisions.items()}
    return {thing: by_auditor for thing, by_auditor in found.items() if by_auditor}


def asked_of(by_auditor: Mapping[str, Decision]) -> Mapping[str, Decision]:
    """Return the decisions of the auditors who were asked of a thing."""
    return {name: each for name, each in by_auditor.items() if each.named_for is None}


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


def _holds(words: Mapping[str | None, Decision]) -> Decision | None:
    """Return what an auditor holds of a thing, from the latest words by ``named_for``, in order."""
    stand = {key: each for key, each in words.items() if each.verdict != "withdrawn"}
    return stand.get(None) or next(reversed(stand.values()), None)
