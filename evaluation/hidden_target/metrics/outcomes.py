"""How an episode came out (definition 14; AMIGO, section 5)."""

from benchwright.protocols.hidden_target import Outcome, outcome_of_guess
from evaluation.hidden_target.metrics.replaying import Replayed
from evaluation.hidden_target.noise import is_hit


def outcome_of(episode: Replayed) -> Outcome:
    """Return the outcome by the guess and F just before it; no guess is incorrect."""
    return outcome_of_guess(episode.trajectory.guess, episode.gallery.target, episode.feasible)


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
