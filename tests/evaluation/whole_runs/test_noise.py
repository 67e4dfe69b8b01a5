"""Whole runs with noise: what is guessed against the evidence is counted for itself."""

from collections.abc import Callable
from typing import Any

from evaluation.releases.galleries import Gallery

Play = Callable[..., Any]
FIRST_ANSWER_FLIPPED = ("--flips", "1", "--flips-within", "1")


def test_a_target_that_noise_ruled_out_is_guessed_against_the_evidence(
    play: Play, behind: Any, galleries: list[Gallery]
) -> None:
    played = play(behind(), "stubborn", *FIRST_ANSWER_FLIPPED)
    firsts = sum(gallery.target == 1 for gallery in galleries)
    assert firsts == 3
    assert played.score("hit") == 1  # every first question of the policy has a yes or a no
    assert played.score("contradicted") == played.score("overall") == firsts / len(galleries)
    assert played.score("verified") == played.score("random_guess") == 0
    assert played.score("conflict") == 0  # it is the noise, not the verifier


def test_who_believes_the_noise_never_finds_the_target(play: Play, behind: Any) -> None:
    played = play(behind(), "reference", *FIRST_ANSWER_FLIPPED)
    assert played.score("verified") == played.score("random_guess") == 0
    # by chance alone, where nothing is left and it guesses the first
    assert played.score("overall") == played.score("contradicted")
