"""The command build-dialogues candidate-set map."""

from pathlib import Path

import click

from benchwright.commands import say, workspace_option
from benchwright.workspace import Workspace


@click.command("map")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FILE...",
    type=click.Path(path_type=Path, dir_okay=False),
)
@click.option("--annotator", metavar="NAME", help="Who annotated, where the rows do not say.")
@click.option("--at", metavar="DAY", help="When, where the rows do not say: 2026-03-01, or a time.")
@workspace_option
def map_command(
    files: tuple[Path, ...], annotator: str | None, at: str | None, workspace: Workspace
) -> None:
    """Take in marks that were made elsewhere, as points or boxes in pixels, turn by turn.

    A CSV or JSON Lines file has the columns dialogue_id, turn, annotator, at, and points
    [[x, y], …] or boxes: [[x, y, width, height], …], or numbers of boxes. A dialogue is kept where
    each mark is a box of its own at every turn.
    """
    from labeling.dialogues.candidate_set.mapping.annotations import Given  # noqa: PLC0415
    from labeling.dialogues.candidate_set.mapping.map_points import map_annotations  # noqa: PLC0415
    from labeling.dialogues.candidate_set.mapping.report import mapping_lines  # noqa: PLC0415

    mapped = map_annotations(workspace, files, Given.of(annotator, at))
    for line in mapping_lines(mapped, workspace):
        say(line)
