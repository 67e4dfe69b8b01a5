"""The command review-labels report."""

import click

from benchwright.commands import NumberRange, say, seed_option, workspace_option
from benchwright.statistics.draws import DRAWS
from benchwright.workspace import Workspace


@click.command("report")
@click.option(
    "--confidence",
    type=NumberRange(0, 1, min_open=True, max_open=True),
    help="How often intervals hold what they are of; by default as in the plan, or 0.95.",
)
@click.option(
    "--draws",
    type=click.IntRange(100, 20_000),
    default=DRAWS,
    show_default=True,
    help="Bootstrap draws behind the intervals of agreement.",
)
@seed_option
@workspace_option
def report_command(confidence: float | None, draws: int, seed: int, workspace: Workspace) -> None:
    """Report what the audit found: how many labels are right, and how far auditors agree.

    Writes audits/agreement.json with all figures, audits/report.md and the page
    audits/report.html. Nothing is decided or changed by it.
    """
    from labeling.audits.reporting.lines import report_lines  # noqa: PLC0415  # imports pyarrow
    from labeling.audits.reporting.report import make_report  # noqa: PLC0415
    from labeling.audits.reporting.writing import write_report  # noqa: PLC0415

    report = make_report(workspace, confidence=confidence, seed=seed, draws=draws)
    written = write_report(workspace, report)
    for line in report_lines(report):
        say(line)
    for name, path in written.items():
        say(f"{name}: {path}")
