"""The command push-release gate."""

import click

from benchwright.commands import say, workspace_option
from benchwright.workspace import Workspace


@click.command("gate")
@click.argument("name")
@click.option("--version", "version_text", required=True, help="Three numbers, such as 1.0.0.")
@workspace_option
def gate_command(name: str, version_text: str, workspace: Workspace) -> int:
    """Show what the gate found when a release was built.

    Ends with 1 where a check fails that was not waived: such a release is not pushed.
    """
    from benchwright.next_step import workspace_text  # noqa: PLC0415  # imports pyarrow
    from exports.gating.report import read_gate  # noqa: PLC0415
    from exports.names import Version, release_folder  # noqa: PLC0415

    version = Version.of(version_text)
    report = read_gate(release_folder(workspace, name, version))
    for line in report.lines():
        say(line)
    if report.failing:
        failed = len(report.failing)
        say(f"{name} {version} is not to be pushed: {failed} of {len(report.checks)} checks fail")
        return 1
    where = workspace_text(workspace)
    say(f"next: push-release push {name} --version {version} --repo USER/NAME{where}")
    return 0
