"""The command review-labels."""

import click

from benchwright.commands import entry_point, version_option
from labeling.audits.app.cli import open_command
from labeling.audits.planning.cli import plan_command
from labeling.audits.reporting.cli import report_command
from labeling.audits.sheets.cli import sheet_command
from labeling.audits.syncing.cli import sync_command


@click.group()
@version_option
def review_labels() -> None:
    """Let people judge labels, dialogues and galleries, and take in what they decide."""


for command in (plan_command, open_command, sheet_command, sync_command, report_command):
    review_labels.add_command(command)
main = entry_point(review_labels)
