"""Words by which options are known: those that true ones have and others lack, and a guesser."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log

from benchwright import seeds
from benchwright.statistics.holm import holm
from labeling.dialogues.question_chain.rules.wording import words_of
from labeling.dialogues.question_chain.shortcuts.chance import Against, against
from labeling.dialogues.question_chain.shortcuts.choices import Choice

FEWEST_CHAINS = 5  # that a word must tell apart, to be tested; and folds of the guesser
_SMOOTH = 1.0  # added to each count of the guesser


@dataclass(frozen=True, slots=True, kw_only=True)
class WordFound:
    """A word, how many true options and how many others have it, of how many.

    ``log_odds`` is above 0 where true options have it more often (natural logarithm, 0.5 added to
    each count). ``p`` is exact, ``adjusted`` is Holm's over all words that were tested.
    """

    word: str
    true_with: int
    true: int
    wrong_with: int
    wrong: int
    log_odds: float
    p: float
    adjusted: float


def told_words(choices: Sequence[Choice]) -> list[WordFound]:
    """Return the words that were tested, those of the least p first.

    A word is tested where in five chains or more some options of a choice have it and others do
    not. Such a choice hits when the true option has it: of n options of which m have it, by chance
    at m / n. The steps of a chain speak of the same things, so each chain counts once, with a
    choice that a hash draws. The test is exact and two-sided.
    """
    told: dict[str, dict[str, list[Choice]]] = defaultdict(lambda: defaultdict(list))
    for choice in choices:
        for word in _telling(choice):
            told[word][choice.chain_id].append(choice)
    tested = {
        word: [_drawn(word, some) for some in by_chain.values()]
        for word, by_chain in sorted(told.items())
        if len(by_chain) >= FEWEST_CHAINS
    }
    p_values = [_p(word, some) for word, some in tested.items()]
    counts = _Counts.of(choices)
    found = [
        counts.found(word, p, adjusted)
        for word, p, adjusted in zip(tested, p_values, holm(p_values), strict=True)
    ]
    return sorted(found, key=lambda one: (one.p, one.word))


def bag_of_words(choices: Sequence[Choice]) -> Against | None:
    """Return how often words alone find the true option of chains that were not learnt from.

    Chains are dealt to five folds by hash. In each the weight of a word is the log of its share of
    true options over its share of the others, in the other folds (one added to each count); an
    option scores the sum over its words and its first two words together, and the highest is
    guessed, ties by hash. One-sided against chance. Null where there are fewer than ten chains.
    """
    names = seeds.shuffled(sorted({choice.chain_id for choice in choices}), 0, "folds")
    if len(names) < 2 * FEWEST_CHAINS:
        return None
    fold_of = {name: at % FEWEST_CHAINS for at, name in enumerate(names)}
    hits = 0
    for fold in range(FEWEST_CHAINS):
        learnt = _Counts.of(one for one in choices if fold_of[one.chain_id] != fold)
        weights = learnt.weights()
        for choice in choices:
            if fold_of[choice.chain_id] == fold:
                hits += _guess(choice, weights) == choice.truth
    return against(hits, [choice.chance for choice in choices], is_one_sided=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counts:
    """How many true and how many other options have each word, and how many there are."""

    true_with: Counter[str]
    wrong_with: Counter[str]
    true: int
    wrong: int

    @classmethod
    def of(cls, choices: Iterable[Choice]) -> "_Counts":
        true_with: Counter[str] = Counter()
        wrong_with: Counter[str] = Counter()
        true = wrong = 0
        for choice in choices:
            for at, option in enumerate(choice.options):
                (true_with if at == choice.truth else wrong_with).update(_features(option))
            true += 1
            wrong += len(choice.options) - 1
        return cls(true_with=true_with, wrong_with=wrong_with, true=true, wrong=wrong)

    def weights(self) -> dict[str, float]:
        return {
            word: log((self.true_with[word] + _SMOOTH) / (self.true + 2 * _SMOOTH))
            - log((self.wrong_with[word] + _SMOOTH) / (self.wrong + 2 * _SMOOTH))
            for word in self.true_with.keys() | self.wrong_with.keys()
        }

    def found(self, word: str, p: float, adjusted: float) -> WordFound:
        a, b = self.true_with[word], self.wrong_with[word]
        odds = (a + 0.5) * (self.wrong - b + 0.5) / ((self.true - a + 0.5) * (b + 0.5))
        return WordFound(
            word=word,
            true_with=a,
            true=self.true,
            wrong_with=b,
            wrong=self.wrong,
            log_odds=log(odds),
            p=p,
            adjusted=adjusted,
        )


@lru_cache(maxsize=100_000)  # of each word that is tested
def _features(option: str) -> frozenset[str]:
    words = words_of(option)
    return frozenset({*words, " ".join(words[:2])})


def _telling(choice: Choice) -> list[str]:
    """Return the words that some options of a choice have and others do not."""
    held = Counter(word for option in choice.options for word in _features(option))
    return [word for word, times in held.items() if times < len(choice.options)]


def _drawn(word: str, choices: Sequence[Choice]) -> Choice:
    by_step = {str(choice.step): choice for choice in choices}
    first = seeds.shuffled(list(by_step), 0, "word", word, choices[0].chain_id)[0]
    return by_step[first]


def _p(word: str, choices: Sequence[Choice]) -> float:
    holding = [[word in _features(option) for option in choice.options] for choice in choices]
    hits = sum(held[choice.truth] for held, choice in zip(holding, choices, strict=True))
    return against(hits, [sum(held) / len(held) for held in holding]).p


def _guess(choice: Choice, weights: Mapping[str, float]) -> int:
    scores = [
        round(sum(weights.get(word, 0.0) for word in sorted(_features(option))), 9)
        for option in choice.options
    ]
    best = [at for at, score in enumerate(scores) if score == max(scores)]
    return best[seeds.below(len(best), 0, "words", choice.kind, choice.chain_id, str(choice.step))]
