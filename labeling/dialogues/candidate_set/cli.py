"""The commands build-dialogues candidate-set."""

from collections.abc import Callable
from typing import Any

import click

from benchwright.commands import (
    NumberRange,
    force_option,
    say,
    seed_option,
    workspace_option,
)
from benchwright.workspace import Workspace
from labeling.dialogues.candidate_set.agreeing.cli import agreement_command
from labeling.dialogues.candidate_set.mapping.cli import map_command
from labeling.dialogues.candidate_set.proposing.cli import propose_command


@click.group("candidate-set")
def candidate_set() -> None:
    """Sets of boxes that are still plausible after each turn of a dialogue."""


_filter_options: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--most-boxes",
        type=click.IntRange(2),
        default=15,
        show_default=True,
        help="Leave out pictures with more boxes.",
    ),
    click.option(
        "--fewest-of-category",
        type=click.IntRange(2),
        default=2,
        show_default=True,
        help="Leave out where fewer boxes are of the target's category.",
    ),
    click.option(
        "--size-ratio",
        type=NumberRange(1, 1_000_000),
        default=100,
        show_default=True,
        help="Leave out where the largest of these has more than so many times the area of the"
        " smallest.",
    ),
)
_dialogues_option = click.option(
    "--dialogues",
    type=click.IntRange(1),
    default=1620,
    show_default=True,
    help="How many to draw.",
)


def _with_filter(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_filter_options):
        command = option(command)
    return command


@candidate_set.command("filter")
@_with_filter
@force_option
@workspace_option
def filter_command(force: bool, workspace: Workspace, **thresholds: Any) -> None:
    """Rule out dialogues of which no candidate set could be made, each with its reason.

    Left out is what has no picture, line or target, no ambiguity, too many boxes, or boxes of very
    different sizes. Where the target has no category, boxes of any category count.
    """
    from labeling.dialogues.candidate_set.choosing.filtering import filter_dialogues  # noqa: PLC0415
    from labeling.dialogues.candidate_set.choosing.rules import FilterSettings  # noqa: PLC0415
    from labeling.dialogues.candidate_set.report import after_filter, filter_lines  # noqa: PLC0415

    found = filter_dialogues(workspace, FilterSettings(**thresholds), force=force)
    for line in filter_lines(found):
        say(line)
    say(after_filter(found, workspace))


@candidate_set.command("sample")
@_dialogues_option
@seed_option
@force_option
@workspace_option
def sample_command(dialogues: int, seed: int, force: bool, workspace: Workspace) -> None:
    """Draw dialogues of those that the filter kept, balanced by how many boxes may be meant.

    A larger sample of the same seed holds the smaller one.
    """
    from benchwright.next_step import workspace_text  # noqa: PLC0415  # imports pyarrow
    from labeling.dialogues.candidate_set.choosing.sampling import sample_dialogues  # noqa: PLC0415
    from labeling.dialogues.candidate_set.marked import refuse_loss  # noqa: PLC0415
    from labeling.dialogues.candidate_set.report import sample_lines  # noqa: PLC0415

    refuse_loss(workspace, None, dialogues, seed=seed)
    for line in sample_lines(sample_dialogues(workspace, dialogues, seed=seed, force=force)):
        say(line)
    say(f"next: build-dialogues candidate-set draft{workspace_text(workspace)}")


@candidate_set.command("draft")
@workspace_option
def draft_command(workspace: Workspace) -> None:
    """Make a draft of each turn of the chosen dialogues; people mark the boxes.

    Chosen are those that were sampled, else those that the filter kept, else all of the catalog.
    Boxes are numbered from top to bottom and from left to right, the same in each turn.
    """
    from benchwright.next_step import judging_text, workspace_text  # noqa: PLC0415  # imports pyarrow
    from labeling.dialogues.candidate_set.drafts import draft_candidate_sets  # noqa: PLC0415
    from labeling.dialogues.candidate_set.report import draft_lines  # noqa: PLC0415

    for line in draft_lines(draft_candidate_sets(workspace)):
        say(line)
    say(f"next: {judging_text('candidate-set', workspace)}{workspace_text(workspace)}")


@candidate_set.command("run")
@_with_filter
@_dialogues_option
@seed_option
@workspace_option
def run_command(dialogues: int, seed: int, workspace: Workspace, **thresholds: Any) -> None:
    """Filter, sample and draft in one go, up to the step that people do.

    What is there already is used as it is; a run that is stopped goes on.
    """
    from benchwright.next_step import judging_text, workspace_text  # noqa: PLC0415  # imports pyarrow
    from labeling.dialogues.candidate_set.choosing.rules import FilterSettings  # noqa: PLC0415
    from labeling.dialogues.candidate_set.running import run_candidate_sets  # noqa: PLC0415

    run_candidate_sets(workspace, FilterSettings(**thresholds), dialogues, seed=seed, say=say)
    say(f"next: {judging_text('candidate-set', workspace)}{workspace_text(workspace)}")


@candidate_set.command("funnel")
@click.option(
    "--turns",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Mean sizes are over the dialogues that have so many turns.",
)
@workspace_option
def funnel_command(turns: int, workspace: Workspace) -> None:
    """Say how many dialogues each step left, and how large the sets of those that stand are.

    It is stored in dialogues/candidate-set/funnel.json. What people decided counts once
    review-labels sync has taken it in.
    """
    from labeling.dialogues.candidate_set.funnel import count_funnel  # noqa: PLC0415
    from labeling.dialogues.candidate_set.report import funnel_lines, next_line  # noqa: PLC0415

    funnel = count_funnel(workspace, turns=turns)
    for line in funnel_lines(funnel):
        say(line)
    say(next_line(funnel, workspace))


for command in (propose_command, map_command, agreement_command):
    candidate_set.add_command(command)
