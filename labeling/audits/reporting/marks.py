"""How far auditors agree on sets of ids: ids still plausible, distractors that are wrong."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from benchwright.decisions.standing import Standing, Thing
from benchwright.records import Decision
from benchwright.statistics.agreement.sets import SetAgreement, SetPairs, SetScores, set_agreement
from labeling.audits.reporting.board import CANDIDATES, DISTRACTORS, clusters_of, in_order, is_label
from labeling.audits.reporting.settings import ReportSettings

Ids = frozenset[str]
FIELDS = (CANDIDATES, DISTRACTORS)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairMarks:
    """Precision, recall and F1 of the marks of ``first`` against those of ``second``.

    ``same`` of ``judged`` sets are equal; ``left_out`` things one of the two judged alone.
    """

    first: str
    second: str
    judged: int
    same: int
    left_out: int
    agreement: SetAgreement


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkAgreement:
    """Agreement on the sets of one field, of ``things`` that were judged.

    ``overall`` takes each pair of auditors of each thing once, the one first by name as first, so
    that of it F1 alone means something. ``unread`` decisions hold no list of ids.
    """

    auditors: tuple[str, ...]
    things: int
    unread: int
    overall: SetScores
    pairs: tuple[PairMarks, ...]


def mark_agreements(decisions: Standing, settings: ReportSettings) -> Mapping[str, MarkAgreement]:
    """Return how far auditors agree on sets, by the fields that have any."""
    ordered = [thing for thing in in_order(decisions) if not is_label(thing)]
    by_field = {field: [each for each in ordered if each.field == field] for field in FIELDS}
    return {
        field: _agreement(decisions, things, settings)
        for field, things in by_field.items()
        if things
    }


def _agreement(decisions: Standing, things: list[Thing], settings: ReportSettings) -> MarkAgreement:
    said = [decision for thing in things for decision in decisions[thing].values()]
    marks = {thing: _marks(decisions[thing]) for thing in things}
    auditors = sorted({name for by_name in marks.values() for name in by_name})
    rows = [
        (thing, by_name[one], by_name[other])
        for thing, by_name in marks.items()
        for one, other in combinations(sorted(by_name), 2)
    ]
    every = SetPairs.of(
        [first for _, first, _ in rows],
        [second for _, _, second in rows],
        clusters_of([thing for thing, _, _ in rows]),
    )
    pairs = [_pair(marks, *pair, settings) for pair in combinations(auditors, 2)]
    return MarkAgreement(
        auditors=tuple(auditors),
        things=len(things),
        unread=sum(decision.after is not None and _ids(decision) is None for decision in said),
        overall=set_agreement(every, settings.seed, settings.draws, settings.confidence).mean,
        pairs=tuple(pair for pair in pairs if pair.judged),
    )


def _pair(
    marks: Mapping[Thing, Mapping[str, Ids]], first: str, second: str, settings: ReportSettings
) -> PairMarks:
    one = [by_name.get(first) for by_name in marks.values()]
    other = [by_name.get(second) for by_name in marks.values()]
    pairs = SetPairs.of(one, other, clusters_of(list(marks)))
    return PairMarks(
        first=first,
        second=second,
        judged=len(pairs.matched),
        same=sum(a is not None and a == b for a, b in zip(one, other, strict=True)),
        left_out=pairs.left_out,
        agreement=set_agreement(pairs, settings.seed, settings.draws, settings.confidence),
    )


def _marks(by_auditor: Mapping[str, Decision]) -> Mapping[str, Ids]:
    found = {auditor: _ids(decision) for auditor, decision in by_auditor.items()}
    return {auditor: ids for auditor, ids in found.items() if ids is not None}


def _ids(decision: Decision) -> Ids | None:
    """Return the ids of a decision; null where it holds no list of them."""
    if decision.after is None:
        return None
    try:
        said = json.loads(decision.after)
    except (ValueError, RecursionError):
        return None
    is_list = isinstance(said, list) and all(isinstance(each, str) for each in said)
    return frozenset(said) if is_list else None
