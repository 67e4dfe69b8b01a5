"""How an episode came out, by its guess and by what the answers had left (definition 14)."""

import pytest

from benchwright.protocols.hidden_target import OUTCOMES, Outcome, outcome_of_guess

# guess, target, what was left just before the guess, and the outcome
CASES: list[tuple[int | None, int, tuple[int, ...], Outcome]] = [
    (2, 2, (2,), "verified"),
    (2, 2, (1, 2, 3), "random_guess"),
    (2, 2, (), "contradicted"),  # the answers contradict each other
    (2, 2, (1, 3), "contradicted"),  # the answers ruled the target out
    (1, 2, (2,), "incorrect"),  # although the answers told
    (1, 2, (1,), "incorrect"),
    (None, 2, (2,), "incorrect"),  # no guess was made
]


@pytest.mark.parametrize(("guess", "target", "feasible", "outcome"), CASES)
def test_an_outcome_follows_from_the_guess_and_what_was_left(
    guess: int | None, target: int, feasible: tuple[int, ...], outcome: Outcome
) -> None:
    assert outcome_of_guess(guess, target, feasible) == outcome


def test_every_outcome_has_a_case() -> None:
    assert {outcome for *_, outcome in CASES} == set(OUTCOMES)
