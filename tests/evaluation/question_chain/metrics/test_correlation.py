"""Pearson's r, and where there is none."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evaluation.question_chain.metrics.correlation import correlation, over_models, over_samples
from evaluation.question_chain.metrics.outcomes import outcomes_of
from evaluation.question_chain.offers import Offers
from evaluation.question_chain.settings import ChainSettings

SHARES = st.sampled_from([0.0, 1 / 3, 1 / 2, 2 / 3, 1.0])


@given(st.lists(st.tuples(SHARES, SHARES), min_size=4, max_size=40))
def test_is_that_of_numpy(pairs: list[tuple[float, float]]) -> None:
    one, other = np.array(pairs).T
    assume(np.ptp(one) > 0 and np.ptp(other) > 0)
    found = correlation(pairs)
    assert found.r == pytest.approx(np.corrcoef(one, other)[0, 1], abs=1e-9)
    low, r, high = (-9 if one is None else one for one in (found.low, found.r, found.high))
    assert -1 - 1e-9 <= low <= r + 1e-9 <= high + 2e-9 <= 1 + 4e-9
    assert found.n == len(pairs)


@pytest.mark.parametrize(
    "pairs",
    [
        [],
        [(0.1, 0.2), (0.3, 0.1), (0.5, 0.6)],  # too few for an interval
        [(1.0, 0.0), (1.0, 1.0), (1.0, 0.0), (1.0, 1.0)],  # one side stands still
    ],
)
def test_is_null_where_nothing_goes_together(pairs: list[tuple[float, float]]) -> None:
    found = correlation(pairs)
    assert (found.r, found.low, found.high, found.p, found.n) == (
        None,
        None,
        None,
        None,
        len(pairs),
    )


def test_over_the_samples_of_a_run(chains: Mapping[str, Any], answered: Callable[..., Any]) -> None:
    wrong = {"c1": [("following", 1), ("final", 3)], "c4": [("following", 1), ("final", 2)]}
    some = list(chains.values())
    answers = [a for chain in some for a in answered(chain, wrong=wrong.get(chain.chain_id, ()))]
    outcomes = outcomes_of(some, answers, ChainSettings(), Offers(some))
    found = over_samples(list(outcomes.values()), "following", "final")
    expected = np.corrcoef([1 / 2, 1, 1, 0, 1], [0, 1, 1, 0, 1])[0, 1]
    assert found.r == pytest.approx(expected)
    assert over_samples(list(outcomes.values()), "planning", "final").r is None


def test_over_models() -> None:
    runs: list[dict[str, float | None]] = [
        {"planning": 0.4, "final": 0.5},
        {"planning": 0.6, "final": 0.55},
        {"planning": 0.7, "final": 0.8},
        {"planning": 0.8, "final": 0.75},
        {"planning": None, "final": 0.9},
        {"final": 0.9},
    ]
    found = over_models(runs, "planning", "final")
    assert found.r == pytest.approx(np.corrcoef([0.4, 0.6, 0.7, 0.8], [0.5, 0.55, 0.8, 0.75])[0, 1])
    assert found.n == 4
