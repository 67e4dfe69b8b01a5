"""The command label-attributes measure."""

from pathlib import Path

import click

from benchwright.commands import say, workspace_option
from benchwright.workspace import Workspace


@click.command("measure")
@click.option(
    "--known",
    required=True,
    metavar="FILE|catalog|decisions",
    help="Known labels: a CSV or Parquet file as for calibrate, what the catalog states, or what"
    " auditors decided.",
)
@click.option(
    "--beside",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="WORKSPACE",
    help="Another workspace with the same values, measured in a second column.",
)
@workspace_option
def measure_command(known: str, beside: Path | None, workspace: Workspace) -> None:
    """Measure labels by vote against labels that are known, value by value.

    Prints balanced accuracy with intervals, what the ensemble gains over a single question, and
    the values that cannot be seen. Writes labels/measured.json and the page labels/measured.html.
    Known labels that the voters were calibrated by flatter them: measure by others.
    """
    from labeling.attributes.measuring.measurement import measure_labels  # noqa: PLC0415
    from labeling.attributes.measuring.report import measured_lines  # noqa: PLC0415

    found = measure_labels(workspace, known, None if beside is None else Workspace(beside))
    for line in measured_lines(found.runs, found.names):
        say(line)
    say(f"figures: {found.figures}")
    say(f"page: {found.page}")
