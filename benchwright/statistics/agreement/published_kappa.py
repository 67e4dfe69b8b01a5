"""Which κ a printed two-by-two table allows, its shares being rounded (definition 26)."""

from dataclasses import dataclass, fields
from fractions import Fraction
from math import ceil, floor

import numpy as np

from benchwright.statistics.agreement.judgements import Longs

_Range = tuple[int, int]  # of whole numbers, both ends included


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedShares:
    """Shares of ``items`` items as they are printed, such as "0.379"; None where they are not.

    ``first_yes`` and ``second_yes`` are the raters' shares of yes, ``agree`` the exact agreement,
    the others the four cells.
    """

    items: int
    first_yes: str | None = None
    second_yes: str | None = None
    agree: str | None = None
    both_yes: str | None = None
    both_no: str | None = None
    first_only: str | None = None
    second_only: str | None = None


def rounding(printed: str) -> tuple[Fraction, Fraction]:
    """Return the least and the greatest number that may be printed so; a half goes either way.

    Raises ValueError for what is no plain decimal.
    """
    whole, _, decimals = printed.removeprefix("-").partition(".")
    if not (whole + decimals).isdecimal():
        raise ValueError(f"a plain decimal such as 0.379 is wanted, not {printed!r}")
    half = Fraction(1, 2 * 10 ** len(decimals))
    return Fraction(printed) - half, Fraction(printed) + half


def kappa_range(printed: PrintedShares) -> tuple[float, float] | None:
    """Return the least and the greatest κ of the tables of whole numbers that print these shares.

    None where no such table exists, or none has a κ. All tables are searched: for each pair of
    one-sided counts κ is monotone or has a single bend in the number of common yes, so that the
    ends and the bend are enough. Raises ValueError for what is no plain decimal.
    """
    ranges = _ranges(printed)
    n, least, greatest = printed.items, float("inf"), float("-inf")
    first, second = _one_sided(n, ranges)
    others = np.arange(second[0], second[1] + 1)
    for only in range(first[0], first[1] + 1):
        low, high = _common_yes(n, ranges, only, others)
        apart = only + others
        bend = (np.clip((n - apart + up) // 2, low, high) for up in (0, 1))
        for yes in (low, high, *bend):
            a, b = yes + only, yes + others
            by_chance = a * (n - b) + b * (n - a)
            possible = (low <= high) & (by_chance > 0)
            if possible.any():
                found = 1 - (apart * n)[possible] / by_chance[possible]
                least, greatest = min(least, found.min()), max(greatest, found.max())
    return (float(least), float(greatest)) if least <= greatest else None


def could_be(kappa: str, printed: PrintedShares) -> bool:
    """Say whether a κ as printed is the rounded one of some table that prints these shares."""
    found = kappa_range(printed)
    low, high = rounding(kappa)
    return found is not None and found[0] <= high and low <= found[1]


def _ranges(printed: PrintedShares) -> dict[str, _Range]:
    """Return the whole numbers that print as each share, 0 to all where none is printed."""
    ranges = {}
    for field in fields(printed):
        share = getattr(printed, field.name)
        if field.name == "items":
            continue
        low, high = (Fraction(0), Fraction(1)) if share is None else rounding(share)
        ranges[field.name] = (
            max(0, ceil(low * printed.items)),
            min(printed.items, floor(high * printed.items)),
        )
    return ranges


def _one_sided(n: int, ranges: dict[str, _Range]) -> tuple[_Range, _Range]:
    """Return bounds of both one-sided counts, from themselves, the agreement and the margins."""
    (a0, a1), (b0, b1) = ranges["first_yes"], ranges["second_yes"]
    agree0, agree1 = ranges["agree"]

    def bounds(own: _Range, low: int, high: int) -> _Range:
        # twice the count is what both are apart, plus what the margins differ by
        return max(own[0], (n - agree1 + low + 1) // 2), min(own[1], (n - agree0 + high) // 2)

    return (
        bounds(ranges["first_only"], a0 - b1, a1 - b0),
        bounds(ranges["second_only"], b0 - a1, b1 - a0),
    )


def _common_yes(n: int, ranges: dict[str, _Range], only: int, others: Longs) -> tuple[Longs, Longs]:
    """Return the bounds of common yes for one-sided counts; low above high where there is none."""
    (a0, a1), (b0, b1) = ranges["first_yes"], ranges["second_yes"]
    (yes0, yes1), (no0, no1) = ranges["both_yes"], ranges["both_no"]
    agree0, agree1 = ranges["agree"]
    agreed = n - only - others
    low = np.maximum(max(yes0, a0 - only), np.maximum(b0 - others, agreed - no1))
    high = np.minimum(min(yes1, a1 - only), np.minimum(b1 - others, agreed - no0))
    return low, np.where((agree0 <= agreed) & (agreed <= agree1), high, low - 1)
