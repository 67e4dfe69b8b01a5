"""The command label-attributes."""

from pathlib import Path

import click

from benchwright.commands import entry_point, force_option, say, version_option, workspace_option
from benchwright.workspace import Workspace
from labeling.attributes.gathering.cli import vocabulary
from labeling.attributes.measuring.cli import measure_command
from labeling.attributes.templates.cli import templates_command
from labeling.attributes.voting.cli import (
    ask_command,
    calibrate_command,
    decide_command,
    run_command,
)


@click.group()
@version_option
def label_attributes() -> None:
    """Attach attribute labels to the pictures of a catalog."""


@label_attributes.command("normalise")
@workspace_option
@click.option(
    "--vocabulary",
    "vocabulary_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Take this file as labels/vocabulary.yaml.",
)
@click.option(
    "--accept",
    metavar="all|VALUE,VALUE",
    help="Take suggestions into vocabulary.yaml: all, or the values to merge.",
)
@force_option
def normalise_command(
    workspace: Workspace, vocabulary_file: Path | None, accept: str | None, force: bool
) -> None:
    """Make labels of what the catalog states, by rule.

    Spellings that differ by case, hyphens or blanks are merged; aliases of vocabulary.yaml too.
    What else looks like a misspelling is suggested and waits for --accept or for your edit.
    """
    from benchwright.next_step import next_step  # noqa: PLC0415
    from labeling.attributes.labels.normalise import normalise  # noqa: PLC0415  # imports pyarrow
    from labeling.attributes.labels.report import normalisation_lines  # noqa: PLC0415

    result = normalise(workspace, vocabulary_file=vocabulary_file, accepted=accept, force=force)
    for line in normalisation_lines(result, workspace):
        say(line)
    say(next_step(workspace))


label_attributes.add_command(vocabulary)
label_attributes.add_command(templates_command)
label_attributes.add_command(ask_command)
label_attributes.add_command(decide_command)
label_attributes.add_command(calibrate_command)
label_attributes.add_command(run_command)
label_attributes.add_command(measure_command)
main = entry_point(label_attributes)
