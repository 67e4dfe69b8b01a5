"""Gallery sizes of a synthetic shop of 4,880 garments come out near those that AMIGO prints."""

import numpy as np
import pytest

from benchmarks.synthetic import THE_PAPERS, family_catalog
from galleries.pools import find_pools
from galleries.tau import Tau

PICTURES = 4880
SMALLEST = 6  # pictures of a gallery, with the target
TARGETS_AT_08 = 587


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(
    ("tau", "printed"),
    [("0.3", 25.7), ("0.4", 18.0), ("0.5", 13.8), ("0.6", 11.2), ("0.8", 7.1)],
)
def test_sizes_are_near_the_printed_ones(tau: str, printed: float, seed: int) -> None:
    shop = family_catalog(PICTURES, THE_PAPERS, seed=seed)
    sizes = find_pools(shop, Tau.parse(tau), per_value=7, seed=seed).sizes() + 1
    galleries = sizes[sizes >= SMALLEST]
    assert np.mean(galleries) == pytest.approx(printed, rel=0.10)
    if tau == "0.8":
        assert len(galleries) == pytest.approx(TARGETS_AT_08, rel=0.15)
