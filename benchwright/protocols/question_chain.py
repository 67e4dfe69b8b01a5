"""The question-chain protocol (V-REX): its prompts, how answers are read, its score.

Following: the questions are given, and the history holds the true answers. Planning: the next
question is chosen, and the history holds the model's own picks with their true answers. Only the
steps before the last count in either.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from string import ascii_uppercase
from typing import Any, NamedTuple

Chain = Mapping[str, Any]  # a row of the config question-chain
History = Sequence[tuple[str, str]]  # questions with their answers

MOST_OPTIONS = len(ascii_uppercase)  # that have a letter each
NEXT = "Which question should be asked next?"
NOT_KNOWN = "not known"  # stands for an answer that nobody wrote

_SEEN = "Look at the picture. In the end this is to be answered:"
_UNSEEN = (
    "This is about a picture that you are not shown; choose what is likeliest. In the end this is"
    " to be answered:"
)


class Choice(NamedTuple):
    """The place of the option that a response names, from 0, and the route by which it was read.

    The place is null where it names none; the route then says why: several, no_such_option,
    nothing or empty.
    """

    place: int | None
    route: str


def steps_that_count(chain: Chain) -> Sequence[Mapping[str, Any]]:
    """Return all steps but the last."""
    steps: Sequence[Mapping[str, Any]] = chain["steps"][:-1]
    return steps


def following_prompt(chain: Chain, step: int) -> str:
    """Return the question of a step, counted from 0, after the true answers before it."""
    history = [(one["question"], one["answer"]) for one in chain["steps"][:step]]
    now = chain["steps"][step]
    return prompt(
        chain["question"], history, asked_to_answer(now["question"]), now["answer_options"]
    )


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
            history.append((option["text"], option["answer"] or NOT_KNOWN))
    options = [one["text"] for one in chain["steps"][len(picks)]["question_options"]]
    return prompt(chain["question"], history, NEXT, options)


def planning_truth(chain: Chain, step: int) -> int:
    """Return the place of the true question among the options of a step."""
    origins = [one["origin"] for one in chain["steps"][step]["question_options"]]
    return origins.index("true")


def asked_to_answer(question: str) -> str:
    """Return how the question of a step is put."""
    return f"Now answer this: {question}"


def prompt(
    question: str, history: History, asked: str, options: Sequence[str], *, is_shown: bool = True
) -> str:
    """Return what is asked at a step of a chain whose last answer is that of ``question``.

    ``options`` are as many as there are letters at most. ``is_shown`` tells whether the picture
    goes with it.
    """
    lines = [f"{_SEEN if is_shown else _UNSEEN} {question}", ""]
    if history:
        lines.append("Found out so far:")
        lines += [f"{at}. {question} {answer}" for at, (question, answer) in enumerate(history, 1)]
        lines.append("")
    lines.append(asked)
    lines += [f"{letter}. {text}" for letter, text in zip(ascii_uppercase, options, strict=False)]
    return "\n".join([*lines, "", "Answer with the letter of one option and nothing else."])


def chosen(response: str, options: Sequence[str]) -> int | None:
    """Return the place of the option that a response names, by its letter or its text, or null."""
    return read_choice(response, options).place


def mean_of_categories(shares: Iterable[tuple[str, float]]) -> float:
    """Return the mean over categories of the mean share of their chains; nan where there is none.

    A share, with the category of its chain, is that of the steps that are right.
    """
    by_category = defaultdict(list)
    for category, share in shares:
        by_category[category].append(share)
    return fmean(map(fmean, by_category.values())) if by_category else float("nan")


def read_choice(response: str, options: Sequence[str]) -> Choice:
    """Return which option a response names; it never raises, and is linear in the response.

    What is announced as the answer goes before what stands alone on a line or at its beginning,
    and that before an option that is only mentioned; of several announcements the last counts. Two
    options named in one breath are none. docs/question-chain-runs.md has the routes.
    """
    text = _plain(response)
    if not text:
        return Choice(None, "empty")
    texts = [_folded(_plain(option)) for option in options]
    readers = (_whole, _announced, _by_lines, _mentioned_letter, _mentioned_text)
    found = next((choice for read in readers if (choice := read(text, texts))), None)
    return found or Choice(None, "nothing")


_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT_BEFORE = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)  # never opened
_STRUCK = re.compile(r"~~[^~\n]{1,300}~~")
_DRESS = re.compile(r"\\[a-z]{1,12}\{|</?[a-z_]{1,20}>|```[a-z]{0,12}|[*_`#$\\]|^>\s?", re.MULTILINE)
_OUTER = " \t\r\n\"'“”‘’「」()[]{}"

_NOUN = r"answer|choice|option|letter|selection|pick|next question|question"
_SAID = (
    rf"\b(?:{_NOUN})\b[\"']?(?:\s{{0,3}}(?:is|would be|should be|must be|will be)\b)?"
    r"\s{0,3}[:=]?\s{0,3}"
    r"|\b(?:choose|select|pick|go (?:with|for)|opt for)(?!\w)\s{0,3}:?\s{0,3}"
    r"|(?:答案|选项|选择|应选|选)(?:应该|应当|应)?[是为]?\s{0,3}[:=]?\s{0,3}"
)
_KEY = re.compile(_SAID, re.IGNORECASE)
_FIRM = re.compile(r"(?:is|be)\s{0,3}[:=]?\s{0,3}\Z|[:=]\s{0,3}\Z|[答选择为是]\s{0,3}\Z", re.IGNORECASE)
_DOING = re.compile(r"(?:choose|select|pick|go|opt)\b", re.IGNORECASE)
_TO_LETTER = re.compile(r"[\"'“(\[{\s]{0,4}(?:the\s)?(?:(?:option|choice|letter|选项)\s{0,2}:?\s{0,2})?[\"'“(\[]{0,2}", re.I)
