"""The smallest difference between two shares that a test of so many items is likely to show.

The shares are those that two models have right. Both tests are two-sided; ``confidence`` is one
less the chance that they tell alike models apart, ``power`` the chance that they tell apart two
that differ by so much. Items that go together, such as several about one picture, count as
``independent_size`` says.
"""

import math
from collections import Counter
from collections.abc import Hashable, Iterable
from statistics import NormalDist

from benchwright.statistics.intervals import effective_size


def smallest_paired(
    size: float, discordant: float, *, confidence: float = 0.95, power: float = 0.8
) -> float | None:
    """Return the smallest difference that McNemar's test shows, for two models on the same items.

    ``discordant`` is the share of the items, above 0 to 1, that just one of the two has right; no
    difference can be larger, and null says that so few items show none. It solves
    n = (z₁ √ψ + z₂ √(ψ - d²))² / d² for d (Miettinen 1968; Connor 1987, Sample size for testing
    differences in proportions for the paired-sample design, Biometrics 43).
    """
    found = _solved(size, discordant, 1.0, confidence, power)
    return found if found <= discordant else None


def smallest_unpaired(size: float, *, confidence: float = 0.95, power: float = 0.8) -> float | None:
    """Return the smallest difference that the test of two shares shows, each on ``size`` items.

    It is the worst case, shares on either side of a half; null says that so few items show none.
    It solves n = (z₁ √(2 p̄ q̄) + z₂ √(p₁ q₁ + p₂ q₂))² / d² for d (Fleiss, Levin & Paik 2003,
    Statistical methods for rates and proportions, chapter 4, without a correction for continuity).
    """
    # with p̄ = ½ the first root holds ½ and the second ½ - d² / 2
    found = _solved(size, 0.5, 0.5, confidence, power)
    return found if found <= 1 else None


def independent_size(clusters: Iterable[Hashable]) -> float:
    """Return as how many independent items those of some clusters count at worst.

    That is where those of one cluster always come out alike: (Σm)² / Σm² for clusters of m items
    (Kish), which is the number of clusters where all are of one size.
    """
    sizes = Counter(clusters).values()
    return float(effective_size(sum(sizes), sum(each * each for each in sizes)))


def _solved(size: float, spread: float, bend: float, confidence: float, power: float) -> float:
    """Return d with d √n = z₁ √spread + z₂ √(spread - bend d²); infinite for no items."""
    if size <= 0:
        return math.inf
    first, second = (NormalDist().inv_cdf(at) for at in ((1 + confidence) / 2, power))
    # a quadratic in s = d √n, of which the larger root is meant
    whole = 1 + bend * second**2 / size
    half = first * math.sqrt(spread)
    root = math.sqrt(max(0.0, half**2 - whole * spread * (first**2 - second**2)))
    return (half + root) / whole / math.sqrt(size)
