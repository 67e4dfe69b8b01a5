"""When two questions ask nearly the same, and when two answers may mean the same."""

import re
from collections.abc import Iterable
from functools import lru_cache

from rapidfuzz.distance import Indel

from labeling.dialogues.question_chain.rules.wording import ARTICLES, Words, holds, words_of

NEAR = 0.8  # questions as alike as this are nearly the same
_SAME_WORD = 0.85  # two spellings or endings of one word: car, cars; colour, color
_SPELLED = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen twenty"
)
_NUMBERS = {word: str(number) for number, word in enumerate(_SPELLED.split())}
_JOINS = re.compile(r"[;&]|,(?!\d)|\b(?:and|or)\b", re.IGNORECASE)
_IN_THE_PICTURE = re.compile(r"\b(?:in|on|of) (?:this|picture|image|photo|photograph|scene)\b")
_OF_ALL_QUESTIONS = (
    "is are was were be been there do does did can could you we i see seen visible shown picture"
    " image photo photograph scene this that please"
)
_EMPTY = frozenset(_OF_ALL_QUESTIONS.split())


def plain_words(text: str) -> Words:
    """Return the words of a text in one case, without articles, numbers up to twenty as digits."""
    return tuple(_NUMBERS.get(word, word) for word in words_of(text) if word not in ARTICLES)


def likeness(one: str, other: str) -> float:
    """Return how nearly two questions ask the same, 0 to 1, the same either way round.

    It is the Jaccard index of their sets of ``plain_words``, less the words that every question
    about a picture may hold (is, there, can, see, in the picture). Two words count as one where
    their normalised indel similarity (2 · longest common subsequence / both lengths) is 0.85 or
    more, each with one partner at most, the most alike first.
    """
    ones, others = _telling_words(one), _telling_words(other)
    same = len(ones & others) + _spelled_alike(ones - others, others - ones)
    union = len(ones) + len(others) - same
    return same / union if union else 1.0


def nearest(text: str, others: Iterable[str], near: float = NEAR) -> str | None:
    """Return the first of some questions to which a question is as alike as ``near``, or null."""
    return next((other for other in others if likeness(text, other) >= near), None)


def is_same_answer(one: str, other: str) -> bool:
    """Tell whether two answers are one in ``plain_words``; empty ones are.

    What ``and``, ``or`` or a comma joins may come in any order; else the order tells who does what
    and which way comes first.
    """
    return _listed(one) == _listed(other)


def may_mean(answer: str, true: str) -> bool:
    """Tell whether an answer may be right where ``true`` is: the same, or one holds the other.

    ``two`` and ``2 cars`` may mean the same, ``in its lane`` and ``in its own lane`` do not.
    """
    words, wanted = plain_words(answer), plain_words(true)
    return is_same_answer(answer, true) or holds(words, wanted) or holds(wanted, words)


@lru_cache(maxsize=4096)  # each answer is compared with many
def _listed(answer: str) -> list[Words]:
    """Return the words of each thing that an answer names, the things in one order."""
    return sorted(filter(None, map(plain_words, _JOINS.split(answer))))


@lru_cache(maxsize=4096)  # each question is compared with many
def _telling_words(text: str) -> frozenset[str]:
    joined = _IN_THE_PICTURE.sub(" ", " ".join(plain_words(text)))
    words = frozenset(word.removesuffix("'s") for word in joined.split())
    return (words - _EMPTY) or words


def _spelled_alike(ones: frozenset[str], others: frozenset[str]) -> int:
    """Return how many words of two sets have a partner in the other that is spelled alike."""
    alike = {
        (one, other): similarity
        for one in ones
        for other in others
        if not (one.isdigit() or other.isdigit())
        and (similarity := Indel.normalized_similarity(one, other, score_cutoff=_SAME_WORD))
    }
    left, partners = set(ones), set(others)
    found = 0
    for one, other in sorted(alike, key=lambda pair: (-alike[pair], *sorted(pair))):
        if one in left and other in partners:
            left.remove(one)
            partners.remove(other)
            found += 1
    return found
