"""The command review-labels."""

import click

from benchwright.commands import entry_point, version_option
from labeling.audits.planning.cli import plan_command


@click.group()
@version_option
def review_labels() -> None:
    """Let people judge labels, dialogues and galleries, and take in what they decide."""


review_labels.add_command(plan_command)
main = entry_point(review_labels)
