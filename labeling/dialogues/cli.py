"""The command build-dialogues."""

import click

from benchwright.commands import entry_point, say, version_option, workspace_option
from benchwright.workspace import Workspace


@click.group()
@version_option
def build_dialogues() -> None:
    """Make dialogues of a catalog, for people to review."""


@build_dialogues.group("candidate-set")
def candidate_set() -> None:
    """Sets of boxes that are still plausible after each turn of a dialogue."""


@candidate_set.command("draft")
@workspace_option
def draft_command(workspace: Workspace) -> None:
    """Make a draft of each turn of the dialogues of the catalog; people mark the boxes.

    Boxes are numbered from top to bottom and from left to right, the same in each turn.
    """
    from benchwright.next_step import workspace_text  # noqa: PLC0415  # imports pyarrow
    from labeling.dialogues.candidate_set.drafts import draft_candidate_sets  # noqa: PLC0415

    made = draft_candidate_sets(workspace)
    say(f"{made.counts['drafts']:,} turns of {made.counts['dialogues']:,} dialogues")
    for reason, count in made.reasons.items():
        say(f"  left out, {reason.replace('_', ' ')}: {count:,}")
    say(f"next: review-labels open --audit candidate-set --auditor NAME{workspace_text(workspace)}")


main = entry_point(build_dialogues)
