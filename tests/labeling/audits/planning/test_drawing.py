from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.audits.planning.drawing import draw_order, second_looks
from labeling.audits.planning.population import read_population
from labeling.audits.planning.strata import LabelStratum, stratify

STRATUM = LabelStratum(
    name="colour 0.00-0.50", type="colour", value=None, margin_class=0, low=0, high=50, size=900
)


def test_the_order_hangs_on_the_label_and_the_seed_alone(
    kit: SimpleNamespace, labelled: Any
) -> None:
    population = read_population(labelled(kit.labels(90)))
    strata, codes = stratify(population)
    order = draw_order(population, codes, len(strata), 0)
    assert sorted(np.concatenate(order).tolist()) == list(range(90))
    for number, rows in enumerate(order):
        assert (codes[rows] == number).all()
    together = draw_order(population, np.zeros(90, np.int64), 1, 0)[0].tolist()
    for rows in order:  # other strata, the same order
        assert rows.tolist() == [row for row in together if row in set(rows.tolist())]
    assert together != list(range(90))
    assert together != draw_order(population, np.zeros(90, np.int64), 1, 1)[0].tolist()


@given(
    planned=st.integers(0, 300),
    more=st.integers(0, 50),
    overlap=st.sampled_from(["0", "0.1", "0.2", "0.33", "1"]),
    seed=st.integers(0, 99),
)
def test_the_share_seen_twice_is_exact_and_stays(
    planned: int, more: int, overlap: str, seed: int
) -> None:
    share = Fraction(overlap)
    twice = second_looks(STRATUM, planned, share, seed)
    assert abs(sum(twice) - share * planned) < 1
    assert second_looks(STRATUM, planned + more, share, seed)[:planned] == twice


@pytest.mark.parametrize(("overlap", "least", "most"), [("0.2", 30, 50), ("0.5", 90, 110)])
def test_small_strata_have_their_share(overlap: str, least: int, most: int) -> None:
    seen = sum(sum(second_looks(STRATUM, 2, Fraction(overlap), seed)) for seed in range(100))
    assert least <= seen <= most  # of 200
