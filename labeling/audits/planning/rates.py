"""How often labels of each stratum are taken to be wrong, for planning."""

import numpy as np

from benchwright.statistics.intervals import Reals
from labeling.audits.planning.population import Longs

_OF_CLASS = 50  # judgements that the other strata of a class of the margin count for at most
_OF_CLASSES = 5  # judgements that the other classes count for in that
_OF_ALL = 2


def error_rates(judged: Longs, wrong: Longs, classes: Longs) -> Reals:
    """Return the rate of wrong labels of each stratum, above 0 and under 1.

    A stratum's own judgements count beside those of the other strata of its class of the margin,
    of which at most 50 count, and beside 5 at the rate of all others. None is taken for free of
    errors because a few judgements showed none. And a stratum hardly sets its own allocation:
    where its own errors called more judgements to it, the lucky strata would stay small and the
    unlucky be corrected, and the share would come out too high (docs/design/audit-plan.md).
    """
    whole = (wrong.sum() + 0.5) / (judged.sum() + 1)
    elsewhere = (wrong.sum() - wrong + _OF_ALL * whole) / (judged.sum() - judged + _OF_ALL)
    of_class = np.bincount(classes, judged)[classes] - judged
    wrong_of_class = np.bincount(classes, wrong)[classes] - wrong
    others = (wrong_of_class + _OF_CLASSES * elsewhere) / (of_class + _OF_CLASSES)
    weight = np.minimum(of_class, _OF_CLASS) + _OF_CLASSES
    rates: Reals = (wrong + weight * others) / (judged + weight)
    return rates
