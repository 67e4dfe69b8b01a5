"""The command build-dialogues candidate-set propose."""

import click

from benchwright.asking.options import (
    Chosen,
    Paying,
    chosen_option,
    paying_options,
    retries_option,
)
from benchwright.commands import force_option, progress_bar, say, workspace_option
from benchwright.workspace import Workspace


@click.command("propose")
@chosen_option("Ask")
@retries_option()
@paying_options
@force_option
@workspace_option
def propose_command(
    chosen: Chosen, max_retries: int, paying: Paying, force: bool, workspace: Workspace
) -> int:
    """Have models propose the boxes of each turn, for people to look at before they mark.

    A model sees the picture with the numbered boxes and the dialogue up to the turn. Several
    voters share the dialogues. Proposals are never counted as anybody's marks.
    """
    from benchwright.asking.estimates import estimate_lines  # noqa: PLC0415
    from benchwright.asking.jobs import JobSettings  # noqa: PLC0415
    from labeling.dialogues.candidate_set.proposing.propose import (  # noqa: PLC0415
        estimate_proposals,
        propose,
    )
    from labeling.dialogues.candidate_set.proposing.report import proposal_lines  # noqa: PLC0415

    voters, spending = chosen.voters(), paying.spending()
    settings = JobSettings(max_retries=max_retries, batch=paying.batch)
    if paying.estimate:
        for line in estimate_lines(estimate_proposals(workspace, voters, spending, settings)):
            say(line)
        return 0
    manifest, was_there = propose(
        workspace, voters, spending, settings, force=force, progress=progress_bar
    )
    for line in proposal_lines(manifest, workspace, was_there=was_there):
        say(line)
    return 0 if manifest.counts["proposed"] and not manifest.counts["failed"] else 1
