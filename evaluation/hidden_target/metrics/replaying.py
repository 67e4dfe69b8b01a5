"""An episode gone over again with the labels of the release: its constraints, its feasible sets."""

from dataclasses import dataclass, replace

from benchwright.records import Trajectory, Turn
from evaluation.hidden_target.by_labels import fits_by_labels
from evaluation.hidden_target.feasible import feasible_after, is_answered
from evaluation.releases.galleries import Gallery


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """An episode with what follows from its release in the place of what was recorded.

    ``differing`` counts the turns whose recorded feasible set was another one.
    """

    gallery: Gallery
    trajectory: Trajectory
    differing: int

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns that were played."""
        return self.trajectory.turns

    @property
    def feasible(self) -> tuple[int, ...]:
        """F just before the guess."""
        return self.turns[-1].feasible if self.turns else tuple(range(1, len(self.gallery) + 1))

    @property
    def is_right(self) -> bool:
        """Whether the guess is the target."""
        return self.trajectory.guess == self.gallery.target


def replayed(gallery: Gallery, trajectory: Trajectory, *, is_by_labels: bool) -> Replayed:
    """Work out the constraints and feasible sets of an episode anew (definitions 7 and 15).

    With ``is_by_labels`` the constraints come from what a question was mapped to, else from the
    ``fits`` that a model gave as verifier: a letter for each picture of an answered turn.
    """
    turns: list[Turn] = []
    for turn in trajectory.turns:
        fits = turn.fits if is_answered(turn) else ""
        if is_by_labels and is_answered(turn):
            fits = fits_by_labels(gallery, turn.asked)
        turns.append(replace(turn, fits=fits))
        feasible = feasible_after(len(gallery), turns)
        turns[-1] = replace(turns[-1], feasible=feasible)
    pairs = zip(trajectory.turns, turns, strict=True)
    differing = sum(recorded.feasible != found.feasible for recorded, found in pairs)
    return Replayed(
        gallery=gallery, trajectory=replace(trajectory, turns=tuple(turns)), differing=differing
    )
