"""Gwet's AC1."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.statistics.agreement.ac1 import gwets_ac1
from benchwright.statistics.agreement.judgements import Judgements
from benchwright.statistics.agreement.two_raters import cohens_kappa


def test_high_agreement_on_a_rare_code(judged: SimpleNamespace) -> None:
    """Gwet 2008, 125 subjects: 94 % agreement, kappa under 0."""
    some = judged.of_table([[118, 5], [2, 0]])
    assert gwets_ac1(some).value == pytest.approx(0.941, abs=0.0005)
    assert cohens_kappa(some).value == pytest.approx(-0.0234, abs=0.00005)


@pytest.mark.parametrize(
    ("table", "ac1"),
    [
        # irrCAC, vignette "Calculating chance-corrected agreement coefficients" (Gwet), 100
        # cases in 3 categories: 0.8493305
        ([[13, 0, 0], [0, 20, 7], [0, 4, 56]], 0.8493305),
        # even margins: it is kappa
        ([[30, 20], [20, 30]], 0.2),
    ],
)
def test_of_tables(judged: SimpleNamespace, table: list[list[int]], ac1: float) -> None:
    assert gwets_ac1(judged.of_table(table)).value == pytest.approx(ac1, abs=1e-7)


def test_four_raters_with_missing_values(judged: SimpleNamespace) -> None:
    """Gwet 2014, chapter 5, table of 4 raters and 12 units (irrCAC cac.raw4raters): 0.775."""
    found = gwets_ac1(judged.four_observers)
    assert found.value == pytest.approx(0.77544, abs=5e-6)
    # unit 12 was judged by one: it counts in what is expected, not in what agrees
    assert (found.judged, found.left_out) == (11, 1)
    assert gwets_ac1(judged.four_observers.by_several()).value != pytest.approx(0.77544, abs=1e-4)


def test_a_code_that_nobody_gave_counts_as_a_category() -> None:
    codes = [(0, 0), (0, 1), (1, 1), (1, 1)]
    two, three = (gwets_ac1(Judgements.of(codes, q)).value for q in (2, 3))
    assert two == pytest.approx(1 - 0.25 / (1 - 2 * 0.375 * 0.625))
    assert three == pytest.approx(1 - 0.25 / (1 - 2 * 0.375 * 0.625 / 2))


@given(st.data())
def test_as_its_definition_says(judged: SimpleNamespace, data: st.DataObject) -> None:
    some: Judgements = data.draw(judged.drawn(3, missing=True))
    agree = several = 0.0
    share, total = np.zeros(some.categories), 0.0
    for row, weight in zip(some.codes.tolist(), some.weights.tolist(), strict=True):
        said = [code for code in row if code >= 0]
        if said:
            share += [weight * said.count(code) / len(said) for code in range(some.categories)]
            total += weight
        if len(said) > 1:
            pairs = [(a, b) for i, a in enumerate(said) for b in said[i + 1 :]]
            agree += weight * sum(a == b for a, b in pairs) / len(pairs)
            several += weight
    found = gwets_ac1(some, draws=20).value
    if not several:
        assert found is None
    else:
        share /= total
        chance = sum(share * (1 - share)) / (some.categories - 1)
        assert found == pytest.approx((agree / several - chance) / (1 - chance))
