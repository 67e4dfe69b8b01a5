"""The command benchwright doctor."""

import click

from benchwright.asking.options import Chosen, chosen_option
from benchwright.commands import say, workspace_option
from benchwright.workspace import Workspace


@click.command("doctor")
@workspace_option
@chosen_option("Probe")
def doctor_command(workspace: Workspace, chosen: Chosen) -> int:
    """Probe the servers of a voters' file: what they see, take, keep to and cost.

    What was found is written to labels/doctor.json; the exit code is not 0 when a voter cannot
    be asked about pictures.
    """
    from benchwright.asking.doctor.doctor import (  # noqa: PLC0415  # imports openai
        announcement,
        doctor,
    )
    from benchwright.asking.doctor.report import report_lines  # noqa: PLC0415

    say(announcement(chosen.voters()))
    all_examined = doctor(workspace, chosen.path, chosen.only)
    for examined in all_examined:
        say("")
        for line in report_lines(examined, chosen.path):
            say(line)
    return 0 if all(examined.findings.is_usable for examined in all_examined) else 1
