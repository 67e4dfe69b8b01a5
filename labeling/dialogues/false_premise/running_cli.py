"""The command build-dialogues false-premise run."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from benchwright.asking.options import Chosen, Paying, chosen_option, paying_options
from benchwright.commands import force_option, progress_bar, say, workspace_option
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.checking.cli import boxes_option
from labeling.dialogues.false_premise.describing.options import retries_option
from labeling.dialogues.false_premise.falsifying.cli import variants_option
from labeling.dialogues.false_premise.planning.cli import plan

if TYPE_CHECKING:  # it imports pyarrow
    from labeling.dialogues.false_premise.planning.plan import PlanSettings

_OF_PLAN = tuple(
    option for option in plan.params if option.name not in ("workspace", "force")
)  # as the command plan has them


@click.command("run")
@chosen_option("Use")
@click.option(
    "--author",
    "authors",
    multiple=True,
    metavar="NAME",
    help="This voter describes and falsifies, and the others look; repeatable. By default the"
    " first one writes, and all look.",
)
@variants_option
@retries_option
@boxes_option
@paying_options
@click.option(
    "--cells", is_flag=True, help="Print the funnel of each cell, not only of those with losses."
)
@workspace_option
@force_option
def run(
    *,
    chosen: Chosen,
    authors: tuple[str, ...],
    variants: int,
    max_retries: int,
    boxes: int,
    paying: Paying,
    cells: bool,
    workspace: Workspace,
    force: bool,
    **of_plan: Any,
) -> int:
    """Plan, describe, falsify and check, up to what people review.

    A false description that voters find to be true of the picture is made anew. Options that are
    not given are those of the steps that stand; what people judged is not made otherwise without
    --force. A run that is stopped goes on, and what was
    answered is not bought again. --max-calls and --max-cost are for all steps together.
    """
    from labeling.dialogues.false_premise.casting import cast_of  # noqa: PLC0415
    from labeling.dialogues.false_premise.estimating import run_estimate_lines  # noqa: PLC0415
    from labeling.dialogues.false_premise.planning.plan import PlanSettings  # noqa: PLC0415
    from labeling.dialogues.false_premise.running import (  # noqa: PLC0415
        RunSettings,
        run_false_premise,
    )
    from labeling.dialogues.false_premise.standing_options import (  # noqa: PLC0415
        kept_lines,
        standing_options,
    )

    chosen_options = {**of_plan, "variants": variants, "max_retries": max_retries, "boxes": boxes}
    given = _given()
    standing = standing_options(workspace)
    options = chosen_options | {name: standing[name] for name in standing if name not in given}
    names_a_plan = any(option.name in given for option in _OF_PLAN)
    settings = RunSettings(
        plan=_plan_settings(options, workspace) if names_a_plan else PlanSettings(),
        keeps_plan=not names_a_plan,
        variants=options["variants"],
        max_retries=options["max_retries"],
        most_boxes=options["boxes"],
        batch=paying.batch,
        all_cells=cells,
    )
    cast, spending = cast_of(chosen.voters(), authors), paying.spending()
    for line in kept_lines(options, standing, given, _defaults()):
        say(line)
    if paying.estimate:
        for line in run_estimate_lines(workspace, cast, spending, settings):
            say(line)
        return 0
    is_whole = run_false_premise(
        workspace, cast, spending, settings, force=force, say=say, progress=progress_bar
    )
    return 0 if is_whole else 1


run.params[3:3] = _OF_PLAN  # behind what names the voters


def _plan_settings(options: Mapping[str, Any], workspace: Workspace) -> "PlanSettings":
    """Return the plan of the options; its rules are those of the one that stands without --grid."""
    from builders.complexity import load_rules  # noqa: PLC0415
    from labeling.dialogues.false_premise.planning.plan import PlanSettings  # noqa: PLC0415
    from labeling.dialogues.false_premise.rules.turns import Schedule  # noqa: PLC0415
    from labeling.dialogues.false_premise.standing_options import standing_rules  # noqa: PLC0415

    grid: Path | None = options["grid"]
    return PlanSettings(
        per_cell=options["per_cell"],
        is_crossed=options["crossed"],
        rules=standing_rules(workspace) if grid is None else load_rules(grid),
        schedule=Schedule(correct=options["correct_turns"], turns=options["turns"]),
        seed=options["seed"],
    )


def _given() -> frozenset[str]:
    """Return the names of the options that the user gave."""
    context = click.get_current_context()
    return frozenset(
        name
        for name in context.params
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    )


def _defaults() -> dict[str, Any]:
    context = click.get_current_context()
    return {option.name or "": option.get_default(context) for option in run.params}
