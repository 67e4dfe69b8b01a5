"""The options that say what is judged, the same for the App and for sheets."""

from collections.abc import Callable
from typing import Any

import click

from benchwright.commands import NumberRange
from labeling.audits.tasks.names import AUDITS, DISAGREEMENTS

_OPTIONS = (
    click.option(
        "--audit",
        type=click.Choice([*AUDITS, DISAGREEMENTS]),
        required=True,
        help="What is judged; disagreements: what two auditors differ on.",
    ),
    click.option("--blind", is_flag=True, help="Keep back what the machine holds."),
    click.option(
        "--overlap",
        type=NumberRange(0, 1),
        default=0.2,
        show_default=True,
        help="The share that two auditors see; for attributes the plan's own counts.",
    ),
    click.option(
        "--run",
        help="The run of an evaluated model, for --audit responses and for disagreements on them:"
        " its folder, or its name in the workspace.",
    ),
    click.option(
        "--limit",
        type=click.IntRange(1),
        help="The first so many only: tasks, whole dialogues, or responses of each model and"
        " class.",
    ),
)


def task_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --audit, --blind, --overlap, --run and --limit."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
