"""How an episode came out (definition 14; AMIGO, section 5)."""

from typing import Literal, get_args

from evaluation.hidden_target.metrics.replaying import Replayed
from evaluation.hidden_target.noise import is_hit

Outcome = Literal["verified", "random_guess", "contradicted", "incorrect"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


def outcome_of(episode: Replayed) -> Outcome:
    """Return the outcome by the guess and F just before it; no guess is incorrect.

    A right guess is verified where F is the target alone, a random guess where F has more
    pictures and the target among them, contradicted where F is empty or without the target.
    """
    if not episode.is_right:
        return "incorrect"
    if episode.gallery.target not in episode.feasible:
        return "contradicted"
    return "verified" if len(episode.feasible) == 1 else "random_guess"


def is_conflict(episode: Replayed) -> bool:
    """Tell whether the target was eliminated although no noise had hit the episode before.

    It is a fault of the verifier or the oracle, not of the player (definition 14).
    """
    for turn in episode.turns:
        if is_hit(turn):
            return False
        if episode.gallery.target not in turn.feasible:
            return True
    return False


def is_ever_hit(episode: Replayed) -> bool:
    """Tell whether noise changed an answer of the episode (definition 15)."""
    return any(map(is_hit, episode.turns))
