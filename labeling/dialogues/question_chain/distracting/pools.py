"""The distractors of one step that could be taken: without near-duplicates, in its style."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from benchwright.records import QuestionChain, QuestionOption
from labeling.dialogues.question_chain.distracting.families import family_of
from labeling.dialogues.question_chain.distracting.levelling import Candidate, Position, apart
from labeling.dialogues.question_chain.distracting.likeness import (
    NEAR,
    is_same_answer,
    likeness,
    may_mean,
)
from labeling.dialogues.question_chain.distracting.styling import styled


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
class Pool:
    """What could be taken at a position; ``options`` are the questions by key, none of answers.

    ``left_out`` counts by reason what was there and cannot be taken.
    """

    position: Position
    candidates: tuple[Candidate, ...]
    options: Mapping[str, QuestionOption]
    left_out: Mapping[str, int]


def asked_by(chain: QuestionChain) -> list[str]:
    """Return all questions that a chain asks."""
    return [*(step.question for step in chain.steps), chain.question]


def question_pool(
    chain: QuestionChain, number: int, settings: IntegrateSettings, taken: Sequence[str]
) -> Pool:
    """Return the distractors of a step (from 1) that are near to none of ``taken``."""
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
    return Pool(
        position=position,
        candidates=tuple(kept),
        options=options,
        left_out={"nearly the same question": len(candidates) - len(kept)},
    )


def answer_pool(
    chain: QuestionChain, number: int, settings: IntegrateSettings, by_hand: Collection[str]
) -> Pool:
    """Return the wrong answers of a step (from 1); those ``by_hand`` stay as they are written.

    A person has seen in the picture that an answer is wrong, be it that by its words it may mean
    the true one.
    """
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
    wrong = [one for one in candidates if one.is_by_hand or not may_mean(one.text, step.answer)]
    kept = apart(wrong, position, [step.answer], is_same_answer)
    return Pool(
        position=position,
        candidates=tuple(kept),
        options={},
        left_out={
            "an answer that may be right": len(candidates) - len(wrong),
            "the same answer": len(wrong) - len(kept),
        },
    )


def _styled(option: QuestionOption, true: str) -> str:
    return option.text if option.generator is None else styled(option.text, true)


def _key(option: QuestionOption) -> str:
    return "\0".join((option.text, option.origin, option.generator or "", option.answer or ""))
