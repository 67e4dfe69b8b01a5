"""Several tests taken together: Holm's correction (Scandinavian Journal of Statistics 6, 1979)."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values, in the order given.

    Those under 0.05 hold together: the chance that any of them is false is under 0.05.
    """
    order = sorted(range(len(p_values)), key=lambda at: (p_values[at], at))
    adjusted, highest = [1.0] * len(p_values), 0.0
    for rank, at in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[at]))
        adjusted[at] = highest
    return adjusted
