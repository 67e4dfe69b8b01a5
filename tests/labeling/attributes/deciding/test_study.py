"""The ensemble beats the best of three scripted voters, and calibrated weights equal ones.

Beats means overall and where the best voter is blind. Where it sees it is right in 98 to 99.9 %
of the labels alone, and the others' errors may cost a label in a few hundred: less than a
hundredth for any value.
"""

from collections.abc import Mapping

import numpy as np
import pytest

from benchmarks.scripted_voters import (
    AVERAGE,
    BLIND,
    VALUES,
    Shares,
    compare,
    gain,
    simulate,
    skill,
)
from labeling.attributes.deciding.calibration import Known, calibrate
from labeling.attributes.deciding.dawid_skene import fit
from labeling.attributes.deciding.ranking import rank

BLIND_OF_BEST = list(BLIND["best"])


@pytest.fixture(scope="module", params=[1, 2, 3])
def right(request: pytest.FixtureRequest) -> Mapping[str, Shares]:
    return compare(simulate(request.param))


def test_the_voters_are_what_they_are_said_to_be() -> None:
    study = simulate(1)
    for voter, average in AVERAGE.items():
        rows = [at for at, each in enumerate(study.ballots.questions) if each.voter == voter]
        said_yes = study.ballots.answers[rows] == 1
        hits = (said_yes == (study.truth == 1)).mean(axis=0).reshape(-1, VALUES).mean(axis=0)
        assert hits.mean() == pytest.approx(average, abs=0.02)
        assert hits[list(BLIND[voter])] == pytest.approx(0.5, abs=0.03)
        assert skill(voter, np.random.default_rng(0)).mean() == pytest.approx(average)


@pytest.mark.parametrize("method", ["calibrated weights", "log-odds", "Dawid-Skene"])
def test_the_ensemble_beats_the_best_voter(right: Mapping[str, Shares], method: str) -> None:
    low, _ = gain(right[method], right["best"])
    assert low[0] > 0.01  # overall, of at most 0.03 that the best leaves
    by_value = low[1:]
    assert (by_value[BLIND_OF_BEST] > 0.25).all()
    means = (right[method] - right["best"]).mean(axis=0)
    # without the truth, or without regard to how rare a yes is, a little more
    most = 0.01 if method == "calibrated weights" else 0.03
    assert (np.delete(means, BLIND_OF_BEST) > -most).all()


def test_calibrated_weights_beat_equal_ones(right: Mapping[str, Shares]) -> None:
    low, high = gain(right["calibrated weights"], right["equal weights"])
    assert low[0] > 0.01
    assert (low[1:] > 0).sum() >= 10  # surely better
    # where all three are good each may be worth hearing: surely worse for few, and by little
    assert (high[1:] < 0).sum() <= 4
    assert (high[1:] > -0.01).all()


def test_equal_weights_are_no_match_for_the_best_voter_where_it_sees(
    right: Mapping[str, Shares],
) -> None:
    # why weights are fitted at all, and by value
    _, high = gain(right["equal weights"], right["best"])
    assert (np.delete(high[1:], BLIND_OF_BEST) < 0).sum() >= 10


def test_the_calibration_sees_who_is_blind_and_which_template_misleads() -> None:
    study = simulate(2)
    known = Known(truth=study.truth, counts=study.audited, weights=np.ones(len(study.truth)))
    weights = calibrate(study.ballots, known).weights()
    for voter, values in BLIND.items():
        for value in values:
            assert weights[value][voter] < 20
            assert max(weights[value].values()) == 100
    templates = rank(study.ballots, known, "template")
    assert templates[-1].name == "3"
    assert templates[-1].right.high < templates[0].right.low


def test_dawid_skene_comes_to_an_end_where_a_voter_is_blind() -> None:
    # of three voters, with one of them blind, the skills are found slowly
    fitted = fit(simulate(1).ballots)
    assert fitted.has_converged
    found = fitted.skills.sensitivity[list(fitted.skills.voters).index("best")]
    assert found[BLIND_OF_BEST].tolist() == [pytest.approx(0.55, abs=0.1)]
