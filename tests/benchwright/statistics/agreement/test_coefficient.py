"""What all coefficients share: what does not matter to them, and their intervals."""

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.statistics.agreement.ac1 import gwets_ac1
from benchwright.statistics.agreement.alpha import krippendorffs_alpha
from benchwright.statistics.agreement.coefficient import Coefficient
from benchwright.statistics.agreement.exact import exact_agreement
from benchwright.statistics.agreement.judgements import Judgements
from benchwright.statistics.agreement.sets import SetPairs, set_agreement
from benchwright.statistics.agreement.two_raters import (
    cohens_kappa,
    lights_kappa,
    specific_agreement,
)
from benchwright.statistics.bootstrap import Interval, cluster_counts

Measure = Callable[..., Coefficient]


def exact(judgements: Judgements, **_: int) -> Coefficient:
    return exact_agreement(judgements)


def on_yes(judgements: Judgements, **how: int) -> Coefficient:
    return specific_agreement(judgements, 1, **how)


BOOTSTRAPPED = pytest.mark.parametrize(
    "measure", [cohens_kappa, lights_kappa, krippendorffs_alpha, gwets_ac1, on_yes]
)
CHANCE_CORRECTED = pytest.mark.parametrize(
    "measure", [cohens_kappa, krippendorffs_alpha, gwets_ac1, exact]
)


def close(one: Coefficient, other: Coefficient) -> bool:
    return [one.value, one.low, one.high] == [
        None if x is None else pytest.approx(x, abs=1e-9)
        for x in (other.value, other.low, other.high)
    ] and (one.judged, one.left_out) == (other.judged, other.left_out)


@CHANCE_CORRECTED
@given(data=st.data())
def test_orders_and_names_do_not_matter(
    judged: SimpleNamespace, measure: Measure, data: st.DataObject
) -> None:
    some: Judgements = data.draw(judged.drawn(2, missing=True))
    items = data.draw(st.permutations(range(len(some.codes))))
    codes = data.draw(st.permutations(range(some.categories)))
    found = measure(some, seed=1, draws=40)
    names = np.array([*codes, -1])
    renamed = Judgements.of(names[some.codes], some.categories, some.clusters, some.weights)
    assert close(found, measure(judged.rearranged(some, items), seed=1, draws=40))
    assert close(found, measure(some.raters(1, 0), seed=1, draws=40))
    assert close(found, measure(renamed, seed=1, draws=40))


@CHANCE_CORRECTED
@given(data=st.data())
def test_agreement_without_exception_is_one_or_null(
    judged: SimpleNamespace, measure: Measure, data: st.DataObject
) -> None:
    some: Judgements = data.draw(judged.drawn(2, missing=False))
    alike = Judgements.of(
        np.repeat(some.codes[:, :1], 2, axis=1), some.categories, some.clusters, some.weights
    )
    found = measure(alike, draws=40)
    one_code = len(np.unique(alike.codes)) == 1
    if one_code and measure in (cohens_kappa, krippendorffs_alpha):
        assert found.value is None
    else:
        assert found.value == 1
    if measure is not exact:
        # a bootstrap cannot say how sure that is
        assert (found.low, found.high) == (None, None)


@BOOTSTRAPPED
@given(data=st.data())
def test_the_interval_holds_the_estimate(
    judged: SimpleNamespace, measure: Measure, data: st.DataObject
) -> None:
    some: Judgements = data.draw(judged.drawn(2, missing=True))
    found = measure(some, draws=40)
    assert (found.low is None) == (found.high is None)
    if found.low is not None:
        assert found.value is not None
        assert found.high is not None
        assert found.low <= found.value <= found.high
        assert found.low < found.high


@BOOTSTRAPPED
@given(data=st.data())
def test_a_draw_is_the_coefficient_of_its_pictures_repeated(
    judged: SimpleNamespace, measure: Measure, data: st.DataObject
) -> None:
    whole: Judgements = data.draw(judged.drawn(2, missing=True, most=8))
    some = whole.by_any() if measure is gwets_ac1 else whole.by_several()
    if not some.judged:
        return
    met = sorted(set(some.clusters.tolist()))
    draws = []
    for counts in cluster_counts(len(met), 3, 25):
        times = dict(zip(met, counts.tolist(), strict=True))
        rows = [at for at, own in enumerate(some.clusters.tolist()) for _ in range(times[own])]
        value = measure(judged.rearranged(some, rows), draws=1).value
        draws.append(np.nan if value is None else value)
    found = measure(whole, seed=3, draws=25)
    if found.value is None:
        return
    assert found.null_draws == np.count_nonzero(np.isnan(draws))
    if found.low is not None:
        expected = Interval.of(found.value, np.array(draws))
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


@BOOTSTRAPPED
def test_one_picture_shows_no_scatter(measure: Measure) -> None:
    some = Judgements.of([(0, 1), (1, 1), (0, 0)], 2, [4, 4, 4])
    found = measure(some)
    assert found.value is not None
    assert (found.low, found.high) == (None, None)


def test_the_seed_decides(judged: SimpleNamespace) -> None:
    some = judged.of_table([[30, 8], [6, 20]])
    assert cohens_kappa(some, seed=4) == cohens_kappa(some, seed=4)
    assert cohens_kappa(some, seed=4) != cohens_kappa(some, seed=5)


def simulated(random: np.random.Generator, pictures: int, items: int) -> Judgements:
    """Two raters of items of pictures that are yes or no as a whole, and easy or hard."""
    truth = np.repeat(random.random(pictures) < 0.4, items)
    wrong = np.repeat(random.choice([0.05, 0.25], pictures), items)
    flipped = random.random((2, pictures * items)) < wrong
    return Judgements.of((truth ^ flipped).T.astype(int), 2, np.arange(len(truth)) // items)


def truths() -> dict[str, float]:
    """The coefficients of all pictures that there could be."""
    wrong = np.array([0.05, 0.25])
    apart = float((2 * wrong * (1 - wrong)).mean())
    yes = float((0.4 * (1 - wrong) + 0.6 * wrong).mean())
    chance = 2 * yes * (1 - yes)
    both = float((0.4 * (1 - wrong) ** 2 + 0.6 * wrong**2).mean())
    return {
        "cohens_kappa": 1 - apart / chance,
        "krippendorffs_alpha": 1 - apart / chance,
        "gwets_ac1": 1 - apart / (1 - chance),
        "on_yes": both / yes,
        "exact": 1 - apart,
    }


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    """400 samples of 150 pictures with 3 items."""
    random, runs = np.random.default_rng(2), 400
    measures: list[Measure] = [cohens_kappa, krippendorffs_alpha, gwets_ac1, on_yes, exact]
    known, inside = truths(), dict.fromkeys(truths(), 0)
    for _ in range(runs):
        some = simulated(random, 150, 3)
        for measure in measures:
            found = measure(some, draws=400)
            assert found.low is not None
            assert found.high is not None
            inside[measure.__name__] += found.low <= known[measure.__name__] <= found.high
    # 95 %, less a point that the percentile interval loses at 150 clusters; four standard
    # deviations of 400 tosses on either side
    spread = 4 * (0.95 * 0.05 / runs) ** 0.5
    for name, times in inside.items():
        assert 0.94 - spread <= times / runs <= 0.95 + spread, name


def test_a_bootstrap_over_items_would_be_too_sure() -> None:
    some = simulated(np.random.default_rng(3), 40, 25)
    alone = Judgements.of(some.codes, 2)
    over_pictures, over_items = cohens_kappa(some), cohens_kappa(alone)
    assert over_pictures.low is not None
    assert over_pictures.high is not None
    assert over_items.low is not None
    assert over_items.high is not None
    assert over_pictures.high - over_pictures.low > 1.3 * (over_items.high - over_items.low)


def test_intervals_of_sets_hold_the_truth_about_as_often_as_they_say() -> None:
    """300 samples of 150 pictures of 2 items with 4 elements each, each named by 0.5."""
    random, runs = np.random.default_rng(5), 300
    inside = 0
    for _ in range(runs):
        keep = np.repeat(random.choice([0.6, 0.95], 150), 2)[:, None]
        first = random.random((300, 4)) < 0.5
        second = np.where(random.random((300, 4)) < keep, first, ~first)
        sizes = ((first & second).sum(axis=1), first.sum(axis=1), second.sum(axis=1))
        f1 = set_agreement(
            SetPairs.counted(*sizes, clusters=np.arange(300) // 2), draws=400
        ).pooled.f1
        assert f1.low is not None
        assert f1.high is not None
        inside += f1.low <= (0.6 + 0.95) / 2 <= f1.high
    spread = 4 * (0.95 * 0.05 / runs) ** 0.5
    assert 0.94 - spread <= inside / runs <= 0.95 + spread


@pytest.mark.parametrize(
    "measure", [cohens_kappa, lights_kappa, krippendorffs_alpha, gwets_ac1, exact_agreement]
)
def test_less_confidence_gives_a_narrower_interval(
    judged: SimpleNamespace, measure: Measure
) -> None:
    some = judged.of_table([[20, 5], [4, 11]])
    wide, narrow = measure(some), measure(some, confidence=0.5)
    assert wide.value == narrow.value
    bounds = [wide.low, narrow.low, narrow.high, wide.high]
    known = [bound for bound in bounds if bound is not None]
    assert len(known) == 4
    assert known == sorted(set(known))
