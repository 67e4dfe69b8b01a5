"""Shares of small samples drawn toward their common mean: an empirical Bayes beta prior.

The prior's strength is estimated by moments (Kleinman, "Proportions with extraneous variance",
1973): shares that differ no more than chance makes them are pooled, shares that really differ
keep what was counted.
"""

import numpy as np

from labeling.attributes.deciding.codes import Reals


def shrunk(share: Reals, size: Reals) -> tuple[Reals, float]:
    """Return the shares drawn toward their mean μ, and the strength M of the prior in answers.

    Each is (share · size + μM) / (size + M); sizes may be effective ones, and what has size 0 is
    μ itself. μ counts one right and one wrong more, so that no result is 0 or 1. M is 1 to the
    sum of the sizes.
    """
    known = size > 0
    p, n = share[known], size[known]
    total = float(n.sum())
    mean = (float((p * n).sum()) + 1) / (total + 2)
    strength = _strength(p, n)
    right = np.zeros(len(share))
    right[known] = p * n
    return (right + mean * strength) / (size + strength), strength


def _strength(p: Reals, n: Reals) -> float:
    total, groups = float(n.sum()), len(n)
    most = max(1.0, total)
    if groups < 2:
        return most
    mean = float((p * n).sum()) / total
    spread = mean * (1 - mean)
    beyond = total - float((n * n).sum()) / total - (groups - 1)
    if spread <= 0 or beyond <= 0:
        return most
    apart = (float((n * (p - mean) ** 2).sum()) - spread * (groups - 1)) / (spread * beyond)
    if apart <= 0:
        return most
    return float(np.clip((1 - apart) / apart, 1.0, most))
