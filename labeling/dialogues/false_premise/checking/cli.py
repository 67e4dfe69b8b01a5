"""The command build-dialogues false-premise check."""

import click

from benchwright.asking.options import Chosen, Paying, chosen_option, paying_options
from benchwright.commands import force_option, progress_bar, say, workspace_option
from benchwright.workspace import Workspace

boxes_option = click.option(
    "--boxes",
    type=click.IntRange(1, 200),
    default=8,
    show_default=True,
    help="Boxes of a picture that are looked at, the target's and then the largest, at most.",
)


@click.command("check")
@chosen_option("Ask")
@boxes_option
@paying_options
@force_option
@workspace_option
def check(chosen: Chosen, boxes: int, paying: Paying, force: bool, workspace: Workspace) -> int:
    """Have voters look for what the descriptions say, and write the drafts that people review.

    The true description must fit the target, the false one nothing at all: neither in the whole
    picture nor in any of its boxes, each framed in the whole picture so that its place can be
    seen. Two thirds of the voters settle a question. What they deny of the true description, or
    affirm of the false one, is no draft; what they do not settle comes first in the audit.
    """
    from benchwright.asking.estimates import estimate_lines  # noqa: PLC0415
    from labeling.dialogues.false_premise.checking.drafting import (  # noqa: PLC0415
        draft_dialogues,
    )
    from labeling.dialogues.false_premise.checking.judged import (  # noqa: PLC0415
        force_line,
        judged_drafts,
        refuse_loss,
        were_seen_by,
    )
    from labeling.dialogues.false_premise.checking.report import (  # noqa: PLC0415
        drafted_lines,
        next_line,
        seen_lines,
    )
    from labeling.dialogues.false_premise.seeing.see import (  # noqa: PLC0415
        SeeingSettings,
        estimate_seeing,
        see,
    )

    voters, spending = chosen.voters(), paying.spending()
    settings = SeeingSettings(most_boxes=boxes, batch=paying.batch)
    if paying.estimate:
        for line in estimate_lines(estimate_seeing(workspace, voters, spending, settings)):
            say(line)
        return 0
    judged = judged_drafts(workspace)
    if force and judged:
        say(force_line(judged))
    elif judged:
        refuse_loss(workspace, [one for one in judged if not were_seen_by(one, voters)])
    seen = see(workspace, voters, spending, settings, force=force, progress=progress_bar)
    for line in seen_lines(seen):
        say(line)
    made = draft_dialogues(workspace, force=force, say=say)
    for line in drafted_lines(made):
        say(line)
    say(next_line(seen, made, workspace))
    return 1 if seen.counts["failed"] else 0
