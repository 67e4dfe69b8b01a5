"""What became of chains, for those who wrote, approved or checked them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from benchwright.decisions.auditors import is_model
from benchwright.records import Decision, QuestionChain, Verified
from labeling.dialogues.question_chain.dealing.checkers import ROUNDS, Round
from labeling.dialogues.question_chain.deciding import (
    INVALID,
    VALID,
    ChainProgress,
    progress,
    writers,
)
from labeling.dialogues.stored import ByField

Part = Literal["wrote", "approved", "checked"]
PARTS: tuple[Part, ...] = get_args(Part)
Became = Literal["valid", "invalid", "rejected", "open"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a checker said; ``is_outdated`` where the chain was written or judged anew since."""

    round: Round
    checker: str
    verdict: Verified
    note: str | None
    is_outdated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """What became of a chain, for one who wrote it, approved it as it was, or checked it.

    ``became`` is where it stands: valid after both rounds, invalid until its owner mends it,
    rejected by its owner, else open. ``verdicts`` are those of others that came after their own
    for a checker, and all for the others.
    """

    auditor: str
    part: Part
    chain_id: str
    became: Became
    verdicts: tuple[Verdict, ...]


def news_of(record: QuestionChain, decisions: ByField) -> Iterator[News]:
    """Yield what became of a chain for its author, its owner and each who checked it.

    A model is told nothing.
    """
    found = progress(record, decisions)
    said = _said(record, found, decisions)
    verdicts = [verdict for _, verdict in said]
    about: dict[str, Any] = {"chain_id": record.chain_id, "became": _became(found)}
    author = found.chain.author
    if not is_model(author):
        yield News(auditor=author, part="wrote", verdicts=tuple(verdicts), **about)
    if found.owner not in (None, author):
        yield News(auditor=found.owner, part="approved", verdicts=tuple(verdicts), **about)
    for checker in sorted({verdict.checker for verdict in verdicts}):
        own = min(at for at, verdict in said if verdict.checker == checker)
        later = [each for at, each in said if at > own and each.checker != checker]
        yield News(auditor=checker, part="checked", verdicts=tuple(later), **about)


def feedback_of(news: Iterable[News]) -> Mapping[str, Any]:
    """Return news as JSON can hold it: by auditor, what they wrote, approved and checked."""
    found: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for one in news:
        of_auditor = found.setdefault(one.auditor, {part: [] for part in PARTS})
        of_auditor[one.part].append(
            {
                "chain_id": one.chain_id,
                "became": one.became,
                "verdicts": [_row(verdict) for verdict in one.verdicts],
            }
        )
    return found


def _row(verdict: Verdict) -> Mapping[str, Any]:
    return {
        "round": verdict.round,
        "checker": verdict.checker,
        "verdict": verdict.verdict,
        "note": verdict.note,
        "is_outdated": verdict.is_outdated,
    }


def _became(found: ChainProgress) -> Became:
    if found.stage is None:
        return "valid" if found.withheld is None else "rejected"
    return "invalid" if found.remarks else "open"


def _said(
    record: QuestionChain, found: ChainProgress, decisions: ByField
) -> Sequence[tuple[datetime, Verdict]]:
    """Return the last word of each checker in each round, by time."""
    wrote = writers(record, decisions)
    said = [
        (number, decision)
        for number in ROUNDS
        for decision in decisions.get(f"round-{number}", {}).values()
        if decision.after in (VALID, INVALID) and decision.auditor not in wrote
    ]
    said.sort(key=lambda each: (datetime.fromisoformat(each[1].at), each[0], each[1].auditor))
    return [
        (datetime.fromisoformat(one.at), _verdict(one, number, found.digest))
        for number, one in said
    ]


def _verdict(decision: Decision, number: Round, digest: str) -> Verdict:
    return Verdict(
        round=number,
        checker=decision.auditor,
        verdict="invalid" if decision.after == INVALID else "valid",
        note=decision.note,
        is_outdated=decision.before != digest,
    )
