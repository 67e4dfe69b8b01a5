"""Wilson's interval against published figures, and how often the intervals hold the truth."""

from typing import Any

import numpy as np
import pytest

from benchwright.statistics.intervals import (
    Stratum,
    effective_size,
    estimate,
    size_for,
    stratified_share,
    weighted_share,
    wilson,
)


@pytest.mark.parametrize(
    ("right", "size", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # Newcombe 1998, table I
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (20, 20, 0.8389, 1.0),  # the mirror of none of 20
    ],
)
def test_wilson(right: int, size: int, low: float, high: float) -> None:
    found = wilson(right / size, size)
    assert [round(float(end), 4) for end in found] == [low, high]


@pytest.mark.parametrize(
    ("share", "size", "low", "high"),
    [
        (0.5, 0, 0.0, 1.0),  # nothing is known
        (0.0, 0, 0.0, 1.0),
        (0.3, float("inf"), 0.3, 0.3),  # all is known
        (0.5, 0.01, 0.00065, 0.99935),  # less than one
    ],
)
def test_wilson_at_the_ends(share: float, size: float, low: float, high: float) -> None:
    assert wilson(share, size) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


def test_wilson_of_arrays_and_of_another_confidence() -> None:
    low, high = wilson(np.array([0.2, 0.5]), np.array([[10], [1000]]))
    assert low.shape == (2, 2)
    assert (high - low)[0, 0] > (high - low)[1, 0]
    assert wilson(0.5, 10, 0.99)[0] < wilson(0.5, 10)[0]


def test_an_estimate_of_nothing() -> None:
    nothing = estimate(0.0, 0.0)
    assert np.isnan(nothing.share)
    assert (nothing.low, nothing.high, nothing.width) == (0, 1, 1)
    assert weighted_share([], []).size == 0
    assert stratified_share([]).size == 0


@pytest.mark.parametrize("half_width", [0.001, 0.02, 0.1, 0.4])
@pytest.mark.parametrize("share", [0.0, 0.03, 0.5, 0.95, 1.0])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_the_size_for_a_width_gives_that_width(
    half_width: float, share: float, confidence: float
) -> None:
    low, high = wilson(share, size_for(half_width, share, confidence), confidence)
    # at the ends the interval is cut at 0 and 1, where it would end anyhow
    assert (high - low) / 2 == pytest.approx(half_width)


@pytest.mark.parametrize(
    ("right", "weights", "clusters", "share", "size"),
    [
        ([1, 1, 0, 0], [1, 1, 1, 1], None, 0.5, 4),  # a simple sample
        ([1, 1, 0, 0], [3, 3, 3, 3], None, 0.5, 4),  # weights that are equal say nothing
        ([1, 0], [3, 1], None, 0.75, 1.6),
        ([1, 1, 0, 0], [1, 1, 1, 1], [0, 0, 1, 1], 0.5, 1),  # two pictures, less one
        ([1, 0, 1, 0], [1, 1, 1, 1], [0, 0, 1, 1], 0.5, 2),  # no more than pictures
        ([1, 1, 1, 1], [1, 1, 1, 1], [0, 0, 1, 1], 1.0, 2),
    ],
)
def test_weighted_shares(
    right: list[int], weights: list[int], clusters: list[int] | None, share: float, size: float
) -> None:
    found = weighted_share(right, weights, clusters)
    assert found.share == share
    assert found.size == pytest.approx(size)
    assert found.low <= share <= found.high


@pytest.mark.parametrize(
    ("total", "squares", "size"),
    [
        (0.0, 0.0, 0.0),  # no weight at all
        (4.0, 4.0, 4.0),  # all alike
        (12.0, 104.0, 144 / 104),  # one weighs ten times as much as two others
        ([2.0, 0.0], [2.0, 0.0], [2.0, 0.0]),
    ],
)
def test_kishs_size(total: Any, squares: Any, size: Any) -> None:
    assert effective_size(total, squares).tolist() == pytest.approx(size)


@pytest.mark.parametrize(
    ("strata", "share", "size"),
    [
        ([Stratum(size=1000, audited=100, right=90)], 0.9, 100 / 0.9),  # the rest is 900
        ([Stratum(size=50, audited=50, right=45)], 0.9, float("inf")),  # everything was audited
        # a tenth of the whole is all wrong
        (
            [Stratum(size=900, audited=10, right=10), Stratum(size=100, audited=10, right=0)],
            *(0.9, None),
        ),
        # a part without members says nothing
        (
            [Stratum(size=100, audited=10, right=5), Stratum(size=0, audited=0, right=0)],
            *(0.5, 10 / 0.9),
        ),
    ],
)
def test_stratified_shares(strata: list[Stratum], share: float, size: float | None) -> None:
    found = stratified_share(strata)
    assert found.share == pytest.approx(share)
    if size is not None:
        assert found.size == pytest.approx(size)
    assert found.low <= share <= found.high


@pytest.mark.parametrize(
    "stratum",
    [
        Stratum(size=10, audited=0, right=0),  # nobody knows this part
        Stratum(size=10, audited=11, right=1),
        Stratum(size=10, audited=5, right=6),
        Stratum(size=10, audited=5, right=-1),
    ],
)
def test_an_audit_that_cannot_be_is_refused(stratum: Stratum) -> None:
    with pytest.raises(ValueError, match="no audit"):
        stratified_share([stratum])


def test_many_strata_that_show_no_error_do_not_add_up_to_doubt() -> None:
    many = [Stratum(size=500, audited=5, right=5)] * 100
    alone = stratified_share([Stratum(size=50_000, audited=500, right=500)])
    found = stratified_share(many)
    assert found.share == found.high == 1
    assert found.low == pytest.approx(alone.low, abs=0.001)


def test_a_large_part_that_shows_no_error_is_not_taken_for_certain() -> None:
    strata = [
        Stratum(size=9000, audited=10, right=10),
        Stratum(size=1000, audited=500, right=400),
    ]
    found = stratified_share(strata)
    assert found.share == pytest.approx(0.98)
    assert found.low < 0.93  # ten judgements can miss an error rate of a twentieth


def test_stratified_intervals_hold_the_truth() -> None:
    random = np.random.default_rng(12)
    sizes, shares, audited = (5000, 800, 200), (0.97, 0.8, 0.5), (60, 60, 40)
    right = [round(size * share) for size, share in zip(sizes, shares, strict=True)]
    truth = sum(right) / sum(sizes)
    held = 0
    for _ in range(1000):
        strata = [
            Stratum(size=size, audited=n, right=int(random.hypergeometric(k, size - k, n)))
            for size, k, n in zip(sizes, right, audited, strict=True)
        ]
        found = stratified_share(strata)
        held += found.low <= truth <= found.high
    assert 0.93 <= held / 1000 <= 0.99


def test_clustered_intervals_hold_the_truth() -> None:
    # nine answers on each of 60 pictures, right together more often than by chance
    random = np.random.default_rng(13)
    clusters, held = np.repeat(np.arange(60), 9), {"clusters": 0, "none": 0}
    for _ in range(500):
        share = np.repeat(random.beta(4, 1, 60), 9)
        right = random.random(540) < share
        for name, among in (("clusters", clusters), ("none", None)):
            found = weighted_share(right, np.ones(540), among)
            held[name] += found.low <= 0.8 <= found.high
    assert held["clusters"] / 500 > 0.92
    assert held["none"] / 500 < 0.85  # what clusters are for
