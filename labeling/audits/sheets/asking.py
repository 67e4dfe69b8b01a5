"""What a sheet asks of a task, and what may be named or ticked in the answer."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from benchwright.plain_text import excerpt
from labeling.audits.tasks.names import AuditName
from labeling.audits.tasks.task import Task
from labeling.dialogues.question_chain.distractors import distractor_ids
from labeling.dialogues.question_chain.written import BLANK, rewritten

_LETTERS = 300  # of a question in a cell
_OF_QUESTION, _OF_RESPONSE = 2_000, 30_000  # of one to a model, and of what it answered
Form = Literal["answer", "approval"]  # yes or no to a question; a record stands or does not
Shown = Mapping[str, Any]

_ANSWERED: tuple[AuditName, ...] = ("attributes", "responses")
_ASKED: Mapping[AuditName, str] = {
    "false-premise": "Is the dialogue right, but for the one error that it is meant to have?",
    "candidate-set": "Which objects may still be meant after this turn?",
    "galleries": "Is this a good gallery, whose target can be told from all the others?",
    "responses": "Does the response correct the false premise?",
}
_ASKED_OF_CHAINS = {
    "chain": "Is the chain right as it is written: steps, answers and options?",
    "distractors": "Which of the distractors are no good? Tick them.",
}


def form_of(audit: AuditName) -> Form:
    """Return how tasks of an audit are judged."""
    return "answer" if audit in _ANSWERED else "approval"


def question_of(task: Task) -> str:
    """Return what is asked, in words."""
    match task.kind:
        case "attributes":
            return str(task.shown["question"])
        case "question-chain":
            return _ASKED_OF_CHAINS.get(task.shown["stage"], "Is the chain valid?")
        case kind:
            return _ASKED[kind]


def told_in_a_cell(task: Task) -> str:
    """Return what the CSV says of a task: what is asked, and of a response all that it is about.

    No spreadsheet takes more than 32,767 characters in a cell.
    """
    if task.kind != "responses":
        return excerpt(question_of(task), _LETTERS)
    question = excerpt("".join(task.shown["question"]), _OF_QUESTION)
    response = excerpt(task.shown["response"], _OF_RESPONSE)
    return f"{question_of(task)} Question: {question} Response: {response}"


def may_judge(task: Task, auditor: str) -> bool:
    """Tell whether an auditor may judge a task.

    They are not barred, nor is it to mend the chain of another or was dealt to another.
    """
    owner = task.shown.get("owner") if task.shown.get("stage") == "chain" else None
    others = {owner, task.shown.get("dealt_to")} - {None, auditor}
    return not others and auditor not in task.barred


def needs_note(shown: Shown) -> bool:
    """Tell whether who says no has to say why."""
    return str(shown.get("stage")).startswith("round")


def ticks(shown: Shown) -> Mapping[str, str]:
    """Return what may be ticked as wrong, with how it reads."""
    if shown.get("stage") != "distractors":
        return {str(name): str(name) for name in shown.get("checklist") or ()}
    chain = rewritten(BLANK, json.dumps(shown["chain"]), "")
    texts = {}
    for number, step in enumerate(chain.steps, 1):
        for place, option in enumerate(step.question_options, 1):
            texts[f"{number}/q{place}"] = option.text
        for place, answer in enumerate(step.answer_options, 1):
            texts[f"{number}/a{place}"] = answer
    return {name: f"{name} {texts[name]}" for name in distractor_ids(chain)}


def are_faults(shown: Shown) -> bool:
    """Tell whether a tick is a reason to say no; else it is the answer, as of distractors."""
    return shown.get("stage") != "distractors"


def failing(shown: Shown) -> Sequence[str]:
    """Return why a record cannot be confirmed, by the checks that keep one from it."""
    checks = shown.get("checks") or ()
    return [each["reason"] for each in checks if not each["passed"] and each.get("by_rule", True)]


def box_ids(shown: Shown) -> tuple[str, ...]:
    """Return the ids of the boxes that may be ticked."""
    return tuple(str(box["id"]) for box in shown.get("boxes") or ())


def others(shown: Shown) -> Sequence[Mapping[str, str | None]]:
    """Return the values that may hold in place of the one asked, those with a digit as ``key``.

    The App gives letters too, for which the page has other uses.
    """
    digits = "123456789"
    return [
        {"key": each["key"] if (each["key"] or "-") in digits else None, "value": each["value"]}
        for each in shown.get("others") or ()
    ]
