"""The command label-attributes vocabulary."""

from pathlib import Path

import click

from benchwright.asking.options import Paying, paying_options
from benchwright.commands import force_option, say, seed_option, workspace_option
from benchwright.errors import UsageError
from benchwright.workspace import Workspace


@click.command("vocabulary")
@workspace_option
@click.option(
    "--voters",
    "voters_path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="YAML file that names the models to ask; without it text distance alone suggests.",
)
@click.option(
    "--alternatives",
    type=click.IntRange(0, 100),
    default=5,
    show_default=True,
    help="Values that a model may add to a type, and that are taken.",
)
@click.option(
    "--accept",
    metavar="all|NAME,NAME",
    help="Take suggestions into vocabulary.yaml: all, or the named ones. Nothing is asked.",
)
@paying_options
@seed_option
@force_option
def vocabulary(
    workspace: Workspace,
    voters_path: Path | None,
    alternatives: int,
    accept: str | None,
    paying: Paying,
    seed: int,
    force: bool,
) -> None:
    """Gather the vocabulary of a catalog, by rule and by what several models agree on.

    What two models agree on is taken into vocabulary.yaml: merges, values that cannot be seen,
    values to add, names and flags of types. All else is listed, and waits for --accept or for
    your edit.
    """
    from benchwright.asking.estimates import estimate_lines  # noqa: PLC0415
    from benchwright.asking.voters import read_voters  # noqa: PLC0415
    from benchwright.next_step import next_step  # noqa: PLC0415
    from labeling.attributes.gathering import gather  # noqa: PLC0415
    from labeling.attributes.gathering.report import gathering_lines  # noqa: PLC0415

    _check(voters_path, accept, paying)
    if accept is not None:
        result = gather.accept_proposals(workspace, accept)
    else:
        voters = read_voters(voters_path) if voters_path else ()
        if paying.estimate:
            for line in estimate_lines(
                gather.vocabulary_estimates(
                    workspace,
                    voters,
                    spending=paying.spending(),
                    alternatives=alternatives,
                    seed=seed,
                )
            ):
                say(line)
            return
        result = gather.gather_vocabulary(
            workspace,
            voters,
            spending=paying.spending(),
            alternatives=alternatives,
            seed=seed,
            force=force,
        )
    for line in gathering_lines(result, workspace):
        say(line)
    say(next_step(workspace))


def _check(voters_path: Path | None, accept: str | None, paying: Paying) -> None:
    """Raise UsageError for options that do not go together."""
    if accept is not None and voters_path is not None:
        raise UsageError("--accept takes what was suggested before; leave --voters away")
    if paying.estimate and voters_path is None:
        raise UsageError("--estimate wants models to ask: name them with --voters FILE")
    if paying.batch:
        raise UsageError("--batch: a vocabulary takes few calls, in two rounds; leave it away")
