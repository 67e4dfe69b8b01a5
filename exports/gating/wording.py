"""What the wording of options tells: guesses of the right one by text alone."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import log

import numpy as np

from benchwright import seeds
from benchwright.statistics.intervals import Estimate, estimate, weighted_share
from labeling.dialogues.false_premise.rules.edits import words_of

_FOLDS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Texts of which one is the right one, at place ``right`` from 0.

    ``of`` is the sample, ``picture`` what no other fold may have seen.
    """

    of: str
    picture: str
    options: tuple[str, ...]
    right: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Guessed:
    """How many choices a guess gets right; ``shares`` are 0 to 1 each, a tie is shared."""

    share: Estimate
    shares: tuple[float, ...]

    def rows(self, choices: Sequence[Choice]) -> list[str]:
        """Return the samples with a choice that was guessed, each once."""
        pairs = zip(choices, self.shares, strict=True)
        return sorted({choice.of for choice, credit in pairs if credit == 1})


def chance(choices: Sequence[Choice]) -> float:
    """Return what a blind guess gets, 0 to 1."""
    return sum(1 / len(choice.options) for choice in choices) / len(choices)


def by_words(choices: Sequence[Choice], draws: int = 0) -> Guessed:
    """Return the guess of a bag of words: the option whose words are most often right elsewhere.

    Each word counts the log of its odds, with half a text added to each side (naive Bayes on the
    words of a text), learnt from the pictures of the other nine of ten folds. What one fold learns
    by luck all of them learn, so that the share varies more than its number of choices says: with
    ``draws`` the right option is drawn anew so many times, and the interval is widened to what the
    share then varies by.
    """
    words = [[_words(option) for option in choice.options] for choice in choices]
    folds = [seeds.below(_FOLDS, 0, "gate folds", choice.picture) for choice in choices]
    rights = [choice.right for choice in choices]
    found = _guessed(choices, rights, _scores(words, folds, rights))
    if not draws:
        return found
    blind = chance(choices)
    spread = 0.0
    for number in range(draws):
        drawn = [
            seeds.below(len(choice.options), number, "gate words", choice.of, str(at))
            for at, choice in enumerate(choices)
        ]
        share = _guessed(choices, drawn, _scores(words, folds, drawn)).share.share
        spread += (share - blind) ** 2 / draws
    size = min(found.share.size, blind * (1 - blind) / spread if spread else float("inf"))
    return replace(found, share=estimate(found.share.share, size))


def by_length(choices: Sequence[Choice], *, longest: bool) -> Guessed:
    """Return the guess of the longest option, or of the shortest, in characters."""
    sign = 1 if longest else -1
    rights = [choice.right for choice in choices]
    scores = [[sign * len(text) for text in choice.options] for choice in choices]
    return _guessed(choices, rights, scores)


def words_of_one_side(choices: Sequence[Choice], pictures: int = 3) -> list[str]:
    """Return the words of right options alone, of so many pictures or more, the frequent first."""
    right: dict[str, set[str]] = {}
    wrong: set[str] = set()
    for choice in choices:
        for at, option in enumerate(choice.options):
            for word in _words(option):
                if at == choice.right:
                    right.setdefault(word, set()).add(choice.picture)
                else:
                    wrong.add(word)
    counts = {word: len(of) for word, of in right.items() if word not in wrong}
    frequent = [word for word, count in counts.items() if count >= pictures]
    return sorted(frequent, key=lambda word: (-counts[word], word))


def _scores(
    words: Sequence[Sequence[Sequence[str]]], folds: Sequence[int], rights: Sequence[int]
) -> list[list[float]]:
    """Return the score of each option, learnt from all choices of other folds."""
    every, own = _Sides(), [_Sides() for _ in range(_FOLDS)]
    for options, fold, right in zip(words, folds, rights, strict=True):
        for side in (every, own[fold]):
            side.add(options, right)
    known = [every.without(one) for one in own]
    return [
        [known[fold].score(option) for option in options]
        for options, fold in zip(words, folds, strict=True)
    ]


@dataclass(slots=True)
class _Sides:
    """How many right and wrong options have each word, and how many of each there are."""

    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    rights: int = 0
    wrongs: int = 0

    def add(self, options: Sequence[Sequence[str]], right: int) -> None:
        for at, option in enumerate(options):
            (self.right if at == right else self.wrong).update(option)
        self.rights += 1
        self.wrongs += len(options) - 1

    def without(self, other: "_Sides") -> "_Sides":
        return _Sides(
            right=self.right - other.right,
            wrong=self.wrong - other.wrong,
            rights=self.rights - other.rights,
            wrongs=self.wrongs - other.wrongs,
        )

    def score(self, option: Sequence[str]) -> float:
        found = (
            log((self.right[word] + 0.5) / (self.rights + 1))
            - log((self.wrong[word] + 0.5) / (self.wrongs + 1))
            for word in option
            if word in self.right or word in self.wrong
        )
        return round(sum(found), 6)


def _words(text: str) -> list[str]:
    """Return the words of a text, each once, in their order."""
    return list(dict.fromkeys(words_of(text)))


def _guessed(
    choices: Sequence[Choice], rights: Sequence[int], scores: Sequence[Sequence[float]]
) -> Guessed:
    shares = []
    for right, each in zip(rights, scores, strict=True):
        best = [at for at, score in enumerate(each) if score == max(each)]
        shares.append(1 / len(best) if right in best else 0.0)
    share = weighted_share(
        np.array(shares), np.ones(len(shares)), [choice.picture for choice in choices]
    )
    return Guessed(share=share, shares=tuple(shares))
