"""What models are told that draft distractors and wrong answers."""

import json
from collections.abc import Sequence

from benchwright.records import ChainStep, QuestionChain

_DIRECTIONS = (
    "follows something else in the picture that seems to matter at first sight",
    "keeps to the same things as the right way, but to sides of them that decide nothing",
    "works towards another conclusion, one that a hasty look suggests",
)


def step_text(chain: QuestionChain, number: int, wanted: int) -> str:
    """Return what to say for questions that mislead at one step; ``number`` counts from 1."""
    step = chain.steps[number - 1]
    return f"""\
Somebody answers a question about this picture by asking smaller ones, one after the other.
The question: {_quoted(chain.question)}
{_known(chain.steps[: number - 1])}
The right thing to ask next is {_quoted(step.question)}.

Write {wanted} other {_questions(wanted)} to ask at this moment that lead astray. Each fits the
picture and what is known so far, and sounds worth asking; but its answer does not help with the
question, though one may only notice later. Ask about things that are to be seen. With each goes
its own true and short answer, as the picture shows it.
- None asks again, in whatever words, what a question above asks, nor what another of yours asks.
- None says or hints how the question is answered.
- {_like(step.question)}"""


def chain_text(chain: QuestionChain, number: int) -> str:
    """Return what to say for a whole other chain; ``number`` counts the chains from 1."""
    wanted = len(chain.steps) - 1
    direction = _DIRECTIONS[(number - 1) % len(_DIRECTIONS)]
    again = (number - 1) // len(_DIRECTIONS)
    other = f" Draft {again + 1} of this kind: take other things than come first to mind." * bool(
        again
    )
    return f"""\
Somebody answers a question about this picture by asking smaller ones, one after the other.
The question: {_quoted(chain.question)}
The right way to its answer:
{_listed(chain.steps)}

Write another way that goes astray: {wanted} {_questions(wanted)} in order, each with its own true
and short answer, as the picture shows it. They hang together, each going on from what the one
before brought out, and sound like a sensible search; but the way {direction}, and whoever takes it
never learns what the question needs.{other}
- None asks again, in whatever words, what the right way or the question asks; no two ask the same.
- No question and no answer says or hints how the question is answered.
- {_like(chain.steps[0].question)}"""


def answers_text(chain: QuestionChain, number: int, wanted: int) -> str:
    """Return what to say for wrong answers to one step; ``number`` counts from 1."""
    step = chain.steps[number - 1]
    return f"""\
Somebody answers a question about this picture by asking smaller ones, one after the other.
The question: {_quoted(chain.question)}
{_known(chain.steps[: number - 1])}
Now it is asked: {_quoted(step.question)}
The right answer is {_quoted(step.answer)}.

Write {wanted} wrong {_answers(wanted)} to choose from beside it. Each is one that a hasty look, or
a guess without the picture, could take for right, and that the picture clearly rules out: not right
in part, not right in other words, no more general or more special word for what is right.
- No two of yours mean the same.
- Write them as the right answer is written: of its kind, in its style, about as long
  ({_words(step.answer)})."""


def with_faults(text: str, faults: Sequence[str]) -> str:
    """Return a text with what was wrong with the attempts before, the last at the end."""
    if not faults:
        return text
    said = "\n".join(f"- {fault}" for fault in faults)
    return f"{text}\n\nYour drafts before this one could not be used:\n{said}\nSend all of it anew."


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _known(steps: Sequence[ChainStep]) -> str:
    return f"Known so far:\n{_listed(steps)}" if steps else "Nothing was asked so far."


def _listed(steps: Sequence[ChainStep]) -> str:
    return "\n".join(
        f"{number}. {_quoted(step.question)} - {_quoted(step.answer)}"
        for number, step in enumerate(steps, 1)
    )


def _like(question: str) -> str:
    return (
        f"Each is about as long as {_quoted(question)} ({_words(question)}) and asked in the same"
        " way: with a question word where that has one, else to be answered yes or no."
    )


def _questions(number: int) -> str:
    return "question" if number == 1 else "questions"


def _answers(number: int) -> str:
    return "answer" if number == 1 else "answers"


def _words(text: str) -> str:
    number = len(text.split())
    return f"{number} {'word' if number == 1 else 'words'}"
