"""Scoring a run as it is named on the command line: finds it, its release, and the score."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from evaluation.hidden_target.game import Rules
from evaluation.hidden_target.metrics.score import Score, score_of
from evaluation.hidden_target.running.material import material_of, only_config
from evaluation.releases.galleries import Gallery, read_galleries, read_terms
from evaluation.releases.release import open_release
from evaluation.scoring.foreign_runs import read_foreign_run
from evaluation.scoring.played import Played, check_whole
from evaluation.scoring.runs import read_run, release_of
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

    Raises UsageError where there is no such run, where it is not whole and a partial score is not
    wanted, or where the release is another one than was played.
    """
    path = _found(run, workspace)
    return _of_folder(path, wanted) if path.is_dir() else _of_file(path, wanted)


def check_same(first: Scored, second: Scored) -> None:
    """Raise UsageError where two runs were not of the same rows of a release."""
    if first.on.digest != second.on.digest or first.on.config != second.on.config:
        raise UsageError(
            f"{first.title} and {second.title}: were not played on the same episodes and labels;"
            " runs are compared on one config of one release"
        )


def _found(run: str, workspace: Workspace) -> Path:
    for path in (Path(run), workspace.runs / run, workspace.root / run):
        if path.exists():
            return path
    raise UsageError(f"{run}: no run there, and none of that name in {workspace.runs}")


def _of_folder(folder: Path, wanted: Wanted) -> Scored:
    run = read_run(folder)
    about = run.about
    if wanted.config not in (None, about.config):
        raise UsageError(f"{folder}: was played on {about.config}, not on {wanted.config}")
    release = open_release(wanted.release) if wanted.release else release_of(run)
    on = ScoredOn(
        release=about.release.name,
        commit=about.release.commit,
        digest=release.digest(about.config, "vocabulary", "labels"),
        config=about.config,
    )
    if on.digest != run.digest:
        raise UsageError(
            f"{folder}: was played on other episodes, labels or words than those of {release.path};"
            " name the release that was played by --release"
        )
    galleries = read_galleries(release, about.config, read_terms(release))
    return _scored(run.played, galleries, on, wanted, folder)


def _of_file(path: Path, wanted: Wanted) -> Scored:
    if wanted.release is None:
        raise UsageError(f"{path}: a run made elsewhere wants the --release that was played")
    release = open_release(wanted.release)
    config = wanted.config or only_config(release)
    rules = Rules()
    material = material_of(
        release,
        config,
        batch_size=rules.batch_size,
        turns=rules.turns,
        noun=wanted.noun,
        episodes=None,
        seed=wanted.seed,
    )
    on = ScoredOn(
        release=release.name,
        commit=release.commit,
        digest=release.digest(config, "vocabulary", "labels"),
        config=config,
    )
    return _scored(read_foreign_run(path, material), material.galleries, on, wanted, None)


def _scored(
    played: Played,
    galleries: Sequence[Gallery],
    on: ScoredOn,
    wanted: Wanted,
    folder: Path | None,
) -> Scored:
    if not wanted.is_partial:
        check_whole(played)
    if not played.finished:
        raise UsageError(f"{played.name}: no episode was played to its end; nothing to score")
    score = score_of(played, galleries, wanted.seed)
    return Scored(played=played, on=on, score=score, folder=folder)
