"""Which runs of a table can be told apart: paired differences, all taken together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import NormalDist

from benchwright.errors import UsageError
from benchwright.statistics.holm import holm
from evaluation.report.boards import Board
from evaluation.report.entries import Entry
from evaluation.scoring.comparing import compare
from evaluation.scoring.conditions import other_conditions
from evaluation.scoring.figures import Derived, Figure, Key, by_key
from evaluation.scoring.protocol import Item, Tally
from evaluation.scoring.scored import Scored

LEVEL = 0.05
_WIDTH = NormalDist().inv_cdf(0.975)  # of half a 95 % interval, in standard errors


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two runs on the items that both have: first minus second in one figure.

    ``p`` is two-sided; ``adjusted`` is Holm's over all pairs of the table in this figure that
    have one. Both are null where the two are the same item by item.
    """

    first: Entry
    second: Entry
    difference: Figure
    items: int
    conditions: tuple[str, ...]
    p: float | None
    adjusted: float | None = None

    @property
    def is_told_apart(self) -> bool:
        """Whether the two differ by more than chance, all pairs taken together."""
        return self.adjusted is not None and self.adjusted < LEVEL


def pairs_of(board: Board, key: Key, seed: int) -> list[Pair]:
    """Return each two runs of a table that have a figure and items in common, the better first.

    Runs of which the score alone is there have no pairs.
    """
    there = [
        (entry, replace(entry.scored, tally=_slim(entry.scored.tally, key)))
        for entry in board.entries
        if entry.scored is not None and entry.figure(key)
    ]
    found = [
        made
        for first, second in combinations(there, 2)
        if (made := _pair(first, second, key, seed)) is not None
    ]
    adjusted = iter(holm([pair.p for pair in found if pair.p is not None]))
    return [replace(pair, adjusted=None if pair.p is None else next(adjusted)) for pair in found]


def p_value(difference: Figure, pictures: int) -> float | None:
    """Return the two-sided p of a difference over so many pictures, 0 to 1.

    By the interval: under 0.05 just where that leaves out 0, with the standard error of the bound
    that faces 0 (Altman & Bland 2011, BMJ 343:d2304). It is no less than what a test that flips
    the signs of so many pictures can come to, and just that where all of them differ alike, so
    that there is no interval. Null where there is nothing to tell apart.
    """
    value, low, high = difference.value, difference.low, difference.high
    least = 2.0 ** (1 - pictures)
    if not value:
        return None if low is None else 1.0
    if low is None or high is None:
        return least
    facing, other = (value - low, high - value) if value > 0 else (high - value, value - low)
    error = (facing or other) / _WIDTH
    return max(least, 2 * (1 - NormalDist().cdf(abs(value) / error)))


def _pair(
    first: tuple[Entry, Scored], second: tuple[Entry, Scored], key: Key, seed: int
) -> Pair | None:
    (entry, one), (against, other) = first, second
    try:
        compared = compare(one, other, seed, is_partial=True)
    except UsageError:  # no item in common
        return None
    difference = by_key(compared.differences)[key]
    if difference.value is None:
        return None
    return Pair(
        first=entry,
        second=against,
        difference=difference,
        items=compared.items,
        conditions=tuple(other_conditions(one, other)),
        p=p_value(difference, _pictures(one.tally, other.tally)),
    )


def _pictures(one: Tally, other: Tally) -> int:
    """Return of how many pictures both runs have something that the figure is over."""
    return len(
        {
            item.picture
            for name, item in one.items.items()
            if name in other.items and _counts(item) and _counts(other.items[name])
        }
    )


def _counts(item: Item) -> bool:
    return any(amount.below for amount in item.amounts.values())


def _slim(tally: Tally, key: Key) -> Tally:
    """Return a tally with what one figure is made of alone: a comparison draws all there is."""
    derived = _needed(tally.derived, key)
    wanted = {key, *(each for one in derived for each in one.of)}
    items = {
        name: Item(
            picture=item.picture,
            amounts={key: amount for key, amount in item.amounts.items() if key in wanted},
        )
        for name, item in tally.items.items()
    }
    return replace(
        tally,
        items=items,
        derived=derived,
        remade=lambda names: _slim(tally.of_items(names), key),
    )


def _needed(derived: Sequence[Derived], key: Key) -> list[Derived]:
    """Return the derived figures that a figure is made of, in their order, itself among them."""
    wanted, found = {key}, []
    for one in reversed(derived):
        if one.key in wanted:
            wanted.update(one.of)
            found.append(one)
    return found[::-1]
