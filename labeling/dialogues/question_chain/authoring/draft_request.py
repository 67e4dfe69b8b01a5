"""What a model is asked for, when it is to draft a chain about a picture, and how it answers."""

import json
from collections.abc import Mapping, Sequence

import pydantic

from benchwright.asking.requests import PicturePart, Request
from benchwright.records import QuestionChain
from labeling.dialogues.question_chain.authoring.step_checks import step_failures
from labeling.dialogues.question_chain.rules.checking import FEWEST_STEPS, MOST_STEPS
from labeling.dialogues.question_chain.rules.scenarios import scenarios
from labeling.dialogues.question_chain.written import BLANK, rewritten

_ANSWER = 1500  # tokens; raised once where they do not do
KINDS: Mapping[str, str] = {  # by category, as V-REX divides them (section 4)
    "deduction": "what is seen, put together, leaves one conclusion: how things hang together,"
    " whose fault or work something is, which rule a pattern keeps",
    "guessing": "clues make one answer by far the likeliest, although the picture does not say it:"
    " where or when it is, what somebody is about to do, what it is about",
    "navigation": "finding one's way: along streets, through a building or a map, past signs, or"
    " through what a screen offers",
    "retrieval": "finding and combining facts that the picture shows: counting under conditions,"
    " reading off values and how they change, words hidden among letters",
}


class _Said(pydantic.BaseModel):
    # no defaults and no bounds: servers that enforce a schema want every key, and few bounds
    model_config = pydantic.ConfigDict(extra="forbid", strict=True)


class SaidStep(_Said):
    """One step of a draft."""

    question: str
    answer: str
    uses: list[int]


class SaidDraft(_Said):
    """A draft, or ``suits`` false and ``why`` where the picture allows none of this kind."""

    suits: bool
    why: str
    scenario: str
    question: str
    steps: list[SaidStep]


def draft_request(picture: PicturePart, category: str, faults: Sequence[str]) -> Request:
    """Return the request for a draft; ``faults`` say what was wrong with the earlier attempts."""
    known = ", ".join(scenarios()[category])
    text = f"""\
Write a chain of questions about this picture. It will test how well somebody explores a picture:
small questions, asked one after the other, whose answers lead to that of a harder one.

The chain is of the kind "{category}": {KINDS[category]}.
scenario: what it is about, in one to three words. Known are {known}; name another where none fits.
question: the harder question. One answer to it is right; it takes the steps to find it, not a
glance.
steps: {FEWEST_STEPS} to {MOST_STEPS}, three or four as a rule. Each asks one thing that the picture
shows, or that follows from earlier answers.
answer: a few words that are certain from the picture.
uses: the numbers of the earlier steps, from 1, whose answers the step needs; an empty list where
it needs none.

Keep to this:
- The last step asks "question" once more, word for word; its answer is that of the chain.
- The answer of every other step is used by a later one, so that all of them lead to the last.
- A step uses earlier steps only.
- No question tells its own answer or that of a later step, not even by naming it.
- No two steps ask the same, and no answer hangs on what lies outside the picture.

Where the picture allows no such chain, "suits" is false and "why" says in a few words why; the
other texts are then empty. Else "suits" is true and "why" empty."""
    if faults:
        tried = "\n".join(f"- {fault}" for fault in faults)
        text += f"\n\nEarlier attempts were refused; do better than this:\n{tried}"
    return Request.of(picture, text, max_tokens=_ANSWER, temperature=0)


def drafted_chain(said: SaidDraft, category: str, author: str) -> QuestionChain:
    """Return the chain of a draft, about no picture yet; ValueError, in one line, for none."""
    steps = [
        {**step.model_dump(), "question_options": [], "answer_options": []} for step in said.steps
    ]
    parts = {
        "category": category,
        "scenario": said.scenario,
        "question": said.question,
        "steps": steps,
    }
    return rewritten(BLANK, json.dumps(parts), author)


def draft_fault(said: SaidDraft, category: str) -> str | None:
    """Return which rules a draft breaks, in one line; null for a chain, and for none at all."""
    if not said.suits:
        return None
    try:
        found = step_failures(drafted_chain(said, category, ""))
    except ValueError as error:
        return str(error)
    return "; ".join(f"{check.name}: {check.reason}" for check in found) or None
