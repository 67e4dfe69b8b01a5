"""How an episode of hidden-target came out (definition 14; AMIGO, section 5)."""

from collections.abc import Collection
from typing import Literal, get_args

Outcome = Literal["verified", "random_guess", "contradicted", "incorrect"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


def outcome_of_guess(guess: int | None, target: int, feasible: Collection[int]) -> Outcome:
    """Return the outcome by the guess and F just before it; no guess is incorrect.

    A right guess is verified where F is the target alone, a random guess where F has more
    pictures and the target among them, contradicted where F is empty or without the target.
    """
    if guess != target:
        return "incorrect"
    if target not in feasible:
        return "contradicted"
    return "verified" if len(feasible) == 1 else "random_guess"
