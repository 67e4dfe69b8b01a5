"""A hidden-target run as it is scored, wherever it was made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.records import Trajectory
from evaluation.scoring.protocol import RefusedRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A run: who played what, and the episodes in the order of their ids.

    ``planned`` is how many episodes were to be played. ``detector`` and ``oracle`` are null where
    nobody says, ``verifier`` is ``labels`` or the name of a voter. ``prompt`` is the sha256 of all
    that the player was told. ``settings`` and ``seed`` are those of the run, null where it was made
    elsewhere. ``refused`` and the episodes that failed are not in the score.
    """

    name: str
    player: str
    prompt: str | None
    detector: str | None
    oracle: str | None
    verifier: str
    planned: int
    trajectories: Sequence[Trajectory]
    settings: Mapping[str, Any] | None = None
    seed: int | None = None
    refused: Sequence[RefusedRow] = ()

    @property
    def finished(self) -> list[Trajectory]:
        """The episodes that were played to their end."""
        return [played for played in self.trajectories if played.end != "failed"]
