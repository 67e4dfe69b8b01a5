"""Distractors by name: ``2/q3`` is the third question option of the second step, ``2/a1`` the
first of its answers.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace

from benchwright.records import ChainStep, QuestionChain


def distractor_ids(chain: QuestionChain) -> tuple[str, ...]:
    """Return the names of all options that are not true, in their order."""
    return tuple(name for number, step in enumerate(chain.steps, 1) for name in _ids(step, number))


def without_distractors(chain: QuestionChain, names: Collection[str]) -> QuestionChain:
    """Return a chain without the distractors of some names; a true option always stays."""
    out = frozenset(names) & frozenset(distractor_ids(chain))
    steps = (_without(step, number, out) for number, step in enumerate(chain.steps, 1))
    return replace(chain, steps=tuple(steps))


def _ids(step: ChainStep, number: int) -> Iterator[str]:
    for place, option in enumerate(step.question_options, 1):
        if option.origin != "true":
            yield f"{number}/q{place}"
    for place, answer in enumerate(step.answer_options, 1):
        if answer != step.answer:
            yield f"{number}/a{place}"


def _without(step: ChainStep, number: int, out: frozenset[str]) -> ChainStep:
    return replace(
        step,
        question_options=tuple(
            option
            for place, option in enumerate(step.question_options, 1)
            if f"{number}/q{place}" not in out
        ),
        answer_options=tuple(
            answer
            for place, answer in enumerate(step.answer_options, 1)
            if f"{number}/a{place}" not in out
        ),
    )
