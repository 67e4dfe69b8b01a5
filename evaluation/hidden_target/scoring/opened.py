"""A hidden-target run with what it was of: the galleries, the vocabulary, the rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright.errors import UsageError
from benchwright.records import Trajectory
from benchwright.workspace import Workspace
from evaluation.hidden_target.game import Rules
from evaluation.hidden_target.running.material import material_of
from evaluation.hidden_target.scoring.foreign_runs import read_foreign_run
from evaluation.hidden_target.scoring.played import Played
from evaluation.releases.galleries import Gallery, Term, read_galleries, read_terms
from evaluation.scoring.opened import ScoredOn
from evaluation.scoring.opened import open_run as open_any_run
from evaluation.scoring.protocol import ForeignRun, KeptRun

_TABLE = "trajectories"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedOf:
    """A run and what it was of: the episodes of its config, the vocabulary, the rules.

    The rules of a run made elsewhere are those that a run has by default.
    """

    played: Played
    galleries: Sequence[Gallery]
    terms: tuple[Term, ...]
    rules: Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedRun(PlayedOf):
    """The same as it was named; ``folder`` is that of the run, null for one made elsewhere."""

    on: ScoredOn
    folder: Path | None


def open_run(
    run: str,
    workspace: Workspace,
    *,
    release: str | None = None,
    config: str | None = None,
    noun: str | None = None,
) -> OpenedRun:
    """Return a run of hidden-target episodes, as ``evaluation.scoring.opened.open_run`` finds it.

    Raises what that raises, and UsageError for a run of another kind.
    """
    opened = open_any_run(run, workspace, release=release, config=config, noun=noun)
    if opened.kind.name != "hidden-target":
        raise UsageError(f"{run}: was played on {opened.on.config}, which is no hidden-target")
    of = kept(opened.run) if isinstance(opened.run, KeptRun) else foreign(opened.run)
    return OpenedRun(
        played=of.played,
        galleries=of.galleries,
        terms=of.terms,
        rules=of.rules,
        on=opened.on,
        folder=opened.folder,
    )


def kept(run: KeptRun) -> PlayedOf:
    """Return a run in a folder."""
    about, plan = run.about, run.manifest.plan
    terms = read_terms(run.release)
    found = run.records(_TABLE, Trajectory)
    played = Played(
        name=about.run,
        player=about.player,
        prompt=about.prompts,
        detector=about.parts.get("detector"),
        oracle=about.parts.get("oracle"),
        verifier=about.parts["verifier"],
        planned=run.planned,
        settings=plan.settings,
        seed=plan.seed,
        trajectories=sorted(found, key=lambda one: one.episode_id),
    )
    return PlayedOf(
        played=played,
        galleries=read_galleries(run.release, about.config, terms),
        terms=terms,
        rules=Rules(**plan.settings["rules"]),
    )


def foreign(run: ForeignRun) -> PlayedOf:
    """Return a run made elsewhere."""
    rules = Rules()
    material = material_of(
        run.release,
        run.config,
        batch_size=rules.batch_size,
        turns=rules.turns,
        noun=run.noun,
        episodes=None,
        seed=0,
    )
    return PlayedOf(
        played=read_foreign_run(run.path, material),
        galleries=material.galleries,
        terms=material.terms,
        rules=material.rules,
    )
