"""The command build-dialogues false-premise run."""

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
    workspace: Workspace,
    force: bool,
    **of_plan: Any,
) -> int:
    """Plan, describe, falsify and check, up to what people review.

    A false description that voters find to be true of the picture is made anew. A plan that stands
    is used as it is where no option names another one. A run that is stopped goes on, and what was
    answered is not bought again. --max-calls and --max-cost are for all steps together.
    """
    from labeling.dialogues.false_premise.casting import cast_of  # noqa: PLC0415
    from labeling.dialogues.false_premise.estimating import run_estimate_lines  # noqa: PLC0415
    from labeling.dialogues.false_premise.running import (  # noqa: PLC0415
        RunSettings,
        run_false_premise,
    )

    settings = RunSettings(
        plan=_plan_settings(**of_plan),
        keeps_plan=not _names_a_plan(),
        variants=variants,
        max_retries=max_retries,
        most_boxes=boxes,
        batch=paying.batch,
    )
    cast, spending = cast_of(chosen.voters(), authors), paying.spending()
    if paying.estimate:
        for line in run_estimate_lines(workspace, cast, spending, settings):
            say(line)
        return 0
    is_whole = run_false_premise(
        workspace, cast, spending, settings, force=force, say=say, progress=progress_bar
    )
    return 0 if is_whole else 1


run.params[3:3] = _OF_PLAN  # behind what names the voters


def _plan_settings(
    *,
    per_cell: int,
    crossed: bool,
    grid: Path | None,
    correct_turns: int,
    turns: int,
    seed: int,
) -> "PlanSettings":
    from builders.complexity import GridRules, load_rules  # noqa: PLC0415
    from labeling.dialogues.false_premise.planning.plan import PlanSettings  # noqa: PLC0415
    from labeling.dialogues.false_premise.rules.turns import Schedule  # noqa: PLC0415

    return PlanSettings(
        per_cell=per_cell,
        is_crossed=crossed,
        rules=GridRules() if grid is None else load_rules(grid),
        schedule=Schedule(correct=correct_turns, turns=turns),
        seed=seed,
    )


def _names_a_plan() -> bool:
    """Tell whether the user gave an option of plan."""
    context = click.get_current_context()
    return any(
        context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        for option in _OF_PLAN
    )
