"""What tests of agreement share: judgements from printed tables, and drawn ones."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import strategies as st

from benchwright.statistics.agreement.judgements import Judgements

CATEGORIES = 3


def of_table(table: list[list[int]]) -> Judgements:
    """Judgements of two raters from a table of counts, the first rater's codes down."""
    codes = [
        (one, other)
        for one, row in enumerate(table)
        for other, count in enumerate(row)
        for _ in range(count)
    ]
    return Judgements.of(codes, len(table))


def drawn(raters: int, *, missing: bool, most: int = 12) -> st.SearchStrategy[Judgements]:
    """Judgements with clusters and weights; some are missing where they may be."""
    code = st.integers(-1 if missing else 0, CATEGORIES - 1)
    row = st.tuples(
        st.tuples(*[code] * raters), st.integers(0, 5), st.sampled_from([1.0, 1.0, 2.5, 7.0])
    )

    def build(rows: list[tuple[tuple[int, ...], int, float]]) -> Judgements:
        codes, clusters, weights = zip(*rows, strict=True)
        return Judgements.of(codes, CATEGORIES, clusters, weights)

    return st.lists(row, min_size=1, max_size=most).map(build)


def rearranged(judgements: Judgements, rows: list[int]) -> Judgements:
    """The same judgements with their items at other places, dropped or repeated."""
    at = np.array(rows, int)
    return Judgements.of(
        judgements.codes[at],
        judgements.categories,
        judgements.clusters[at],
        judgements.weights[at],
    )


@pytest.fixture(scope="session")
def judged() -> SimpleNamespace:
    # four observers, twelve units, -1 where the example has a dot
    krippendorff = [
        (1, 1, -1, 1),
        (2, 2, 3, 2),
        (3, 3, 3, 3),
        (3, 3, 3, 3),
        (2, 2, 2, 2),
        (1, 2, 3, 4),
        (4, 4, 4, 4),
        (1, 1, 2, 1),
        (2, 2, 2, 2),
        (-1, 5, 5, 5),
        (-1, -1, 1, 1),
        (-1, -1, 3, -1),
    ]
    codes = np.array(krippendorff)
    return SimpleNamespace(
        of_table=of_table,
        drawn=drawn,
        rearranged=rearranged,
        four_observers=Judgements.of(np.where(codes > 0, codes - 1, -1), 5),
    )
