"""The choices that a chain puts to a model: of questions (planning) and of answers (following)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from benchwright.records import ChainStep, QuestionChain

Kind = Literal["planning", "following"]
KINDS: tuple[Kind, ...] = ("planning", "following")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One choice among options, of which the one numbered ``truth`` (from 0) is true.

    ``question`` is the chain's, ``history`` holds the questions before, with their true answers.
    ``asked`` is what is to be answered, null where a question is to be chosen. ``step`` counts
    from 1.
    """

    kind: Kind
    chain_id: str
    step: int
    question: str
    history: tuple[tuple[str, str], ...]
    asked: str | None
    options: tuple[str, ...]
    truth: int

    @property
    def chance(self) -> float:
        """How often a blind draw is right, above 0 and under 1."""
        return 1 / len(self.options)


def choices_of(chains: Sequence[QuestionChain], kind: Kind) -> list[Choice]:
    """Return the choices of a kind in the order of chains and steps.

    Questions are chosen at all steps but the last (V-REX, section 4); answers at all, the last
    being the final answer. A step with fewer than two options, or without the true one once, gives
    none.
    """
    return [choice for chain in chains for choice in _of_chain(chain, kind)]


def _of_chain(chain: QuestionChain, kind: Kind) -> Iterator[Choice]:
    steps = chain.steps[:-1] if kind == "planning" else chain.steps
    for number, step in enumerate(steps, 1):
        options, true = _options(step, kind)
        if len(options) > 1 and options.count(true) == 1:
            before = chain.steps[: number - 1]
            yield Choice(
                kind=kind,
                chain_id=chain.chain_id,
                step=number,
                question=chain.question,
                history=tuple((each.question, each.answer) for each in before),
                asked=None if kind == "planning" else step.question,
                options=options,
                truth=options.index(true),
            )


def _options(step: ChainStep, kind: Kind) -> tuple[tuple[str, ...], str]:
    if kind == "planning":
        return tuple(option.text for option in step.question_options), step.question
    return step.answer_options, step.answer
