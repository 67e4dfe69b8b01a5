"""A run as it is named on the command line: found and read, with the release that was played."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from evaluation.hidden_target.game import Rules
from evaluation.hidden_target.running.material import material_of, only_config
from evaluation.releases.galleries import Gallery, Term, read_galleries, read_terms
from evaluation.releases.release import Release, open_release
from evaluation.scoring.foreign_runs import read_foreign_run
from evaluation.scoring.played import Played
from evaluation.scoring.runs import read_run, release_of
from evaluation.scoring.score_rows import ScoredOn


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedRun:
    """A run and what it was of: the episodes of its config, the vocabulary, the rules.

    ``folder`` is that of the run, null for one made elsewhere, of which the rules are those that a
    run has by default.
    """

    played: Played
    on: ScoredOn
    galleries: Sequence[Gallery]
    terms: tuple[Term, ...]
    rules: Rules
    folder: Path | None


def open_run(
    run: str,
    workspace: Workspace,
    *,
    release: str | None = None,
    config: str | None = None,
    noun: str | None = None,
) -> OpenedRun:
    """Return a run: a folder runs/NAME, NAME alone, or a JSON Lines file.

    ``release`` and ``config`` are null where the run says them, ``noun`` where the release does.
    Raises UsageError where there is no such run, or the release is another than was played.
    """
    path = _found(run, workspace)
    if path.is_dir():
        return _of_folder(path, release, config)
    return _of_file(path, release, config, noun)


def _found(run: str, workspace: Workspace) -> Path:
    for path in (Path(run), workspace.runs / run, workspace.root / run):
        if path.exists():
            return path
    raise UsageError(f"{run}: no run there, and none of that name in {workspace.runs}")


def _of_folder(folder: Path, named: str | None, config: str | None) -> OpenedRun:
    run = read_run(folder)
    about = run.about
    if config not in (None, about.config):
        raise UsageError(f"{folder}: was played on {about.config}, not on {config}")
    release = open_release(named) if named else release_of(run)
    digest = _digest(release, about.config)
    if digest != run.digest:
        raise UsageError(
            f"{folder}: was played on other episodes, labels or words than those of {release.path};"
            " name the release that was played by --release"
        )
    terms = read_terms(release)
    settings = run.played.settings or {}
    return OpenedRun(
        played=run.played,
        on=ScoredOn(
            release=about.release.name,
            commit=about.release.commit,
            digest=digest,
            config=about.config,
        ),
        galleries=read_galleries(release, about.config, terms),
        terms=terms,
        rules=Rules(**settings["rules"]),
        folder=folder,
    )


def _of_file(path: Path, named: str | None, config: str | None, noun: str | None) -> OpenedRun:
    if named is None:
        raise UsageError(f"{path}: a run made elsewhere wants the --release that was played")
    release, rules = open_release(named), Rules()
    material = material_of(
        release,
        config or only_config(release),
        batch_size=rules.batch_size,
        turns=rules.turns,
        noun=noun,
        episodes=None,
        seed=0,
    )
    return OpenedRun(
        played=read_foreign_run(path, material),
        on=ScoredOn(
            release=release.name,
            commit=release.commit,
            digest=_digest(release, material.config),
            config=material.config,
        ),
        galleries=material.galleries,
        terms=material.terms,
        rules=material.rules,
        folder=None,
    )


def _digest(release: Release, config: str) -> str:
    return release.digest(config, "vocabulary", "labels")
