"""The command build-dialogues false-premise falsify."""

import click

from benchwright.asking.options import Chosen, Paying, chosen_option, paying_options
from benchwright.commands import force_option, progress_bar, say, workspace_option
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.describing.options import retries_option

variants_option = click.option(
    "--variants",
    type=click.IntRange(1, 5),
    default=1,
    show_default=True,
    help="False descriptions of each dialogue, with different words put in.",
)


@click.command("falsify")
@chosen_option("Ask")
@variants_option
@retries_option
@paying_options
@workspace_option
@force_option
def falsify(
    *,
    chosen: Chosen,
    variants: int,
    max_retries: int,
    paying: Paying,
    workspace: Workspace,
    force: bool,
) -> int:
    """Have models make each description false, in the class that was planned.

    What breaks a rule goes back to the model with the reasons. So does what voters found to be
    true of the picture: run it again after check. A run that is stopped goes on, and what was
    answered is not bought again.
    """
    from benchwright.asking.estimates import estimate_lines  # noqa: PLC0415
    from benchwright.asking.jobs import JobSettings  # noqa: PLC0415
    from labeling.dialogues.false_premise.falsifying import falsify as falsifying  # noqa: PLC0415
    from labeling.dialogues.false_premise.falsifying.report import falsify_lines  # noqa: PLC0415

    voters, spending = chosen.voters(), paying.spending()
    settings = JobSettings(max_retries=max_retries, batch=paying.batch)
    if paying.estimate:
        for line in estimate_lines(
            falsifying.estimate_falsifying(workspace, voters, spending, settings, variants=variants)
        ):
            say(line)
        return 0
    manifest, was_there = falsifying.falsify(
        workspace,
        voters,
        spending,
        settings,
        variants=variants,
        force=force,
        progress=progress_bar,
    )
    for line in falsify_lines(manifest, workspace, was_there=was_there):
        say(line)
    return 1 if manifest.counts["failed"] else 0
