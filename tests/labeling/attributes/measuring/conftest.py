"""What tests of measuring share: small tables of cells, and brute force to compare with."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import strategies as st

from labeling.attributes.measuring.cells import Cells


def cells_of(rows: list[tuple[int, int, int, float]], values: int) -> Cells:
    """Cells of rows of (picture, column, truth, weight)."""
    pictures, columns, truth, weights = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Cells(
        values=values,
        truth=np.array(truth, np.int8),
        columns=np.array(columns, np.int64),
        pictures=np.array(pictures, np.int64),
        weights=np.array(weights, float),
    )


def balanced_by_loops(
    rows: list[tuple[int, int, int, float]], answers: list[int], values: int
) -> list[float]:
    """Balanced accuracy of each value as its definition says, one row after the other."""
    found = []
    for column in range(values):
        rates = []
        for truth in (1, -1):
            credit = total = 0.0
            for (_, own, known, weight), said in zip(rows, answers, strict=True):
                if own == column and known == truth:
                    total += weight
                    credit += weight * (0.5 if said == 0 else 1.0 if said == known else 0.0)
            rates.append(credit / total if total else float("nan"))
        found.append(sum(rates) / 2)
    return found


VALUES = 3
ROW = st.tuples(
    st.integers(0, 5), st.integers(0, VALUES - 1), st.sampled_from([1, -1]), st.floats(1, 9)
)
TABLES = st.lists(st.tuples(ROW, st.sampled_from([1, 0, -1])), max_size=40).map(
    lambda both: ([row for row, _ in both], [said for _, said in both])
)


@pytest.fixture(scope="session")
def tables() -> SimpleNamespace:
    return SimpleNamespace(cells=cells_of, by_loops=balanced_by_loops, values=VALUES, any=TABLES)
