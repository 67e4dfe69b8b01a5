"""The command run-benchmark trajectories."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from benchwright.commands import NumberRange, say, workspace_option
from benchwright.workspace import Workspace
from evaluation.hidden_target.trajectories.rewards import RewardSettings

_PAID = RewardSettings()
_MOST = 1e6  # an infinite reward is none


def _reward_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that set rewards, given as ``rewards``."""

    @functools.wraps(command)
    def with_rewards(
        *, skip_penalty: float, per_bit: float, right: float, wrong_penalty: float, **others: Any
    ) -> Any:
        rewards = RewardSettings(
            skip=skip_penalty, per_bit=per_bit, right=right, wrong=wrong_penalty
        )
        return command(rewards=rewards, **others)

    for option in reversed(_REWARD_OPTIONS):
        with_rewards = option(with_rewards)
    return with_rewards


def _paid(name: str, default: float, what: str) -> Callable[[Any], Any]:
    kind = NumberRange(0, _MOST)
    return click.option(name, type=kind, default=default, show_default=True, help=what)


_REWARD_OPTIONS = (
    _paid("--skip-penalty", _PAID.skip, "What a skipped turn costs."),
    _paid("--per-bit", _PAID.per_bit, "What a bit of information about the target is worth."),
    _paid(
        "--right",
        _PAID.right,
        "What a right guess is worth where no other picture was left; a lucky one is worth 0.",
    ),
    _paid("--wrong-penalty", _PAID.wrong, "What a wrong guess costs."),
)


@click.command("trajectories")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option("--release", help="The release that was played: a folder, or USER/NAME@TAG.")
@click.option("--config", help="The config that was played, such as hidden-target-tau-0.6.")
@click.option(
    "--noun",
    help="What a picture shows, as the questions of a run made elsewhere call it; by default the"
    " category of the pictures.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder to write.  [default: trajectories/RUN.RUN of the workspace]",
)
@_reward_options
@workspace_option
def trajectories_command(
    *,
    runs: tuple[str, ...],
    release: str | None,
    config: str | None,
    noun: str | None,
    out: Path | None,
    rewards: RewardSettings,
    workspace: Workspace,
) -> None:
    """Make training data of hidden-target runs: steps with rewards, and pairs of questions.

    RUN is runs/NAME, its name in the workspace, or a JSON Lines file with a run made elsewhere,
    which wants --release. Of several runs of the same episodes a player's better question is also
    held against a worse one of another run. docs/trajectories.md says what the columns mean.
    """
    from evaluation.hidden_target.scoring.opened import open_run  # noqa: PLC0415  # heavy
    from evaluation.hidden_target.trajectories.making import (  # noqa: PLC0415
        folder_name,
        make_trajectories,
    )

    opened = [open_run(run, workspace, release=release, config=config, noun=noun) for run in runs]
    name = folder_name([one.played.name for one in opened])
    folder = out or workspace.root / "trajectories" / name
    made = make_trajectories(opened, rewards, folder)
    for line in made.lines():
        say(line)
    loaded = " and ".join(f'load_dataset("{folder}", "{table}")' for table in made.tables())
    say(f"next: {loaded} of datasets; docs/trajectories.md says what the columns mean")
