"""The mean of sensitivity and specificity with its interval."""

import numpy as np
import pytest

from benchwright.statistics.intervals import Estimate, estimate
from labeling.attributes.calibrating.balanced_accuracy import balanced


def rate(share: float, low: float, high: float) -> Estimate:
    return Estimate(share=share, low=low, high=high, size=10)


@pytest.mark.parametrize(
    ("sensitivity", "specificity", "expected"),
    [
        # distances of 0.3 and 0.4 below make 0.5, halved; 0.05 and 0.12 above make 0.13
        (rate(0.9, 0.6, 0.95), rate(0.8, 0.4, 0.92), (0.85, 0.6, 0.915)),
        # one rate is known for certain: half the interval of the other
        (rate(1.0, 1.0, 1.0), rate(0.5, 0.3, 0.7), (0.75, 0.65, 0.85)),
    ],
)
def test_by_hand(
    sensitivity: Estimate, specificity: Estimate, expected: tuple[float, float, float]
) -> None:
    found = balanced(sensitivity, specificity)
    assert (found.share, found.low, found.high) == pytest.approx(expected)
    assert found.size == 20
    assert balanced(specificity, sensitivity) == found


def test_without_either_rate_nothing_is_known() -> None:
    found = balanced(estimate(0.9, 10), estimate(0.0, 0))
    assert np.isnan(found.share)
    assert (found.low, found.high, found.size) == (0, 1, 0)
