"""Names of auditors, and what stands for them in a release."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from benchwright.records import CandidateSet, Decision, FalsePremise, QuestionChain

NOBODY = "author"  # who decided nothing in this workspace: who wrote a source, or a model


def numbered_auditors(decisions: Iterable[Decision]) -> Mapping[str, str]:
    """Return a number for each auditor, by when they first decided.

    It hangs on no order of the journal, and those who have a number keep it in later releases. It
    tells who began first, to those who know that.
    """
    first: dict[str, datetime] = {}
    for decision in decisions:
        at = datetime.fromisoformat(decision.at)
        first[decision.auditor] = min(at, first.get(decision.auditor, at))
    names = sorted(first, key=lambda name: (first[name], name))
    return {name: f"auditor-{number}" for number, name in enumerate(names, 1)}


def without_names(record: Any, numbers: Mapping[str, str]) -> Any:
    """Return a record whose auditors, annotators and authors are numbers, without their notes."""
    match record:
        case FalsePremise():
            approvals = tuple(
                replace(one, auditor=_number(one.auditor, numbers), note=None)
                for one in record.approvals
            )
            return replace(record, approvals=approvals)
        case CandidateSet():
            marks = tuple(
                replace(one, annotator=_number(one.annotator, numbers)) for one in record.marks
            )
            return replace(record, marks=marks)
        case QuestionChain():
            rounds = tuple(
                replace(one, checker=_number(one.checker, numbers), note=None)
                for one in record.rounds
            )
            return replace(record, rounds=rounds, author=_number(record.author, numbers))
        case _:
            return record


def _number(name: str, numbers: Mapping[str, str]) -> str:
    return numbers.get(name, NOBODY) if name else ""
