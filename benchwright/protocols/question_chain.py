"""The question-chain protocol (V-REX): its prompts, how answers are read, its score.

Following: the questions are given, and the history holds the true answers. Planning: the next
question is chosen, and the history holds the model's own picks with their true answers. Only the
steps before the last count in either.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from string import ascii_uppercase
from typing import Any

Chain = Mapping[str, Any]  # a row of the config question-chain

_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)
_ALONE = re.compile(r"([A-Z])(?:[.):,]|\s*$|\s*\n)")
_ANSWER = re.compile(r"\b(?i:answer(?:\s+is)?)\s*:?\s*\(?(?i:option\s+)?([A-Z])\b(?!')")
_OPTION = re.compile(r"\b(?i:(?:option|choice)(?:\s+is)?)\s*:?\s*\(?([A-Z])\b(?!')")


def steps_that_count(chain: Chain) -> Sequence[Mapping[str, Any]]:
    """Return all steps but the last."""
    steps: Sequence[Mapping[str, Any]] = chain["steps"][:-1]
    return steps


def following_prompt(chain: Chain, step: int) -> str:
    """Return the question of a step, counted from 0, after the true answers before it."""
    history = [(one["question"], one["answer"]) for one in chain["steps"][:step]]
    now = chain["steps"][step]
    return _prompt(chain, history, f"Now answer this: {now['question']}", now["answer_options"])


def following_truth(chain: Chain, step: int) -> int:
    """Return the place of the true answer among the options of a step."""
    now = chain["steps"][step]
    place: int = now["answer_options"].index(now["answer"])
    return place


def planning_prompt(chain: Chain, picks: Sequence[int | None]) -> str:
    """Return what is asked after some picks: which question comes next.

    A pick that could not be read, null, adds nothing to the history.
    """
    history = []
    for step, pick in zip(chain["steps"], picks, strict=False):
        if pick is not None:
            option = step["question_options"][pick]
            history.append((option["text"], option["answer"] or "not known"))
    options = [one["text"] for one in chain["steps"][len(picks)]["question_options"]]
    return _prompt(chain, history, "Which question should be asked next?", options)


def planning_truth(chain: Chain, step: int) -> int:
    """Return the place of the true question among the options of a step."""
    origins = [one["origin"] for one in chain["steps"][step]["question_options"]]
    return origins.index("true")


def chosen(response: str, options: Sequence[str]) -> int | None:
    """Return the place of the option that a response names, by its letter or its text, or null."""
    text = re.sub(r"[*_`#]", "", _THOUGHT.sub("", response)).strip().strip("\"'([{} \n")
    letter = _letter(text)
    if letter is not None:
        place = ascii_uppercase.index(letter)
        return place if place < len(options) else None
    same = [at for at, option in enumerate(options) if _folded(option) == _folded(text)]
    return same[0] if len(same) == 1 else None


def mean_of_categories(shares: Iterable[tuple[str, float]]) -> float:
    """Return the mean over categories of the mean share of their chains; nan where there is none.

    A share, with the category of its chain, is that of the steps that are right.
    """
    by_category = defaultdict(list)
    for category, share in shares:
        by_category[category].append(share)
    return fmean(map(fmean, by_category.values())) if by_category else float("nan")


def _prompt(
    chain: Chain, history: Sequence[tuple[str, str]], asked: str, options: Sequence[str]
) -> str:
    lines = [f"Look at the picture. In the end this is to be answered: {chain['question']}", ""]
    if history:
        lines.append("Found out so far:")
        lines += [f"{at}. {question} {answer}" for at, (question, answer) in enumerate(history, 1)]
        lines.append("")
    lines.append(asked)
    lines += [f"{letter}. {text}" for letter, text in zip(ascii_uppercase, options, strict=False)]
    return "\n".join([*lines, "", "Answer with the letter of one option and nothing else."])


def _letter(text: str) -> str | None:
    """Return the letter that a text gives as its answer: its first word, or the last one said."""
    if alone := _ALONE.match(text):
        return alone.group(1)
    if answers := _ANSWER.findall(text):
        return str(answers[-1])
    named = set(_OPTION.findall(text))
    return named.pop() if len(named) == 1 else None


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")
