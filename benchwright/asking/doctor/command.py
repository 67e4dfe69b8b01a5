"""The command benchwright doctor."""

from pathlib import Path

import click

from benchwright.asking.options import voters_option
from benchwright.commands import workspace_option
from benchwright.workspace import Workspace


@click.command("doctor")
@workspace_option
@voters_option
@click.option("--only", multiple=True, metavar="NAME", help="Probe this voter alone; repeatable.")
def doctor_command(workspace: Workspace, voters_path: Path, only: tuple[str, ...]) -> int:
    """Probe the servers of a voters' file: what they see, take, keep to and cost.

    What was found is written to labels/doctor.json; the exit code is not 0 when a voter cannot
    be asked about pictures.
    """
    from benchwright.asking.doctor.doctor import (  # noqa: PLC0415  # imports openai
        announcement,
        chosen_voters,
        doctor,
    )
    from benchwright.asking.doctor.report import report_lines  # noqa: PLC0415

    click.echo(announcement(chosen_voters(voters_path, only)))
    all_examined = doctor(workspace, voters_path, only)
    for examined in all_examined:
        click.echo()
        for line in report_lines(examined, voters_path):
            click.echo(line)
    return 0 if all(examined.findings.is_usable for examined in all_examined) else 1
