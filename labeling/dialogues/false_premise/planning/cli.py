"""The command build-dialogues false-premise plan."""

from pathlib import Path

import click

from benchwright.commands import force_option, say, seed_option, workspace_option
from benchwright.workspace import Workspace


@click.command("plan")
@click.option(
    "--per-cell",
    type=click.IntRange(1, 100_000),
    default=30,
    show_default=True,
    help="Dialogues for each complexity, category and class.",
)
@click.option(
    "--crossed",
    is_flag=True,
    help="Put each picture under all three classes, so that class and wording can be told apart.",
)
@click.option(
    "--grid",
    type=click.Path(path_type=Path),
    help="YAML file with thresholds and categories, as for build-catalog grid --rules.",
)
@click.option(
    "--correct-turns",
    type=click.IntRange(1, 99),
    default=3,
    show_default=True,
    help="Turns with the true description, before the false ones.",
)
@click.option(
    "--turns", type=click.IntRange(2, 100), default=10, show_default=True, help="Turns in all."
)
@seed_option
@workspace_option
@force_option
def plan(
    *,
    per_cell: int,
    crossed: bool,
    grid: Path | None,
    correct_turns: int,
    turns: int,
    seed: int,
    workspace: Workspace,
    force: bool,
) -> None:
    """Choose pictures and targets for the grid of complexity, category and class.

    A picture is used once, and one of each group of near-duplicates (build-catalog dedup). As many
    places as can be are filled, evenly; what is missing is listed.
    """
    from benchwright.next_step import workspace_text  # noqa: PLC0415  # imports pyarrow
    from builders.complexity import GridRules, load_rules  # noqa: PLC0415
    from labeling.dialogues.false_premise.planning.plan import (  # noqa: PLC0415
        PlanSettings,
        plan_dialogues,
        read_cells,
    )
    from labeling.dialogues.false_premise.planning.report import plan_lines  # noqa: PLC0415
    from labeling.dialogues.false_premise.rules.turns import Schedule  # noqa: PLC0415

    settings = PlanSettings(
        per_cell=per_cell,
        is_crossed=crossed,
        rules=GridRules() if grid is None else load_rules(grid),
        schedule=Schedule(correct=correct_turns, turns=turns),
        seed=seed,
    )
    planned = plan_dialogues(workspace, settings, force=force)
    if not planned.is_new:
        say("nothing to do: this plan was made of the same catalog (--force redoes it)")
    for line in plan_lines(planned.manifest.counts, read_cells(workspace)):
        say(line)
    say(f"next: build-dialogues false-premise describe --voters FILE{workspace_text(workspace)}")
