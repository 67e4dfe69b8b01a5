"""What the questions of a dialogue must keep, so that only the description can be false in them."""

import math
from collections.abc import Iterator, Sequence

from labeling.dialogues.false_premise.describing.description_rules import is_of_one_line
from labeling.dialogues.false_premise.describing.spelling import why_no_sentence
from labeling.dialogues.false_premise.rules.edits import words_of
from labeling.dialogues.false_premise.rules.lexicon import lexicon
from labeling.dialogues.false_premise.rules.nouns import singular
from labeling.dialogues.false_premise.rules.parts import LIGHT
from labeling.dialogues.false_premise.rules.turns import places_of, word_for_target

MOST_CHARACTERS = 250  # of a question
FEWEST_WORDS = 2  # beside the description
_OPEN_SHARE = 0.3  # of the questions, at least, want more than yes or no
_ASKING = frozenset(("what", "which", "where", "who", "whose", "whom", "how", "why", "when"))
_POINTING = frozenset(("the", "this", "that", "these", "those"))
_JUST = frozenset(("now", "here", "there", "next"))  # right now says nothing of a side
_SAY_LITTLE = frozenset(("side", "part", "one", "two", "to", "for", "from", "as"))


def question_faults(questions: Sequence[str], description: str, turns: int) -> list[str]:
    """Return what is wrong with the questions about a description; there must be ``turns``."""
    return list(_faults(questions, description, turns))


def fewest_open(turns: int) -> int:
    """Return how many questions at least must ask for more than yes or no."""
    return math.ceil(_OPEN_SHARE * turns)


def _faults(questions: Sequence[str], description: str, turns: int) -> Iterator[str]:
    if len(questions) != turns:
        yield f"there are {len(questions)} questions, wanted are {turns}"
    for number, question in enumerate(questions, 1):
        fault = _fault(question, description)
        if fault is not None:
            yield fault.format(f"question {number}")
    first: dict[tuple[str, ...], int] = {}
    for number, question in enumerate(questions, 1):
        earlier = first.setdefault(tuple(words_of(question)), number)
        if earlier != number:
            yield f"questions {earlier} and {number} are the same"
    is_open = [
        _without_its_end(_first_word(question)).isdisjoint(_closed()) for question in questions
    ]
    if sum(is_open) < fewest_open(turns):
        yield (
            f"{sum(is_open)} questions want more than yes or no, wanted are at least"
            f" {fewest_open(turns)}"
        )


def _first_word(question: str) -> str:
    return next(iter(words_of(question)), "")


def _without_its_end(word: str) -> frozenset[str]:
    """Return a word and what may be left of it without a contraction: what's, aren't, can't."""
    said = word.replace("’", "'")
    return frozenset((said, said.removesuffix("n't"), said.partition("'")[0]))


def _closed() -> frozenset[str]:
    return lexicon().verbs | {"am", "have"}


def _fault(question: str, description: str) -> str | None:
    """Return what is wrong with one question, with {} in the place of its number."""
    if len(question) > MOST_CHARACTERS:
        return f"{{}} has more than {MOST_CHARACTERS} characters"
    places = places_of(question, description)
    if len(places) != 1:
        return _not_once(question, len(places))
    unfit = why_no_sentence(question)
    if unfit is not None:
        return f"{{}} {unfit.replace('{', '{{').replace('}', '}}')}"
    if question.count("?") != 1 or not question.endswith("?"):
        return "{} is not one question that ends with a question mark"
    before, _, after = places[0]
    return _fault_beside(words_of(before), words_of(after), description)


def _not_once(question: str, count: int) -> str:
    if not question:
        return "{} is empty"
    if count == 0:
        return "the description is missing from {}"
    return f"the description stands {count} times in {{}}"


def _fault_beside(before: Sequence[str], after: Sequence[str], description: str) -> str | None:
    """Return what is wrong with what a question says beside its description."""
    if len(before) + len(after) < FEWEST_WORDS:
        return "{} asks for nothing"
    if all(_without_its_end(word).isdisjoint(_ASKING | _closed()) for word in (*before, *after)):
        return "{} is no question in English"
    repeated = [*_repeated(before, description), *_repeated(after, description)]
    if repeated:
        return f"{{}} says {repeated[0]!r} of the description once more"
    names = [*_other_names(before, description), *_other_names(after, description)]
    if names:
        return f"{{}} names the target once more: {names[0]!r}"
    return None


def _repeated(words: Sequence[str], description: str) -> Iterator[str]:
    """Yield words that the description says something of the target with."""
    known = lexicon()
    light = LIGHT | known.before_a_place | known.companions | _SAY_LITTLE
    said = {singular(word) for word in words_of(description) if word not in light}
    for at, word in enumerate(words):
        is_just = word == "right" and words[at + 1 : at + 2] and words[at + 1] in _JUST | light
        if singular(word) in said and not is_just:
            yield word


def _other_names(words: Sequence[str], description: str) -> Iterator[str]:
    """Yield other words for the target: the same thing anyhow, a wider one where it is pointed at.

    Another person may stand beside the man; the person is the man himself.
    """
    known = lexicon()
    target = word_for_target(description)
    for at, word in enumerate(words):
        if not known.is_noun(singular(word)):
            continue
        is_wider = singular(word) in known.above(singular(target))
        is_pointed_at = at > 0 and words[at - 1] in _POINTING
        if is_of_one_line(word, target) and (is_pointed_at or not is_wider):
            yield word
