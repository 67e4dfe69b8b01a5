"""The command build-dialogues false-premise funnel."""

import click

from benchwright.commands import say, workspace_option
from benchwright.workspace import Workspace


@click.command("funnel")
@workspace_option
def funnel(workspace: Workspace) -> None:
    """Say how many dialogues each step left, in each cell of the grid, and why others were lost.

    It is stored in dialogues/false-premise/funnel.json. What people decided counts once
    review-labels sync has taken it in. A step that was not done shows as -.
    """
    from labeling.dialogues.false_premise.funnel.counting import count_funnel  # noqa: PLC0415
    from labeling.dialogues.false_premise.funnel.report import (  # noqa: PLC0415
        funnel_lines,
        next_line,
    )

    found = count_funnel(workspace)
    for line in funnel_lines(found):
        say(line)
    say(next_line(found, workspace))
