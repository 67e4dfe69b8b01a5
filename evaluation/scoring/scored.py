"""Scoring a run as it is named on the command line: finds it, its release, and the score."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from evaluation.hidden_target.metrics.score import Score, score_of
from evaluation.scoring.opened import open_run
from evaluation.scoring.played import Played, check_whole
from evaluation.scoring.score_rows import ScoredOn, score_files, score_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """How a run is to be scored.

    ``release`` and ``config`` are null where the run says them, ``noun`` where the release does.
    """

    release: str | None
    config: str | None
    noun: str | None
    seed: int
    is_partial: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A run with its score; ``folder`` is that of the run, null for one made elsewhere."""

    played: Played
    on: ScoredOn
    score: Score
    folder: Path | None

    @property
    def title(self) -> str:
        """Who played what."""
        return f"{self.played.player} on {self.on.release}, {self.on.config} ({self.played.name})"

    def files(self) -> Mapping[str, bytes]:
        """Return the files of the score by their names."""
        return score_files(score_rows(self.played, self.on, self.score.figures), self._facts())

    def _facts(self) -> dict[str, Any]:
        played = self.played
        finished, failed = len(played.finished), len(played.trajectories) - len(played.finished)
        return {
            "episodes": {
                "planned": played.planned,
                "scored": finished,
                "failed": failed,
                "missing": played.planned - finished - failed,
            },
            "coverage": played.coverage,
            "conflicts": self.score.conflicts,
            "differing": self.score.differing,
            "settings": played.settings,
            "seed": played.seed,
            "refused_rows": [asdict(row) for row in played.refused],
        }


def scored(run: str, wanted: Wanted, workspace: Workspace) -> Scored:
    """Return the score of a run: a folder runs/NAME, NAME alone, or a JSON Lines file.

    Raises UsageError as ``open_run`` does, and where the run is not whole and a partial score is
    not wanted.
    """
    opened = open_run(
        run, workspace, release=wanted.release, config=wanted.config, noun=wanted.noun
    )
    played = opened.played
    if not wanted.is_partial:
        check_whole(played)
    if not played.finished:
        raise UsageError(f"{played.name}: no episode was played to its end; nothing to score")
    score = score_of(played, opened.galleries, wanted.seed)
    return Scored(played=played, on=opened.on, score=score, folder=opened.folder)


def check_same(first: Scored, second: Scored) -> None:
    """Raise UsageError where two runs were not of the same rows of a release."""
    if first.on.digest != second.on.digest or first.on.config != second.on.config:
        raise UsageError(
            f"{first.title} and {second.title}: were not played on the same episodes and labels;"
            " runs are compared on one config of one release"
        )
