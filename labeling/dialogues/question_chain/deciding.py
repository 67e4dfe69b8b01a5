"""What becomes of a chain by people's decisions: written, its distractors judged, checked twice.

Four stages, each of them asked for only when the one before is done; a chain that is found wanting
goes back to the first. A decision of a later stage is about one state of the chain, whose digest
it holds as ``before``: what was decided of a state that has passed counts no more.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from benchwright import store
from benchwright.decisions.auditors import is_model
from benchwright.records import ChainStep, Decision, QuestionChain, Verification
from benchwright.seeds import shuffled
from labeling.dialogues.question_chain.distractors import without_distractors
from labeling.dialogues.question_chain.rules.checking import failures
from labeling.dialogues.question_chain.rules.scenarios import one_spelling
from labeling.dialogues.question_chain.written import (
    rewritten,
    without_options,
    written_text,
)
from labeling.dialogues.stored import ByField, Decided

Stage = Literal["chain", "distractors", "round-1", "round-2"]  # the fields of the decisions
_ROUNDS: tuple[Stage, ...] = ("round-1", "round-2")
VALID, INVALID = "valid", "invalid"  # what a decision of a round holds as ``after``


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """What somebody found fault with, for the author to mend."""

    who: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainProgress:
    """How far a chain has come: as it is now, the stage that it waits for and its digest.

    ``stage`` is null when nothing more is to be decided, ``withheld`` when the chain stands.
    ``owner`` is who wrote it last or let it stand as it was, and mends it; its author is who wrote
    it. ``barred`` are those who may not judge this stage, ``unsure`` those who could not, so that
    somebody else must.
    """

    chain: QuestionChain
    stage: Stage | None
    digest: str
    withheld: str | None
    owner: str | None = None
    barred: frozenset[str] = frozenset()
    unsure: frozenset[str] = frozenset()
    remarks: tuple[Remark, ...] = ()


def decided(record: QuestionChain, decisions: ByField) -> Decided[QuestionChain]:
    """Return the chain by the decisions on it; it stands when both rounds found it valid.

    The options of one that stands are in an order of its own, so that the place of the true one,
    which people write first, tells nothing, and its scenario is spelled as in all others.
    """
    found = progress(record, decisions)
    if found.withheld is not None:
        return Decided(record=found.chain, withheld=found.withheld)
    named = replace(found.chain, scenario=one_spelling(found.chain.scenario))
    return Decided(record=mixed(named))


def writers(record: QuestionChain, decisions: ByField) -> frozenset[str]:
    """Return the persons who wrote a draft, or any state of it that stands among the decisions.

    Who let one stand as it was is among them: they have judged it before the rounds.
    """
    said = decisions.get("chain", {}).items()
    drafted = () if is_model(record.author) else (record.author,)
    return frozenset((*drafted, *(name for name, each in said if each.after is not None)))


def progress(record: QuestionChain, decisions: ByField) -> ChainProgress:
    """Return how far a chain has come by the decisions that stand."""
    found = _progress(record, decisions)
    if found.stage is None:
        return found
    unsure = [one for one in decisions.get(found.stage, {}).values() if one.verdict == "unsure"]
    return replace(
        found,
        unsure=frozenset(
            one.auditor for one in unsure if found.stage == "chain" or one.before == found.digest
        ),
    )


def _progress(record: QuestionChain, decisions: ByField) -> ChainProgress:
    by_author = decisions.get("chain", {})
    last = _last_writing(record, by_author.values())
    if last is None:
        digest = store.digest_of(written_text(record))[:16]
        withheld = "not written yet" if is_model(record.author) else "not approved yet"
        return ChainProgress(chain=record, stage="chain", digest=digest, withheld=withheld)
    writing, chain = last
    if writing.after is None:
        digest = _digest(chain, [writing])
        return ChainProgress(chain=chain, stage=None, digest=digest, withheld="rejected")
    written = ChainProgress(
        chain=chain,
        stage="distractors",
        digest=_digest(chain, [writing]),
        withheld="distractors not judged yet",
        owner=writing.auditor,
        barred=writers(record, decisions),
    )
    return _after_writing(written, writing, decisions)


def _last_writing(
    record: QuestionChain, decisions: Iterable[Decision]
) -> tuple[Decision, QuestionChain] | None:
    """Return the last decision that wrote the chain, or rejected it, and the chain by it.

    What cannot be read as a chain is passed over.
    """
    said = sorted(decisions, key=_when, reverse=True)
    for decision in said:
        if decision.verdict == "rejected":
            return decision, record
        if decision.after is not None:
            try:
                chain = rewritten(record, decision.after, decision.auditor)
            except ValueError:
                continue
            return decision, replace(chain, author=_author(record, chain, decision, said))
    return None


def _author(
    record: QuestionChain, chain: QuestionChain, writing: Decision, said: Sequence[Decision]
) -> str:
    """Return who wrote what a decision lets stand; ``said`` are all, the last first.

    To confirm a text is not to write it: it stays that of another who corrected it so, or of the
    author of the draft where that says the same. Options aside, which change with other chains.
    """
    if writing.verdict != "confirmed":
        return writing.auditor
    others = (
        one.auditor
        for one in said
        if one.verdict == "corrected"
        and one.after == writing.after
        and one.auditor != writing.auditor
    )
    is_of_draft = without_options(chain) == without_options(record)
    return next(others, record.author if is_of_draft else writing.auditor)


def _after_writing(written: ChainProgress, writing: Decision, decisions: ByField) -> ChainProgress:
    judged = sorted(_about(written, "distractors", decisions), key=_when)
    if not judged:
        return replace(written, barred=frozenset())
    failed = {name for decision in judged for name in decision.failed}
    chain = without_distractors(written.chain, failed)
    known = replace(written, chain=chain, digest=_digest(chain, [writing, *judged]))
    faults = failures(chain)
    if faults:
        remarks = [
            Remark(who=each.auditor, what=f"took out {', '.join(each.failed)}{_noted(each)}")
            for each in judged
            if each.failed
        ]
        return _back(known, remarks, "fails a check")
    return _after_rounds(known, decisions)


def _after_rounds(known: ChainProgress, decisions: ByField) -> ChainProgress:
    for number, stage in enumerate(_ROUNDS, 1):
        said = [
            one
            for one in _about(known, stage, decisions)
            if one.after in (VALID, INVALID) and one.auditor not in known.barred
        ]
        if not said:
            return replace(known, stage=stage, withheld=f"round {number} not done yet")
        # one who finds it invalid is not outvoted
        chosen = min(said, key=lambda each: (each.after != INVALID, *_when(each)))
        known = _verified(known, chosen)
        if chosen.after == INVALID:
            remark = Remark(who=chosen.auditor, what=f"found it invalid{_noted(chosen)}")
            return _back(known, [remark], "found invalid")
    return replace(known, stage=None, withheld=None)


def _about(known: ChainProgress, stage: Stage, decisions: ByField) -> list[Decision]:
    """Return the decisions of a stage that are about the chain as it is now."""
    said = decisions.get(stage, {}).values()
    return [one for one in said if one.before == known.digest and one.after is not None]


def _verified(known: ChainProgress, decision: Decision) -> ChainProgress:
    verification = Verification(
        checker=decision.auditor,
        verdict="invalid" if decision.after == INVALID else "valid",
        note=decision.note,
    )
    chain = replace(known.chain, rounds=(*known.chain.rounds, verification))
    return replace(known, chain=chain, barred=known.barred | {decision.auditor})


def _back(known: ChainProgress, remarks: Sequence[Remark], withheld: str) -> ChainProgress:
    """Return a chain to its author."""
    return replace(
        known, stage="chain", withheld=withheld, barred=frozenset(), remarks=tuple(remarks)
    )


def _noted(decision: Decision) -> str:
    return f": {decision.note}" if decision.note else ""


def _digest(chain: QuestionChain, decisions: Sequence[Decision]) -> str:
    """Return the digest of a state: of what was decided about which picture, by whom and when.

    A chain that comes to read as it did before is another state, and is judged anew.
    """
    said = [[one.auditor, one.at, one.after, sorted(one.failed)] for one in decisions]
    return store.digest_of([chain.image_id, said])[:16]


def _when(decision: Decision) -> tuple[datetime, str]:
    return datetime.fromisoformat(decision.at), decision.auditor


def mixed(chain: QuestionChain) -> QuestionChain:
    """Return a chain with the options of each step in a seeded order."""
    return replace(
        chain,
        steps=tuple(
            _mixed_step(step, chain.chain_id, str(number))
            for number, step in enumerate(chain.steps, 1)
        ),
    )


def _mixed_step(step: ChainStep, *ids: str) -> ChainStep:
    by_text = {option.text: option for option in step.question_options}
    return replace(
        step,
        question_options=tuple(
            by_text[text] for text in shuffled(list(by_text), 0, "question-options", *ids)
        ),
        answer_options=tuple(shuffled(list(step.answer_options), 0, "answer-options", *ids)),
    )
