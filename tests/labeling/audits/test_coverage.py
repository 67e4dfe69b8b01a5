"""How often the intervals of planned audits hold the truth: plan, judge, plan again, judge."""

from collections.abc import Callable

import numpy as np
import pytest

from benchwright.statistics.intervals import Stratum, stratified_share
from labeling.audits.planning.allocation import allocate, allocate_pilot

HALF_WIDTH, CONFIDENCE, PILOT, ROUNDS = 0.02, 0.95, 200, 3
Strata = tuple[np.ndarray, np.ndarray, np.ndarray]  # sizes, classes of the margin, error rates
Make = Callable[[np.random.Generator], Strata]


def sizes_of(random: np.random.Generator, count: int) -> np.ndarray:
    return np.exp(random.uniform(np.log(5), np.log(20_000), count)).astype(np.int64)


def types_by_margin(random: np.random.Generator) -> Strata:
    """Twelve types; the closer the votes, the rarer the labels and the likelier the errors."""
    classes = np.tile(np.arange(3), 12)
    sizes = np.exp(random.normal(5.5, 1.2, 36)) * np.array([0.3, 1, 1])[classes]
    low, high = np.array([0.15, 0.03, 0.001])[classes], np.array([0.4, 0.15, 0.03])[classes]
    return np.clip(sizes, 5, 20_000).astype(np.int64), classes, random.uniform(low, high)


def of_any_kind(random: np.random.Generator) -> Strata:
    """Strata whose margins say nothing of their errors."""
    count = int(random.integers(2, 41))
    rates = np.exp(random.uniform(np.log(0.001), np.log(0.4), count))
    return sizes_of(random, count), np.arange(count) % 3, rates


def errors_are_rare(random: np.random.Generator) -> Strata:
    count = int(random.integers(2, 41))
    rates = np.exp(random.uniform(np.log(0.001), np.log(0.02), count))
    return sizes_of(random, count), np.arange(count) % 3, rates


def one_large_and_nearly_right(random: np.random.Generator) -> Strata:
    """Nearly all labels are in one stratum of few errors, nearly all errors seen are elsewhere."""
    sizes = np.concatenate([[20_000], random.integers(5, 300, 20)])
    rates = np.concatenate([[random.uniform(0.001, 0.02)], random.uniform(0.2, 0.4, 20)])
    return sizes, np.concatenate([[2], np.arange(20) % 3]), rates


def many_small(random: np.random.Generator) -> Strata:
    sizes = random.integers(20, 500, 150)
    return sizes, np.arange(150) % 3, random.uniform(0.001, 0.03, 150)


def few(random: np.random.Generator) -> Strata:
    count = int(random.integers(1, 4))
    sizes = np.exp(random.uniform(np.log(200), np.log(20_000), count)).astype(np.int64)
    return sizes, np.arange(count), random.uniform(0.001, 0.4, count)


def audit(random: np.random.Generator, make: Make) -> tuple[float, float, float, int]:
    """Return the true share, the ends of the interval and how many labels were judged."""
    sizes, classes, rates = make(random)
    bad = random.binomial(sizes, rates)
    planned = allocate_pilot(sizes, PILOT)
    judged, wrong = np.zeros_like(sizes), np.zeros_like(sizes)
    for _ in range(ROUNDS):
        more, left = planned - judged, sizes - judged
        wrong = wrong + random.hypergeometric(bad - wrong, left - (bad - wrong), more)
        judged = planned
        planned = allocate(sizes, classes, judged, wrong, judged, HALF_WIDTH, CONFIDENCE)
        if (planned == judged).all():
            break
    strata = [
        Stratum(size=size, audited=seen, right=seen - errors)
        for size, seen, errors in zip(sizes.tolist(), judged.tolist(), wrong.tolist(), strict=True)
    ]
    found = stratified_share(strata, CONFIDENCE)
    return 1 - bad.sum() / sizes.sum(), found.low, found.high, int(judged.sum())


KINDS = (
    types_by_margin,
    of_any_kind,
    errors_are_rare,
    one_large_and_nearly_right,
    many_small,
    few,
)
RUNS = 2_000


@pytest.fixture(scope="module")
def audits() -> np.ndarray:
    """2,000 audits of populations of six kinds: (runs, 4)."""
    random = np.random.default_rng(7)
    return np.array([audit(random, KINDS[run % len(KINDS)]) for run in range(RUNS)])


def test_intervals_hold_the_truth(audits: np.ndarray) -> None:
    truth, low, high, _ = audits.T
    assert 0.93 <= ((low <= truth) & (truth <= high)).mean() <= 0.97


@pytest.mark.parametrize("kind", range(len(KINDS)), ids=[make.__name__ for make in KINDS])
def test_intervals_hold_the_truth_of_each_kind(audits: np.ndarray, kind: int) -> None:
    truth, low, high, _ = audits[kind :: len(KINDS)].T
    # of 333 runs at 95 % a share under 0.92 comes once in a hundred times
    assert ((low <= truth) & (truth <= high)).mean() >= 0.92


def test_intervals_are_as_narrow_as_wanted(audits: np.ndarray) -> None:
    half = (audits[:, 2] - audits[:, 1]) / 2
    assert np.median(half) <= HALF_WIDTH
    assert np.quantile(half, 0.95) <= 1.1 * HALF_WIDTH  # three rounds come close
