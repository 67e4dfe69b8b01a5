"""Distractors and chains become drafts: near-duplicates out, numbers and style levelled.

V-REX, section 4 (Question Integration). The true option stays first in a draft, as people write
it; ``deciding.py`` puts the options of a chain that stands in an order drawn by a hash.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from benchwright import store
from benchwright.decisions.journal import read_journal
from benchwright.dialogue_records import ChainStep, QuestionChain, QuestionOption
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.authoring.authored import (
    COMMAND as AUTHOR,
)
from labeling.dialogues.question_chain.authoring.authored import (
    authored_folder,
    read_authored,
)
from labeling.dialogues.question_chain.distracting.distracted import (
    distracted_folder,
    read_distracted,
)
from labeling.dialogues.question_chain.distracting.families import family_of
from labeling.dialogues.question_chain.distracting.levelling import (
    Candidate,
    Position,
    apart,
    level,
)
from labeling.dialogues.question_chain.distracting.likeness import (
    NEAR,
    is_same_answer,
    likeness,
    may_mean,
)
from labeling.dialogues.question_chain.distracting.styling import styled
from labeling.dialogues.stored import decisions_of, drafts_folder, read_drafts, write_drafts

_KIND: Final = "question-chain"


@dataclass(frozen=True, slots=True, kw_only=True)
class IntegrateSettings:
    """How many questions and answers there are to choose from at each step, the true one among
    them, and from which likeness on two questions are nearly the same.
    """

    options: int = 4
    answers: int = 4
    near: float = NEAR
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Lack:
    """A step with fewer options than were wanted; ``step`` counts from 1."""

    chain_id: str
    step: int
    questions: int
    answers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Integrated:
    """What a person should know of the drafts that were made.

    ``lacks`` are steps to which people add options. ``written`` are
    chains that people decided on before: what they wrote holds the whole text and stands.
    ``unheld`` are chains with decisions that no draft has any more, so that these count no longer.
    ``is_stale`` says that chains were authored since distractors were drafted.
    """

    manifest: store.Manifest
    lacks: tuple[Lack, ...]
    written: tuple[str, ...]
    unheld: tuple[str, ...]
    is_distracted: bool
    is_stale: bool
    done_before: bool


def integrate(
    workspace: Workspace, settings: IntegrateSettings, *, force: bool = False
) -> Integrated:
    """Write the drafts of question chains from those with distractors, or as authored without.

    Raises WorkspaceError, with the command to run, where there are no chains.
    """
    has_distractors = store.load_manifest(distracted_folder(workspace)) is not None
    authored = store.require(authored_folder(workspace), AUTHOR)
    made_of = store.load_manifest(distracted_folder(workspace)) or authored
    plan = store.Plan(
        stage="dialogues/question-chain/drafts",
        inputs={"distracted": made_of.digest(), "authored": authored.digest()},
        settings={"options": settings.options, "answers": settings.answers, "near": settings.near},
        seed=settings.seed,
    )
    standing = None if force else store.finished(drafts_folder(workspace, _KIND), plan)
    manifest = standing or _write(workspace, settings, plan, has_distractors=has_distractors)
    drafts = read_drafts(workspace, _KIND)
    before, names = _decided_chains(workspace), {chain.chain_id for chain in drafts}
    return Integrated(
        manifest=manifest,
        lacks=tuple(lack for chain in drafts for lack in lacks_of(chain, settings)),
        written=tuple(sorted(before & names)),
        unheld=tuple(sorted(before - names)),
        is_distracted=has_distractors,
        is_stale=has_distractors and made_of.plan.inputs["authored"] != authored.digest(),
        done_before=standing is not None,
    )


def _write(
    workspace: Workspace,
    settings: IntegrateSettings,
    plan: store.Plan,
    *,
    has_distractors: bool,
) -> store.Manifest:
    written = read_authored(workspace)
    chains = read_distracted(workspace) if has_distractors else written
    as_written = {chain.chain_id: chain for chain in written}
    left_out: Counter[str] = Counter()
    drafts = [
        integrated(chain, settings, left_out, as_written.get(chain.chain_id)) for chain in chains
    ]
    return write_drafts(
        workspace,
        _KIND,
        drafts,
        plan,
        counts={"lacking": sum(len(lacks_of(one, settings)) for one in drafts), **_counts(drafts)},
        reasons={reason: count for reason, count in sorted(left_out.items()) if count},
    )


def integrated(
    chain: QuestionChain,
    settings: IntegrateSettings,
    left_out: Counter[str],
    written: QuestionChain | None = None,
) -> QuestionChain:
    """Return a chain with levelled options, the true one first; ``left_out`` counts the rest.

    ``written`` is the chain as its author left it, whose options stay as they are.
    No distractor comes back at a later step: what was wrong once would be known for wrong.
    """
    taken = [*(step.question for step in chain.steps), chain.question]
    by_hand = [] if written is None else [set(step.answer_options) for step in written.steps]
    steps: list[ChainStep] = []
    for number, step in enumerate(chain.steps, 1):
        is_last = number == len(chain.steps)
        hand = frozenset[str]().union(*by_hand[number - 1 : number])
        questions = _questions(chain, number, settings, taken, left_out)
        taken += [option.text for option in questions]
        true = QuestionOption(text=step.question, answer=step.answer, origin="true", generator=None)
        steps.append(
            replace(
                step,
                question_options=() if is_last and not questions else (true, *questions),
                answer_options=(step.answer, *_answers(chain, number, settings, hand, left_out)),
            )
        )
    return replace(chain, steps=tuple(steps))


def lacks_of(chain: QuestionChain, settings: IntegrateSettings) -> list[Lack]:
    """Return the steps of a draft that have fewer options than are wanted.

    The last step needs no questions to choose from.
    """
    found = []
    for number, step in enumerate(chain.steps, 1):
        wanted = 0 if number == len(chain.steps) else settings.options
        lack = Lack(
            chain_id=chain.chain_id,
            step=number,
            questions=max(0, wanted - len(step.question_options)),
            answers=max(0, settings.answers - len(step.answer_options)),
        )
        if lack.questions or lack.answers:
            found.append(lack)
    return found


def _questions(
    chain: QuestionChain,
    number: int,
    settings: IntegrateSettings,
    taken: Sequence[str],
    left_out: Counter[str],
) -> list[QuestionOption]:
    step = chain.steps[number - 1]
    options = {
        _key(option): replace(option, text=_styled(option, step.question))
        for option in step.question_options
        if option.origin != "true"
    }
    position = Position(
        true=step.question,
        wanted=settings.options - 1,
        seed=settings.seed,
        ids=("questions", chain.chain_id, str(number)),
        counts_form=True,
    )
    candidates = [
        Candidate(
            text=option.text,
            key=key,
            origin=option.origin,
            family=family_of(option.generator or ""),
            is_by_hand=option.generator is None,
        )
        for key, option in options.items()
    ]
    kept = apart(candidates, position, taken, lambda a, b: likeness(a, b) >= settings.near)
    chosen = level(kept, position)
    left_out["nearly the same question"] += len(candidates) - len(kept)
    left_out["a question more than wanted"] += len(kept) - len(chosen)
    return [options[one.key] for one in chosen]


def _answers(
    chain: QuestionChain,
    number: int,
    settings: IntegrateSettings,
    by_hand: frozenset[str],
    left_out: Counter[str],
) -> list[str]:
    step = chain.steps[number - 1]
    position = Position(
        true=step.answer,
        wanted=settings.answers - 1,
        seed=settings.seed,
        ids=("answers", chain.chain_id, str(number)),
        counts_form=False,
    )
    texts = {
        one if one in by_hand else styled(one, step.answer)
        for one in step.answer_options
        if one != step.answer
    }
    candidates = [Candidate(text=text, key="", is_by_hand=text in by_hand) for text in texts]
    wrong = [one for one in candidates if not may_mean(one.text, step.answer)]
    kept = apart(wrong, position, [step.answer], is_same_answer)
    chosen = level(kept, position)
    left_out["an answer that may be right"] += len(candidates) - len(wrong)
    left_out["the same answer"] += len(wrong) - len(kept)
    left_out["an answer more than wanted"] += len(kept) - len(chosen)
    return [one.text for one in chosen]


def _styled(option: QuestionOption, true: str) -> str:
    return option.text if option.generator is None else styled(option.text, true)


def _key(option: QuestionOption) -> str:
    return "\0".join((option.text, option.origin, option.generator or "", option.answer or ""))


def _counts(drafts: Sequence[QuestionChain]) -> dict[str, int]:
    positions = [step for chain in drafts for step in chain.steps[:-1]]
    return {
        "positions": len(positions),
        "question_distractors": sum(_wrong_questions(step) for step in positions),
        "wrong_answers": sum(
            len(step.answer_options) - 1 for chain in drafts for step in chain.steps
        ),
    }


def _wrong_questions(step: ChainStep) -> int:
    return sum(option.origin != "true" for option in step.question_options)


def _decided_chains(workspace: Workspace) -> frozenset[str]:
    """Return the chains that somebody wrote or rejected, by the decisions that stand."""
    said = read_journal(workspace).decisions
    names = {one.record_id for one in said if one.field == "chain" and one.record_id is not None}
    return frozenset(
        name
        for name, by_field in decisions_of(said, names).items()
        for one in by_field.get("chain", {}).values()
        if one.after is not None or one.verdict == "rejected"
    )
