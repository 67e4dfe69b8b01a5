"""What of a model's drafts can stand as distractors or wrong answers, and why the rest cannot."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import pydantic

from benchwright.plain_text import excerpt, plain
from benchwright.records import ChainStep, QuestionChain
from labeling.dialogues.question_chain.distracting.likeness import (
    NEAR,
    is_same_answer,
    may_mean,
    nearest,
    plain_words,
)
from labeling.dialogues.question_chain.rules.wording import holds, words_of
from labeling.dialogues.question_chain.written import LONGEST_ANSWER, LONGEST_QUESTION

_EACH = 4  # times as many as were wanted are looked at
_NAMED = 4  # faults that one message names
_SHOWN = 60  # characters of a text in a message
_POLAR = (("yes",), ("no",))  # answers that half of all questions have

Fault = Literal[
    "empty",
    "too long",
    "asks what the chain asks",
    "asks what another asks",
    "gives the answer away",
    "may mean the true answer",
    "means what another means",
    "too few",
]


class _Said(pydantic.BaseModel):
    # no defaults and no bounds: servers that enforce a schema want every key, and few bounds
    model_config = pydantic.ConfigDict(extra="forbid", strict=True)


class SaidQuestion(_Said):
    """A question, and what the picture answers to it."""

    question: str
    answer: str


class SaidQuestions(_Said):
    """Several of them, in order."""

    questions: list[SaidQuestion]


class SaidAnswers(_Said):
    """Wrong answers to one question."""

    answers: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A text as it can stand; ``answer`` is null where the text is an answer itself."""

    text: str
    answer: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bad:
    """A text that cannot stand: which rule it breaks, and the same in words for the model."""

    text: str
    fault: Fault
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sifted:
    """What can stand, in the order in which it was said, and what cannot."""

    good: tuple[Draft, ...]
    bad: tuple[Bad, ...]

    def lack(self, wanted: int) -> str | None:
        """Return what to tell the model where less than ``wanted`` can stand, else null."""
        if len(self.good) >= wanted:
            return None
        said = [bad.reason for bad in self.bad[:_NAMED]]
        more = len(self.bad) - len(said)
        rest = [f"and {more} more"] if more > 0 else []
        return "; ".join([f"{len(self.good)} of {wanted} can stand", *said, *rest])


def sift_questions(
    said: SaidQuestions, chain: QuestionChain, wanted: int, taken: Sequence[str] = ()
) -> Sifted:
    """Return which questions of an answer can stand beside those of a chain.

    A question is left out that is empty or has no answer, is too long, is nearly the same as a
    question of the chain, as one of ``taken`` or as an earlier one, or holds the final answer, or
    has it for its own answer (unless that is yes or no).
    """
    good: list[Draft] = []
    bad: list[Bad] = []
    for one in said.questions[: _EACH * wanted]:
        draft = Draft(text=clean(one.question), answer=clean(one.answer))
        found = _question_fault(draft, chain, [*taken, *(each.text for each in good)])
        if found is None:
            good.append(draft)
        else:
            bad.append(Bad(text=draft.text, fault=found[0], reason=found[1]))
    return Sifted(good=tuple(good[:wanted]), bad=tuple(bad))


def sift_answers(
    said: SaidAnswers, step: ChainStep, wanted: int, taken: Sequence[str] = ()
) -> Sifted:
    """Return which wrong answers to a step can stand.

    One is left out that is empty, too long, may mean the true answer, or means the same as one of
    ``taken`` or as an earlier one.
    """
    good: list[Draft] = []
    bad: list[Bad] = []
    for one in said.answers[: _EACH * wanted]:
        text = clean(one)
        found = _answer_fault(text, step.answer, [*taken, *(each.text for each in good)])
        if found is None:
            good.append(Draft(text=text))
        else:
            bad.append(Bad(text=text, fault=found[0], reason=found[1]))
    return Sifted(good=tuple(good[:wanted]), bad=tuple(bad))


def clean(text: str) -> str:
    """Return a text with single blanks, without what cannot be printed."""
    return " ".join(plain(text).split())


def gives_away(draft: Draft, chain: QuestionChain) -> bool:
    """Tell whether a question, or the answer that the picture gives to it, tells the final answer.

    An answer that is yes or no tells nothing, whatever the final one is.
    """
    final = plain_words(chain.steps[-1].answer)
    if holds(plain_words(draft.text), final):
        return True
    return final not in _POLAR and holds(plain_words(draft.answer or ""), final)


def _question_fault(
    draft: Draft, chain: QuestionChain, others: Sequence[str]
) -> tuple[Fault, str] | None:
    shown = repr(excerpt(draft.text, _SHOWN))
    unfit = _unfit(draft, shown)
    if unfit is not None:
        return unfit
    true = nearest(draft.text, _asked(chain), NEAR)
    if true is not None:
        return "asks what the chain asks", f"{shown} asks what {excerpt(true, _SHOWN)!r} asks"
    other = nearest(draft.text, others, NEAR)
    if other is not None:
        return "asks what another asks", f"{shown} asks what {excerpt(other, _SHOWN)!r} asks"
    if gives_away(draft, chain):
        return "gives the answer away", f"{shown} or its answer tells how the question is answered"
    return None


def _unfit(draft: Draft, shown: str) -> tuple[Fault, str] | None:
    """Say what is wrong with a question and its answer as texts."""
    if not words_of(draft.text):
        return "empty", "a question is empty"
    if not words_of(draft.answer or ""):
        return "empty", f"{shown} has no answer"
    if len(draft.text) > LONGEST_QUESTION or len(draft.answer or "") > LONGEST_ANSWER:
        most = f"{LONGEST_QUESTION} characters, its answer {LONGEST_ANSWER}"
        return "too long", f"{shown} is too long: a question has at most {most}"
    return None


def _answer_fault(text: str, true: str, others: Sequence[str]) -> tuple[Fault, str] | None:
    shown = repr(excerpt(text, _SHOWN))
    if not words_of(text):
        return "empty", "an answer is empty"
    if len(text) > LONGEST_ANSWER:
        return "too long", f"{shown} is longer than {LONGEST_ANSWER} characters"
    if may_mean(text, true):
        return "may mean the true answer", f"{shown} may mean {excerpt(true, _SHOWN)!r}"
    other = next((each for each in others if is_same_answer(text, each)), None)
    if other is not None:
        return "means what another means", f"{shown} means {excerpt(other, _SHOWN)!r}"
    return None


def _asked(chain: QuestionChain) -> Iterator[str]:
    yield from (step.question for step in chain.steps)
    yield chain.question
