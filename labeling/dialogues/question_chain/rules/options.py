"""The rules of options: what a model under test may choose from at each step."""

from collections import Counter
from collections.abc import Mapping, Sequence

from benchwright.plain_text import excerpt
from benchwright.records import ChainStep
from labeling.dialogues.question_chain.rules.wording import folded

FEWEST_DISTRACTORS = 2
FAR = 1.5  # times as long as the next, and by so many characters:
_FAR_CHARACTERS = 8


def check_options(step: ChainStep, *, is_last: bool) -> Mapping[str, str | None]:
    """Return why the options of a step cannot stand, by rule; null where they can.

    The last step asks what everybody asks, so questions to choose from are not needed there.
    """
    is_needed = not is_last or any(one.origin != "true" for one in step.question_options)
    questions = _questions(step) if is_needed else None
    return {"question-options": questions, "answer-options": _answers(step)}


def check_lengths(steps: Sequence[ChainStep]) -> Mapping[str, str | None]:
    """Return whether the true option can be told by its length alone in all steps, by rule.

    By far longest (or shortest) is half as long again as the next, and by eight characters.
    """
    questions = [
        (step.question, [option.text for option in step.question_options]) for step in steps
    ]
    answers = [(step.answer, list(step.answer_options)) for step in steps]
    return {"question-lengths": _telling(questions), "answer-lengths": _telling(answers)}


def _questions(step: ChainStep) -> str | None:
    options = step.question_options
    true = [option for option in options if option.origin == "true"]
    if len(true) != 1:
        return f"wants the true question among its options once; it is there {len(true)} times"
    if (true[0].text, true[0].answer) != (step.question, step.answer):
        return "the true question among the options is not that of the step, with its answer"
    unanswered = next((one for one in options if not (one.answer or "").strip()), None)
    if unanswered is not None and unanswered.text.strip():
        return f"say what the picture answers to: {excerpt(unanswered.text, 60)}"
    return _apart([option.text for option in options], "question")


def _answers(step: ChainStep) -> str | None:
    times = step.answer_options.count(step.answer)
    if times != 1:
        return f"wants the true answer among its options once; it is there {times} times"
    return _apart(step.answer_options, "answer")


def _apart(texts: Sequence[str], what: str) -> str | None:
    """Say which options are empty or the same, or that there are too few."""
    if not all(text.strip() for text in texts):
        return f"one of the {what} options is empty"
    same = [text for text, times in Counter(map(folded, texts)).items() if times > 1]
    if same:
        return f"two {what} options are the same: {excerpt(same[0], 60)}"
    wrong = len(texts) - 1
    if wrong < FEWEST_DISTRACTORS:
        return f"wants {FEWEST_DISTRACTORS} wrong {what}s or more to choose from; it has {wrong}"
    return None


def _telling(steps: Sequence[tuple[str, Sequence[str]]]) -> str | None:
    given = [(true, [text for text in texts if text != true]) for true, texts in steps]
    lengths = [(len(true), [len(text) for text in wrong]) for true, wrong in given if wrong]
    if len(lengths) < 2:
        return None
    if all(_far(true, max(wrong)) for true, wrong in lengths):
        return "the true option is by far the longest in every step; level the lengths"
    if all(_far(min(wrong), true) for true, wrong in lengths):
        return "the true option is by far the shortest in every step; level the lengths"
    return None


def _far(long: int, short: int) -> bool:
    return long >= FAR * short and long - short >= _FAR_CHARACTERS
