"""The command benchwright: what concerns all stages."""

import click

from benchwright.asking.cli import ask
from benchwright.asking.doctor.cli import doctor_command
from benchwright.commands import entry_point, say, version_option, workspace_option
from benchwright.trace.cli import trace_command
from benchwright.workspace import Workspace


@click.group()
@version_option
def benchwright() -> None:
    """Build vision-language benchmarks that people can trust."""


@benchwright.command()
@workspace_option
def status(workspace: Workspace) -> None:
    """Show what a workspace holds, how it was made, and what to run next."""
    from benchwright.next_step import next_step  # noqa: PLC0415  # imports pyarrow
    from benchwright.status import read_status, status_lines  # noqa: PLC0415

    for line in status_lines(workspace, read_status(workspace)):
        say(line)
    say(next_step(workspace))


benchwright.add_command(ask)
benchwright.add_command(doctor_command)
benchwright.add_command(trace_command)
main = entry_point(benchwright)
