"""The command review-labels plan."""

import click

from benchwright.commands import NumberRange, say, seed_option, workspace_option
from benchwright.workspace import Workspace


@click.command("plan")
@click.option(
    "--half-width",
    type=NumberRange(0, 0.5, min_open=True, max_open=True),
    default=0.02,
    show_default=True,
    help="Half of the interval that the share of right labels is to have.",
)
@click.option(
    "--confidence",
    type=NumberRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="How often such intervals hold the true share.",
)
@click.option(
    "--overlap",
    type=NumberRange(0, 1),
    default=0.2,
    show_default=True,
    help="The share of the labels that two auditors see.",
)
@click.option(
    "--pilot",
    type=click.IntRange(1),
    default=200,
    show_default=True,
    help="How many labels are judged before their errors say how many more it takes.",
)
@seed_option
@workspace_option
def plan_command(
    half_width: float,
    confidence: float,
    overlap: float,
    pilot: int,
    seed: int,
    workspace: Workspace,
) -> None:
    """Choose the labels that people judge, so that the share that is right is known well enough.

    Labels are drawn by type and by how close their votes were. First comes a pilot; once it is
    judged, the same command says how many more each part needs. What was judged stays.
    """
    from labeling.audits.planning.plan import plan_audit  # noqa: PLC0415  # imports pyarrow
    from labeling.audits.planning.plan_file import PlanSettings  # noqa: PLC0415
    from labeling.audits.planning.report import plan_lines  # noqa: PLC0415

    settings = PlanSettings(
        half_width=half_width, confidence=confidence, overlap=overlap, pilot=pilot, seed=seed
    )
    for line in plan_lines(plan_audit(workspace, settings), workspace):
        say(line)
