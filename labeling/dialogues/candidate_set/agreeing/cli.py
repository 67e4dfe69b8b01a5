"""The command build-dialogues candidate-set agreement."""

import click

from benchwright.commands import say, seed_option, workspace_option
from benchwright.workspace import Workspace


@click.command("agreement")
@click.option(
    "--reference", required=True, metavar="NAME", help="The annotator whose marks count as right."
)
@seed_option
@workspace_option
def agreement_command(reference: str, seed: int, workspace: Workspace) -> None:
    """Compare everybody's marks with those of one annotator, as CandVG reports it.

    Accuracy is of turns for which the reference has one box; precision, recall and F1 of those for
    which it has more, by boxes matched one to one at an IoU of .5. The seed is of the intervals.
    """
    from labeling.dialogues.candidate_set.agreeing.agreement_file import (  # noqa: PLC0415
        work_out_agreement,
    )
    from labeling.dialogues.candidate_set.agreeing.report import agreement_lines  # noqa: PLC0415

    found = work_out_agreement(workspace, reference, seed=seed)
    for line in agreement_lines(found, workspace):
        say(line)
