"""Chains with all their distractors become chains with levelled options."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from benchwright.records import ChainStep, QuestionChain, QuestionOption
from labeling.dialogues.question_chain.distracting.levelling import (
    Weights,
    level,
    levelling_weights,
    reachable_places,
)
from labeling.dialogues.question_chain.distracting.pools import (
    IntegrateSettings,
    Pool,
    answer_pool,
    asked_by,
    question_pool,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lack:
    """A step with fewer options than were wanted; ``step`` counts from 1."""

    chain_id: str
    step: int
    questions: int
    answers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Level:
    """The weights of places by length that level all chains together."""

    questions: Weights
    answers: Weights


def integrated(
    chains: Sequence[QuestionChain],
    settings: IntegrateSettings,
    written: Mapping[str, QuestionChain],
    left_out: Counter[str],
) -> list[QuestionChain]:
    """Return chains with levelled options, the true one first; ``left_out`` counts the rest.

    ``written`` are the chains, by id, as their authors left them, whose options stay as they are.
    """
    by_hand = {chain.chain_id: _by_hand(chain, written) for chain in chains}
    weights = _Level(
        questions=_weights(
            question_pool(chain, number, settings, asked_by(chain))
            for chain in chains
            for number in range(1, len(chain.steps))
        ),
        answers=_weights(
            answer_pool(chain, number, settings, hand)
            for chain in chains
            for number, hand in enumerate(by_hand[chain.chain_id], 1)
        ),
    )
    return [
        _integrated(chain, settings, weights, by_hand[chain.chain_id], left_out) for chain in chains
    ]


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


def _weights(pools: Iterable[Pool]) -> Weights:
    found = (reachable_places(pool.candidates, pool.position) for pool in pools)
    return levelling_weights([places for places in found if places is not None])


def _by_hand(chain: QuestionChain, written: Mapping[str, QuestionChain]) -> list[Collection[str]]:
    """Return for each step the answers that its author wrote."""
    steps = written[chain.chain_id].steps if chain.chain_id in written else ()
    found: list[Collection[str]] = [frozenset(step.answer_options) for step in steps]
    return [*found, *([()] * len(chain.steps))][: len(chain.steps)]


def _integrated(
    chain: QuestionChain,
    settings: IntegrateSettings,
    weights: _Level,
    by_hand: Sequence[Collection[str]],
    left_out: Counter[str],
) -> QuestionChain:
    """Return a chain with levelled options.

    No distractor comes back at a later step: what was wrong once would be known for wrong.
    """
    taken = asked_by(chain)
    steps: list[ChainStep] = []
    for number, step in enumerate(chain.steps, 1):
        asked = question_pool(chain, number, settings, taken)
        questions = level(asked.candidates, asked.position, weights.questions)
        answered = answer_pool(chain, number, settings, by_hand[number - 1])
        answers = level(answered.candidates, answered.position, weights.answers)
        taken += [one.text for one in questions]
        left_out.update(asked.left_out)
        left_out.update(answered.left_out)
        left_out["a question more than wanted"] += len(asked.candidates) - len(questions)
        left_out["an answer more than wanted"] += len(answered.candidates) - len(answers)
        true = QuestionOption(text=step.question, answer=step.answer, origin="true", generator=None)
        is_last = number == len(chain.steps)
        steps.append(
            replace(
                step,
                question_options=()
                if is_last and not questions
                else (true, *(asked.options[one.key] for one in questions)),
                answer_options=(step.answer, *(one.text for one in answers)),
            )
        )
    return replace(chain, steps=tuple(steps))
