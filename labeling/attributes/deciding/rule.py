"""The margin and the quorum of a vote, read as decimal fractions and compared in whole numbers."""

from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

import numpy as np

from benchwright.errors import UsageError
from labeling.attributes.deciding.codes import Bytes, Longs

_MOST_DIGITS = 9  # behind the point; with weights below 2**31 every product fits into 64 bits


@dataclass(frozen=True, slots=True, kw_only=True)
class DecimalShare:
    """A decimal fraction as numerator / denominator, with no floating point on the way."""

    numerator: int = 0
    denominator: int = 1

    @classmethod
    def parse(cls, text: str, name: str, most: str = "1") -> "DecimalShare":
        """Read a decimal such as ``0.05``; ``name`` is the setting that an error names.

        Raises UsageError below 0, above ``most``, for more than nine digits, and for no decimal.
        """
        try:
            value = Decimal(text.strip())
        except InvalidOperation:
            value = Decimal("nan")
        digits = value.as_tuple().exponent if value.is_finite() else None
        if not isinstance(digits, int) or digits < -_MOST_DIGITS or not 0 <= value <= Decimal(most):
            raise UsageError(
                f"{name} takes a decimal from 0 to {most} with up to {_MOST_DIGITS} digits behind"
                f" the point, such as 0.1; got {text!r}"
            )
        numerator, denominator = value.as_integer_ratio()
        return cls(numerator=numerator, denominator=denominator)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """When weights of yes and no make a label (definition 8).

    Y, N: the weights of yes and no; T: the weight of all planned questions; s = Y / (Y + N).
    yes for s ≥ ½ + ``margin``, no for s ≤ ½ − ``margin``, else unsure; unsure too for a tie, for
    Y + N = 0 and for Y + N < ``quorum`` · T. The margin is 0 to ½, the quorum 0 to 1.
    """

    margin: DecimalShare = field(default_factory=DecimalShare)
    quorum: DecimalShare = field(default_factory=DecimalShare)

    @classmethod
    def parse(cls, margin: str = "0", quorum: str = "0") -> "Rule":
        """Read both decimals; raises UsageError that names ``--margin`` or ``--quorum``."""
        return cls(
            margin=DecimalShare.parse(margin, "--margin", "0.5"),
            quorum=DecimalShare.parse(quorum, "--quorum"),
        )

    def label(self, yes: int, no: int, total: int) -> int:
        """Return 1 for yes, -1 for no, 0 for unsure."""
        counted = yes + no
        if counted * self.quorum.denominator < self.quorum.numerator * total:
            return 0
        half, away = self.margin.denominator, 2 * self.margin.numerator
        scaled = 2 * half * yes
        # at a tie and without any vote both hold
        return (scaled >= (half + away) * counted) - (scaled <= (half - away) * counted)

    def labels(self, yes: Longs, no: Longs, total: Longs) -> Bytes:
        """Return ``label`` for arrays of int64 whose totals are below 2**31."""
        counted = yes + no
        half, away = self.margin.denominator, 2 * self.margin.numerator
        scaled = 2 * half * yes
        above = (scaled >= (half + away) * counted).view(np.int8)
        below = (scaled <= (half - away) * counted).view(np.int8)
        label = above - below
        if self.quorum.numerator:
            label *= counted * self.quorum.denominator >= self.quorum.numerator * total
        return label
