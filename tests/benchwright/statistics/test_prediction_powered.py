"""Shares corrected by judged samples: worked cases, and how often the interval holds the truth."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.statistics.intervals import Stratum, stratified_share
from benchwright.statistics.prediction_powered import PredictionPowered, prediction_powered_share

NAN = float("nan")


def found(
    predicted: list[float], judged: list[float], strata: list[int] | None = None
) -> PredictionPowered:
    some = prediction_powered_share(
        predicted, judged, strata or [0] * len(predicted), range(len(predicted))
    )
    assert some is not None
    return some


def test_good_predictions_are_put_right_by_what_they_miss() -> None:
    """Of 400, 100 are predicted; of 80 judged, 20 predicted ones are right and 6 were missed."""
    predicted = [1.0] * 100 + [0.0] * 300
    judged = [1.0] * 20 + [NAN] * 80 + [1.0] * 6 + [0.0] * 54 + [NAN] * 240
    some = found(predicted, judged)
    assert some.predicted == 0.25
    assert some.judged.share == pytest.approx(26 / 80)
    # of the judged as many are predicted as of all, so that λ does not matter here
    assert some.corrected.share == pytest.approx(26 / 80)
    assert some.corrected.width < 0.75 * some.judged.width
    assert 0.7 < some.weight < 1


def test_a_sample_that_happens_to_be_easy_is_set_against_all() -> None:
    """The judged ones are predicted less often than all: the predictions make up for it."""
    predicted = [1.0] * 200 + [0.0] * 200
    judged = [1.0] * 10 + [NAN] * 190 + [0.0] * 30 + [NAN] * 170
    some = found(predicted, judged)
    assert some.judged.share == 0.25
    assert some.corrected.share == pytest.approx(0.25 + some.weight * (0.5 - 0.25))
    assert some.weight > 0.8


def test_predictions_that_say_nothing_are_left_out() -> None:
    predicted, judged = [1.0, 0.0] * 200, [0.0, 1.0] * 20 + [NAN] * 360  # always the contrary
    some = found(predicted, judged)
    assert some.weight == 0
    assert some.corrected == some.judged
    same = found([0.5] * 400, judged)
    assert same.weight == 0
    assert same.corrected.share == pytest.approx(0.5)


def test_where_all_is_judged_predictions_do_not_count() -> None:
    some = found([1.0, 0.0, 1.0, 0.0] * 25, [1.0, 1.0, 1.0, 0.0] * 25)
    assert some.corrected.share == pytest.approx(0.75)
    # what is left is which clusters there are: a simple sample of 100
    assert some.corrected.size == pytest.approx(99, rel=0.03)


def test_one_picture_tells_no_more_than_one_item() -> None:
    some = prediction_powered_share([1.0, 0.0] * 10, [1.0, 0.0] * 10, [0] * 20, [0] * 20)
    assert some is not None
    assert some.corrected.size == pytest.approx(1)


def test_what_is_judged_without_exception_is_not_certain() -> None:
    """Of 20 items without a yes other ones may hold some."""
    some = found([0.0] * 20, [0.0] * 20)
    assert some.corrected.share == 0
    assert 0.1 < some.corrected.high < 0.25


def test_strata_count_by_their_sizes() -> None:
    """Of 900 the rate is 0.5, of 100 it is 1; ten of each are judged."""
    judged = [1.0, 0.0] * 5 + [NAN] * 890 + [1.0] * 10 + [NAN] * 90
    some = found([0.5] * 1_000, judged, [0] * 900 + [1] * 100)
    assert some.judged.share == pytest.approx(0.55)
    classical = stratified_share(
        [Stratum(size=900, audited=10, right=5), Stratum(size=100, audited=10, right=10)]
    )
    assert some.judged.width == pytest.approx(classical.width, rel=0.1)


@pytest.mark.parametrize(
    ("predicted", "judged", "strata"),
    [
        ([], [], []),  # no items
        ([0.5, 1.0], [NAN, NAN], [0, 0]),  # nobody judged anything
        ([0.5, 1.0, 1.0], [1.0, 0.0, NAN], [0, 0, 1]),  # of one stratum nobody did
    ],
)
def test_null(predicted: list[float], judged: list[float], strata: list[int]) -> None:
    assert prediction_powered_share(predicted, judged, strata, strata) is None


@given(
    st.lists(
        st.tuples(
            st.sampled_from([0.0, 0.5, 1.0]),
            st.sampled_from([0.0, 1.0, NAN]),
            st.integers(0, 2),
            st.integers(0, 3),
        ),
        max_size=20,
    )
)
@settings(max_examples=200, deadline=None)
def test_whatever_comes(rows: list[tuple[float, float, int, int]]) -> None:
    columns = [list(column) for column in zip(*rows, strict=True)] or [[], [], [], []]
    some = prediction_powered_share(*columns)
    if some is None:
        judged = {stratum for _, said, stratum, _ in rows if not np.isnan(said)}
        assert judged != {stratum for _, _, stratum, _ in rows} or not rows
        return
    assert 0 <= some.weight <= 1
    for each in (some.judged, some.corrected):
        assert 0 <= each.low <= each.share <= each.high <= 1
    shuffled = [column[::-1] for column in columns]
    again = prediction_powered_share(*shuffled)
    assert again is not None
    assert again.corrected.share == pytest.approx(some.corrected.share)


@dataclass(frozen=True)
class World:
    """Three strata of 120 pictures with seven responses each; two machines that err as often."""

    rates: tuple[float, float, float]
    found: float  # of what is yes
    spared: float  # of what is no
    judged: int  # of each stratum
    alike: float = 0.5  # the smaller, the more the responses of a picture go together

    def draw(self, random: np.random.Generator) -> PredictionPowered:
        y, f, judged = [], [], []
        for rate in self.rates:
            propensity = random.beta(rate * self.alike, (1 - rate) * self.alike, (120, 1))
            said = (random.random((120, 7)) < propensity).ravel()
            machines = random.random((2, 840))
            read = np.where(said, machines < self.found, machines > self.spared).mean(axis=0)
            seen = np.full(840, NAN)
            chosen = random.choice(840, self.judged, replace=False)
            seen[chosen] = said[chosen]
            y.append(said), f.append(read), judged.append(seen)
        stratum, picture = np.repeat(np.arange(3), 840), np.repeat(np.arange(360), 7)
        some = prediction_powered_share(np.concatenate(f), np.concatenate(judged), stratum, picture)
        assert some is not None
        return some


@pytest.mark.parametrize(
    ("world", "narrower"),
    [
        # detectors as good as those of FPCO-Dialog; six of each class as in appendix C, and more
        (World((0.56, 0.41, 0.15), 0.95, 0.97, 6), 0.75),
        (World((0.56, 0.41, 0.15), 0.95, 0.97, 20), 0.65),
        (World((0.56, 0.41, 0.15), 0.95, 0.97, 60), 0.7),
        # one-sided ones: what they miss is bias, which the sample must take out
        (World((0.56, 0.41, 0.15), 0.6, 1.0, 20), 0.85),
        # poor ones, and some that toss a coin
        (World((0.56, 0.41, 0.15), 0.8, 0.9, 20), 0.8),
        (World((0.56, 0.41, 0.15), 0.5, 0.5, 20), 1.01),
        # nearly everything is corrected, nearly nothing is
        (World((0.9, 0.9, 0.9), 0.95, 0.97, 6), 0.95),
        (World((0.02, 0.01, 0.01), 0.9, 0.99, 6), 1.05),
        # half of all judged, so that which pictures there are counts: what machines do not see
        # of how alike the responses of a picture are must not be missing
        (World((0.56, 0.41, 0.15), 0.0, 1.0, 400), 1.01),
        (World((0.56, 0.41, 0.15), 0.6, 1.0, 400), 1.01),
    ],
)
def test_how_often_the_interval_holds_the_truth(world: World, narrower: float) -> None:
    """Of 800 samples; the interval errs to the safe side where little was judged."""
    random = np.random.default_rng(1)
    some = [world.draw(random) for _ in range(800)]
    truth = np.mean(world.rates)
    held = np.mean([each.corrected.low <= truth <= each.corrected.high for each in some])
    assert held >= 0.92
    assert np.mean([each.corrected.share for each in some]) == pytest.approx(truth, abs=0.02)
    widths = np.array([(each.corrected.width, each.judged.width) for each in some])
    assert widths[:, 0].mean() < narrower * widths[:, 1].mean()
    # never much wider than what people alone say
    assert (widths[:, 0] <= 1.25 * widths[:, 1]).all()
