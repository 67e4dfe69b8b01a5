"""Which labels of a stratum are judged, and which of them twice."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import numpy as np

from benchwright.seeds import draw
from labeling.audits.planning.population import Longs, Population
from labeling.audits.planning.strata import LabelStratum


def draw_order(population: Population, strata: Longs, count: int, seed: int) -> list[Longs]:
    """Return the rows of each of ``count`` strata in the order in which they are drawn.

    A label has one number for good, by the seed and itself: a larger plan goes on where a smaller
    one ended, and other strata of the same labels keep most of what was judged (permanent random
    numbers, Ohlsson 1995).
    """
    numbers = np.fromiter(_numbers(population, seed), np.uint64, len(population))
    order = np.lexsort((numbers, strata))
    starts = np.searchsorted(strata[order], np.arange(1, count))
    return [rows.astype(np.int64) for rows in np.split(order, starts)]


def second_looks(stratum: LabelStratum, planned: int, overlap: Fraction, seed: int) -> list[bool]:
    """Return which of the first so many labels of a stratum two auditors see.

    They are spread evenly, a share of ``overlap`` (0 to 1) up to one; a seeded start keeps small
    strata from having none always. A larger plan keeps the choices of a smaller one.
    """
    start = Fraction(draw(seed, "audit-overlap", stratum.name), 2**64)
    steps = [(start + overlap * rank) // 1 for rank in range(planned + 1)]
    return [after > before for before, after in pairwise(steps)]


def _numbers(population: Population, seed: int) -> Iterator[int]:
    for image_id, object_id, kind, value in population.cells():
        yield draw(seed, "audit", image_id, object_id or "", kind, value)
