"""Definition 15: noise that is drawn before anybody plays."""

from math import sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import UsageError
from benchwright.records import Noise
from evaluation.hidden_target.noise import (
    NoiseSettings,
    flips_at,
    is_hit,
    noise_at,
    noisy_answer,
)
from evaluation.hidden_target.parts import Truth
from stand_ins.small_games import turn

EPISODES = [f"episode-{at}" for at in range(500)]
ORDINALS = range(1, 21)
TRUTHS: tuple[Truth, ...] = ("yes", "no", "unsure")


def drawn(settings: NoiseSettings, seed: int = 0) -> dict[tuple[str, int], Noise | None]:
    return {
        (episode, ordinal): noise_at(settings, seed, episode, ordinal)
        for episode in EPISODES
        for ordinal in ORDINALS
    }


def is_near(count: int, of: int, share: float) -> bool:
    """Tell whether a count is within four standard deviations of a binomial."""
    return abs(count - of * share) <= 4 * sqrt(of * share * (1 - share))


@pytest.mark.parametrize(("flip", "blur"), [(0.1, 0.0), (0.0, 0.1), (0.2, 0.3), (0.5, 0.5)])
def test_shares_come_out_as_they_were_wanted(flip: float, blur: float) -> None:
    found = list(drawn(NoiseSettings(flip=flip, blur=blur)).values())
    assert is_near(found.count("flip"), len(found), flip)
    assert is_near(found.count("blur"), len(found), blur)


def test_no_noise_without_settings_and_all_at_one() -> None:
    assert set(drawn(NoiseSettings()).values()) == {None}
    assert set(drawn(NoiseSettings(flip=1)).values()) == {"flip"}
    assert set(drawn(NoiseSettings(blur=1)).values()) == {"blur"}


def test_a_larger_share_disturbs_what_a_smaller_one_does() -> None:
    little, much = (
        drawn(NoiseSettings(flip=0.1, blur=0.1)),
        drawn(NoiseSettings(flip=0.3, blur=0.2)),
    )
    for key, noise in little.items():
        assert noise in (None, much[key])


def test_noise_hangs_on_no_order() -> None:
    settings = NoiseSettings(flip=0.2, blur=0.2, flips=1)
    found = drawn(settings)
    keys = list(found)
    Random(0).shuffle(keys)
    assert {key: noise_at(settings, 0, *key) for key in keys} == found


def test_seeds_and_episodes_have_noise_of_their_own() -> None:
    settings = NoiseSettings(flip=0.5)
    one, other = drawn(settings), drawn(settings, seed=1)
    assert is_near(sum(one[key] == other[key] for key in one), len(one), 0.5)
    first = [one[EPISODES[0], ordinal] for ordinal in ORDINALS]
    assert first != [one[EPISODES[1], ordinal] for ordinal in ORDINALS]


@pytest.mark.parametrize(("flips", "within"), [(1, 5), (2, 5), (3, 3), (1, 1)])
def test_so_many_flips_in_every_episode(flips: int, within: int) -> None:
    found = drawn(NoiseSettings(flips=flips, within=within))
    hit = dict.fromkeys(ORDINALS, 0)
    for episode in EPISODES:
        flipped = [ordinal for ordinal in ORDINALS if found[episode, ordinal] is not None]
        assert len(flipped) == flips
        for ordinal in flipped:
            assert found[episode, ordinal] == "flip"
            hit[ordinal] += 1
    for ordinal, times in hit.items():  # each of the first answers as often as the next
        share = flips / within if ordinal <= within else 0.0
        assert is_near(times, len(EPISODES), share)


@given(st.integers(0, 3), st.integers(1, 6), st.integers(0, 9))
def test_which_answers_are_flipped_is_known_before(flips: int, more: int, seed: int) -> None:
    settings = NoiseSettings(flips=flips, within=flips + more)
    for episode in EPISODES[:20]:
        found = {at for at in ORDINALS if noise_at(settings, seed, episode, at) == "flip"}
        assert flips_at(settings, seed, episode) == found


@pytest.mark.parametrize(
    ("settings", "marks"),
    [
        (NoiseSettings(), ()),
        (NoiseSettings(within=5), ()),  # of nothing
        (NoiseSettings(flip=0.1, blur=0.25), ("flip-0.1", "blur-0.25")),
        (NoiseSettings(flips=1), ("flips-1",)),
        (NoiseSettings(flips=1, within=5), ("flips-1", "within-5")),
    ],
)
def test_noise_in_the_name_of_a_run(settings: NoiseSettings, marks: tuple[str, ...]) -> None:
    assert settings.marks() == marks
    assert settings.is_none == (marks == ())
    assert (settings.settings() == NoiseSettings().settings()) == settings.is_none


@pytest.mark.parametrize(
    ("truth", "noise", "told"),
    [
        ("yes", None, "yes"),
        ("unsure", None, "unsure"),
        ("yes", "flip", "no"),
        ("no", "flip", "yes"),
        ("unsure", "flip", "unsure"),  # there is nothing to flip
        ("yes", "blur", "unsure"),
        ("no", "blur", "unsure"),
    ],
)
def test_what_is_told(truth: Truth, noise: Noise | None, told: Truth) -> None:
    for ordinal in ORDINALS:
        assert noisy_answer(truth, noise, 0, "e", ordinal) == told


def test_a_blur_makes_yes_or_no_of_unsure_each_as_often() -> None:
    told = [noisy_answer("unsure", "blur", 0, episode, 3) for episode in EPISODES]
    assert set(told) == {"yes", "no"}
    assert is_near(told.count("yes"), len(told), 0.5)
    assert told == [noisy_answer("unsure", "blur", 0, episode, 3) for episode in EPISODES]


@given(st.sampled_from(TRUTHS), st.sampled_from([None, "flip", "blur"]), st.integers(1, 20))
def test_only_a_flipped_unsure_goes_unhurt(truth: Truth, noise: Any, ordinal: int) -> None:
    told = noisy_answer(truth, noise, 7, "e", ordinal)
    assert (told != truth) == (noise is not None and (truth, noise) != ("unsure", "flip"))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"flip": -0.1}, "flip and blur want shares from 0 to 1, together at most 1; got -0.1 and"),
        ({"blur": 1.5}, "got 0 and 1.5"),
        ({"flip": 0.6, "blur": 0.6}, "got 0.6 and 0.6"),
        ({"flip": float("nan")}, "got nan and 0"),
        ({"flips": -1}, "wanted from 0 to 3 flips"),
        ({"flips": 4}, "as many answers as they are drawn from; got 4"),
        ({"flips": 1, "within": 0}, "wanted from 0 to 0 flips"),
    ],
)
def test_settings_that_cannot_be_drawn(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        NoiseSettings(**fields)


def test_episodes_that_were_hit() -> None:
    right = turn("yes", truth="yes")
    skipped = turn("skip", truth=None)
    unhurt = turn("unsure", truth="unsure", noise="flip")
    hit = turn("no", truth="yes", noise="flip")
    assert [is_hit(each) for each in (right, skipped, unhurt, hit)] == [False, False, False, True]
