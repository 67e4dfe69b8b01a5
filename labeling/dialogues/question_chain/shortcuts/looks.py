"""What of the look of options tells the true one: its length, its place."""

from collections import Counter
from collections.abc import Callable, Sequence

from scipy.stats import chi2

from benchwright import seeds
from benchwright.statistics.intervals import estimate
from labeling.dialogues.question_chain.shortcuts.chance import LEVEL, Against, against
from labeling.dialogues.question_chain.shortcuts.choices import Choice

_FEWEST_EXPECTED = 5  # at each place, for the chi-square distribution to hold

Guess = Callable[[Choice], int]


def longest(choice: Choice) -> int:
    """Return the number of the option with the most characters; of several one is drawn."""
    return _extreme(choice, [len(option) for option in choice.options], "longest")


def shortest(choice: Choice) -> int:
    """Return the number of the option with the fewest characters; of several one is drawn."""
    return _extreme(choice, [-len(option) for option in choice.options], "shortest")


def guessed(choices: Sequence[Choice], guess: Guess) -> Against:
    """Return how often a guess is right, against chance, two-sided.

    A true option that is never the longest is told by its length as well.
    """
    hits = sum(guess(choice) == choice.truth for choice in choices)
    return against(hits, [choice.chance for choice in choices])


def place(choices: Sequence[Choice]) -> tuple[int, Against]:
    """Return at which place (from 0) the true option is most often, and how often, against chance.

    ``p`` is that of Pearson's chi-square over all places, summed over the choices with the same
    number of options, with as many degrees of freedom as places less one in each such part; parts
    of which fewer than five are expected at a place are left out.
    """
    counts = Counter(len(choice.options) for choice in choices)
    known = [count for count, times in counts.items() if times / count >= _FEWEST_EXPECTED]
    used = [choice for choice in choices if len(choice.options) in known]
    if not used:
        return 0, against(0, [])
    statistic = sum(_statistic(used, count) for count in sorted(known))
    freedom = sum(known) - len(known)
    return _most_often(used, float(chi2.sf(statistic, freedom)))


def _statistic(choices: Sequence[Choice], count: int) -> float:
    places = Counter(choice.truth for choice in choices if len(choice.options) == count)
    expected = places.total() / count
    return sum((places[at] - expected) ** 2 / expected for at in range(count))


def _most_often(choices: Sequence[Choice], p: float) -> tuple[int, Against]:
    places, n = Counter(choice.truth for choice in choices), len(choices)
    at = min(places, key=lambda number: (-places[number], number))
    found = estimate(places[at] / n, n)
    return at, Against(
        n=n,
        hits=places[at],
        share=found.share,
        chance=sum(choice.chance for choice in choices if at < len(choice.options)) / n,
        low=found.low,
        high=found.high,
        p=p,
        verdict="more than chance" if p < LEVEL else "as chance",
    )


def _extreme(choice: Choice, sizes: Sequence[int], what: str) -> int:
    most = [at for at, size in enumerate(sizes) if size == max(sizes)]
    return most[seeds.below(len(most), 0, what, choice.kind, choice.chain_id, str(choice.step))]
