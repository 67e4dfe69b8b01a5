"""Money as people read it."""

import math


def exact_text(amount: float) -> str:
    """Return money with at least three digits, by which it can be told from a bound."""
    digits = 2 if amount >= 1 or amount == 0 else 2 - math.floor(math.log10(amount))
    return f"{amount:,.{digits}f}"


def amount_text(amount: float) -> str:
    """Return money with the digits that matter."""
    if amount >= 100 or amount == 0:
        return f"{amount:,.0f}"
    digits = 2 if amount >= 0.01 else 1 - math.floor(math.log10(amount))
    return f"{amount:.{digits}f}"
