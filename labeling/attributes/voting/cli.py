"""The commands that ask an ensemble and make labels of its votes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from benchwright.asking.options import Paying, paying_options
from benchwright.commands import force_option, progress_bar, say, seed_option, workspace_option
from benchwright.engines.engine import Engine
from benchwright.engines.options import engine_options
from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from labeling.attributes.labels.methods import METHODS
from labeling.attributes.voting.options import (
    How,
    catalog_option,
    how_options,
    noun_option,
    subjects_option,
    weights_option,
)

# why an option of calibrate would do nothing, and what to do
_OF_VOTES = "judges voters by their votes, and --clip sets cuts before any vote: leave one away"
_OF_CLIP = (
    "says what --clip looks at, and what was voted on says its own: leave it away, or add --clip"
)
_OF_EMBEDDING = "says where --clip has pictures embedded: leave it away, or add --clip"

ensemble_option = click.option(
    "--ensemble",
    "ensemble_path",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="YAML file that names voters, weights, views and templates.",
)
method_options: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--method",
        type=click.Choice(METHODS),
        default="majority",
        show_default=True,
        help="How votes make a label.",
    ),
    click.option("--margin", help="Unsure within so much of a half, 0 to 0.5; else as asked."),
    click.option("--quorum", help="Unsure under this share of the weight, 0 to 1; else as asked."),
    weights_option,
    catalog_option,
)


def _with_method(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(method_options):
        command = option(command)
    return command


def _keeps_catalog(workspace: Workspace, catalog: str | None) -> bool:
    """Return what --catalog says; without it what the labels there go by, which then is said."""
    from labeling.attributes.labels.writing import keeps_catalog  # noqa: PLC0415  # imports pyarrow

    if catalog is not None:
        return catalog == "keep"
    if keeps_catalog(workspace):
        return True
    say("as before, values that were not voted on have no label (--catalog ignore)")
    return False


@click.command("ask")
@ensemble_option
@how_options
@paying_options
@engine_options
@force_option
@workspace_option
def ask_command(
    ensemble_path: Path,
    how: How,
    paying: Paying,
    engine: Engine,
    force: bool,
    workspace: Workspace,
) -> int:
    """Ask an ensemble about every value of every picture, until its label is settled.

    A question is left out when no answer to it could change the label that all votes would give.
    A run that is stopped goes on, and what was answered is not bought again.
    """
    from labeling.attributes.voting.asking import ask_ensemble  # noqa: PLC0415
    from labeling.attributes.voting.ensemble import read_ensemble  # noqa: PLC0415
    from labeling.attributes.voting.estimating import estimate_votes  # noqa: PLC0415
    from labeling.attributes.voting.report import ask_lines  # noqa: PLC0415

    ensemble = read_ensemble(ensemble_path)
    settings = how.settings(paying)
    if paying.estimate:
        for line in estimate_votes(
            workspace, ensemble, settings, paying.spending(), batch=paying.batch
        ):
            say(line)
        return 0
    manifest = ask_ensemble(
        workspace,
        ensemble,
        settings,
        paying.spending(),
        engine=engine,
        force=force,
        progress=progress_bar,
    )
    for line in ask_lines(manifest, workspace):
        say(line)
    return 1 if manifest.counts["failed"] else 0


@click.command("decide")
@_with_method
@force_option
@workspace_option
def decide_command(
    method: str,
    margin: str | None,
    quorum: str | None,
    weights: Path | None,
    catalog: str | None,
    force: bool,
    workspace: Workspace,
) -> None:
    """Make labels of the stored votes, by any method, with no new call.

    Labels that the stored votes do not settle are listed, with what settling them would cost.
    """
    from benchwright.next_step import next_step  # noqa: PLC0415
    from labeling.attributes.labels.decide import DecideSettings, decide  # noqa: PLC0415
    from labeling.attributes.voting.report import decide_lines  # noqa: PLC0415

    keep = _keeps_catalog(workspace, catalog)
    settings = DecideSettings.of(method, margin, quorum, weights, keep_catalog=keep)
    decided, done_before = decide(workspace, settings, force=force)
    for line in decide_lines(decided, workspace, done_before=done_before):
        say(line)
    say(next_step(workspace))


def _refuse_idle_options(*, is_clip: bool) -> None:
    """Raise UsageError where calibrate is given an option that does nothing there."""
    context = click.get_current_context()
    idle = (
        {"widest": _OF_VOTES}
        if is_clip
        else dict.fromkeys(("subjects", "noun", "seed"), _OF_CLIP) | {"engine": _OF_EMBEDDING}
    )
    for name, why in idle.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise UsageError(f"--{name} {why}")


@click.command("calibrate")
@click.option(
    "--known",
    required=True,
    metavar="FILE|catalog|decisions",
    help="Known labels: a CSV or Parquet file (image_id, type, value, answer, and object_id and"
    " probability where they are wanted), what the catalog states, or, without --clip, what"
    " auditors decided.",
)
@click.option(
    "--widest",
    type=click.FloatRange(0.01, 1),
    default=0.2,
    show_default=True,
    help="The widest interval by which a voter is judged; a wider one says: too little known.",
)
@click.option(
    "--clip",
    "ensemble_path",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="ENSEMBLE",
    help="Set the cuts of this ensemble's clip voters instead: before they are asked.",
)
@subjects_option
@noun_option
@seed_option
@engine_options
@workspace_option
def calibrate_command(
    known: str,
    widest: float,
    ensemble_path: Path | None,
    subjects: str,
    noun: str | None,
    seed: int,
    engine: Engine,
    workspace: Workspace,
) -> None:
    """Find out from known labels how good each voter is at each value.

    Writes labels/weights.json, for decide --weights, and labels/reliability.png; with --clip
    labels/clip-NAME.json for each clip voter, and a vocabulary where there is none. --subjects,
    --noun, --seed and --engine go with --clip alone, --widest only without it.
    """
    _refuse_idle_options(is_clip=ensemble_path is not None)
    from labeling.attributes.calibrating.calibrate import calibrate_voters, known_lines  # noqa: PLC0415
    from labeling.attributes.voting.report import (  # noqa: PLC0415
        calibration_lines,
        clip_lines,
    )

    if ensemble_path is not None:
        from labeling.attributes.run import prepare_vocabulary  # noqa: PLC0415
        from labeling.attributes.voting.clip_calibration import (  # noqa: PLC0415
            calibrate_clip_voters,
        )
        from labeling.attributes.voting.ensemble import read_ensemble  # noqa: PLC0415

        ensemble = read_ensemble(ensemble_path)
        prepare_vocabulary(workspace, ensemble, say=say)
        cuts = calibrate_clip_voters(
            workspace,
            ensemble,
            known,
            kind="objects" if subjects == "objects" else "pictures",
            noun=noun,
            seed=seed,
            source=str(ensemble_path),
            engine=engine,
        )
        lines = [line for one in cuts.voters for line in clip_lines(one)]
        for line in [*known_lines(cuts.unmatched), *lines]:
            say(line)
        return

    found = calibrate_voters(workspace, known, widest=widest)
    for line in [*known_lines(found.unmatched, found.known.left_out), *calibration_lines(found)]:
        say(line)


@click.command("run")
@ensemble_option
@how_options
@paying_options
@catalog_option
@engine_options
@force_option
@workspace_option
def run_command(
    ensemble_path: Path,
    how: How,
    paying: Paying,
    catalog: str | None,
    engine: Engine,
    force: bool,
    workspace: Workspace,
) -> int:
    """Label a catalog by an ensemble: vocabulary, templates, votes and labels in one go.

    What is there already is used as it is; a run that is stopped goes on.
    """
    from benchwright.next_step import next_step  # noqa: PLC0415
    from labeling.attributes.run import prepare_vocabulary, run_ensemble  # noqa: PLC0415
    from labeling.attributes.voting.ensemble import read_ensemble  # noqa: PLC0415
    from labeling.attributes.voting.estimating import estimate_votes  # noqa: PLC0415

    ensemble = read_ensemble(ensemble_path)
    settings = how.settings(paying)
    if paying.estimate:
        prepare_vocabulary(workspace, ensemble, say=say)
        for line in estimate_votes(
            workspace, ensemble, settings, paying.spending(), batch=paying.batch
        ):
            say(line)
        return 0
    votes = run_ensemble(
        workspace,
        ensemble,
        settings,
        paying.spending(),
        keep_catalog=_keeps_catalog(workspace, catalog),
        engine=engine,
        force=force,
        say=say,
        progress=progress_bar,
    )
    say(next_step(workspace))
    return 1 if votes.counts["failed"] else 0
