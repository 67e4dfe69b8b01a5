"""The averages that V-REX prints are the means of its four categories (definition 26)."""

import numpy as np
import pytest

from benchwright.protocols.question_chain import mean_of_categories
from evaluation.question_chain.metrics.amounts import Divisions, derived_of
from evaluation.question_chain.settings import ChainSettings
from evaluation.scoring.figures import Key

# deduction, guessing, navigation, retrieval, and the average, in per cent
PRINTED = {
    ("InternVL2.5-38B", "planning"): ((85.6, 85.0, 85.0, 59.8), 78.8),
    ("InternVL2.5-38B", "following"): ((71.3, 69.0, 90.8, 74.8), 76.5),
    ("GPT-5", "planning"): ((93.9, 91.8, 93.9, 58.1), 84.4),
    ("GPT-5", "following"): ((76.6, 86.2, 90.9, 84.6), 84.6),
    ("o3", "planning"): ((94.8, 94.4, 93.3, 62.1), 86.1),
    ("o3", "following"): ((80.2, 83.0, 89.9, 83.7), 84.2),
}
CATEGORIES = ("deduction", "guessing", "navigation", "retrieval")
_ROUNDING = 0.05 + 0.05 + 1e-9  # of the average, and of what it is the mean of


@pytest.mark.parametrize(("model", "metric"), PRINTED)
def test_a_printed_average_is_the_mean_of_the_categories(model: str, metric: str) -> None:
    shares, average = PRINTED[model, metric]
    divisions = Divisions(categories=CATEGORIES, scenarios=(), steps=())
    means = {one.key: one for one in derived_of(ChainSettings(), divisions, has_blind=False)}
    mean = means[Key(metric)]
    assert mean.of == tuple(Key(metric, "category", name) for name in CATEGORIES)
    (ours,) = mean.work_out(np.array([shares]))
    assert ours == pytest.approx(mean_of_categories(zip(CATEGORIES, shares, strict=True)))
    assert abs(ours - average) <= _ROUNDING
    # a category less would not do
    fewer = [np.mean(np.delete(shares, at)) for at in range(len(shares))]
    assert any(abs(one - average) > _ROUNDING for one in fewer)
