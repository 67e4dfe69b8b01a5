"""Which things two auditors see, where no plan says it."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from benchwright import seeds


def seen_twice(ids: Sequence[str], overlap: float, seed: int) -> frozenset[str]:
    """Return a seeded share of distinct ids, ``overlap`` from 0 to 1, up to the next whole one."""
    count = ceil(Fraction(repr(overlap)) * len(ids))
    return frozenset(seeds.shuffled(list(ids), seed, "audit-overlap")[:count])
