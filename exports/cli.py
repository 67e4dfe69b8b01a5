"""The command push-release."""

import click

from benchwright.commands import entry_point, version_option
from exports.building.cli import build_command
from exports.coco.cli import coco_command
from exports.differing.cli import diff_command
from exports.gating.cli import gate_command
from exports.harnesses.cli import task_command
from exports.provenance.cli import erratum_command, takedown_command
from exports.pushing.cli import push_command
from exports.verifying.cli import verify_command


@click.group()
@version_option
def push_release() -> None:
    """Make versioned datasets of a workspace, prove them and publish them."""


for command in (
    build_command,
    gate_command,
    verify_command,
    diff_command,
    push_command,
    takedown_command,
    erratum_command,
    task_command,
    coco_command,
):
    push_release.add_command(command)

main = entry_point(push_release)
