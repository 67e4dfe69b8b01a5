"""Which things two auditors see, where no plan says it."""

from collections.abc import Sequence

from benchwright import seeds

_NUMBERS = 2**64  # that a thing can draw


def seen_twice(ids: Sequence[str], overlap: float, seed: int) -> frozenset[str]:
    """Return which of distinct ids two auditors see: about a share of ``overlap``, 0 to 1.

    An id has one number for good, by the seed and itself, so that it keeps its choice whatever
    others come (permanent random numbers, Ohlsson 1995). Where the share is above 0 and chance
    chose none, it is the one of the least number.
    """
    numbers = {name: seeds.draw(seed, "audit-overlap", name) for name in ids}
    chosen = frozenset(name for name, number in numbers.items() if number < overlap * _NUMBERS)
    if chosen or overlap == 0 or not numbers:
        return chosen
    return frozenset([min(numbers, key=lambda name: (numbers[name], name))])
