"""``build-catalog grid``: pictures of a catalog are counted."""

from pathlib import Path

import click

from benchwright.commands import say, workspace_option
from benchwright.workspace import Workspace


@click.command()
@click.option(
    "--rules",
    type=click.Path(path_type=Path),
    help="YAML file with thresholds and categories that win over the built-in ones.",
)
@workspace_option
def grid(*, rules: Path | None, workspace: Workspace) -> None:
    """Count the pictures for each category and visual complexity of the false-premise grid.

    The categories are person, vehicle, animal and food; the complexity is read off the boxes of
    the category. A picture can fill a cell in each category.
    """
    from builders.catalog import iterate_items  # noqa: PLC0415
    from builders.complexity import GridRules, count_grid, grid_lines, load_rules  # noqa: PLC0415

    chosen = GridRules() if rules is None else load_rules(rules)
    for line in grid_lines(count_grid(iterate_items(workspace), chosen)):
        say(line)
