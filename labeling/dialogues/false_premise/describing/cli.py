"""The command build-dialogues false-premise describe."""

import click

from benchwright.asking.options import Chosen, Paying, chosen_option, paying_options
from benchwright.commands import force_option, progress_bar, say, workspace_option
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.describing.options import retries_option


@click.command("describe")
@chosen_option("Ask")
@retries_option
@paying_options
@workspace_option
@force_option
def describe(
    *,
    chosen: Chosen,
    max_retries: int,
    paying: Paying,
    workspace: Workspace,
    force: bool,
) -> int:
    """Have models describe each target, with questions that hold the description.

    A model sees the picture with the target framed and is not told what is to be false. Several
    voters take turns. What breaks a rule goes back to the model with the reasons; a run that is
    stopped goes on, and what was answered is not bought again.
    """
    from benchwright.asking.estimates import estimate_lines  # noqa: PLC0415
    from benchwright.asking.jobs import JobSettings  # noqa: PLC0415
    from labeling.dialogues.false_premise.describing import describe as describing  # noqa: PLC0415
    from labeling.dialogues.false_premise.describing.report import describe_lines  # noqa: PLC0415

    voters, spending = chosen.voters(), paying.spending()
    settings = JobSettings(max_retries=max_retries, batch=paying.batch)
    if paying.estimate:
        for line in estimate_lines(
            describing.estimate_describing(workspace, voters, spending, settings)
        ):
            say(line)
        return 0
    manifest, was_there = describing.describe(
        workspace, voters, spending, settings, force=force, progress=progress_bar
    )
    for line in describe_lines(manifest, workspace, was_there=was_there):
        say(line)
    return 1 if manifest.counts["failed"] else 0
