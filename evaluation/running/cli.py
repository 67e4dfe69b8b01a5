"""The command run-benchmark run, which is also meant where a release is named alone."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchwright.asking.options import Paying, paying_options
from benchwright.commands import force_option, progress_bar, say, seed_option, workspace_option
from benchwright.workspace import Workspace
from evaluation.hidden_target.running.options import GameOptions, game_options

if TYPE_CHECKING:  # what it imports takes a second, which --help need not wait for
    from evaluation.running.naming import Named

Command = Callable[..., Any]


def player_options(command: Command) -> Command:
    """Add the options that name models, given as ``named``."""

    @functools.wraps(command)
    def with_named(
        *,
        model: str | None,
        base_url: str | None,
        api_key_env: str | None,
        concurrency: int | None,
        voters_path: Path | None,
        only: str | None,
        **others: Any,
    ) -> Any:
        from evaluation.running.naming import Named  # noqa: PLC0415

        named = Named(
            model=model,
            base_url=base_url,
            api_key_env=api_key_env,
            concurrency=concurrency,
            path=voters_path,
            only=only,
        )
        return command(named=named, **others)

    for option in reversed(_PLAYER_OPTIONS):
        with_named = option(with_named)
    return with_named


_PLAYER_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option("--model", metavar="NAME", help="The model that plays, as its server calls it."),
    click.option("--base-url", metavar="URL", help="Its server, such as http://localhost:8000/v1."),
    click.option(
        "--api-key-env", metavar="VAR", help="The environment variable that holds its key."
    ),
    click.option(
        "--concurrency",
        type=click.IntRange(1),
        help="Calls that it takes at once.  [default: 8]",
    ),
    click.option(
        "--voters",
        "voters_path",
        type=click.Path(path_type=Path, dir_okay=False),
        help="YAML file that names models with their limits and prices, instead of --model.",
    ),
    click.option("--only", metavar="NAME", help="The voter of the file that plays."),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What of a run the user named: how much is played, how often, and what it is called."""

    episodes: int | None
    sample: int
    run: str | None
    seed: int

    def name(self) -> str | None:
        """Return the name of the run, null where one is to be made up."""
        from evaluation.running.naming import checked_name  # noqa: PLC0415

        return None if self.run is None else checked_name(self.run)


def run_options(command: Command) -> Command:
    """Add --episodes, --sample, --run and --seed, given as ``options``."""

    @functools.wraps(command)
    def with_options(
        *, episodes: int | None, sample: int, run: str | None, seed: int, **others: Any
    ) -> Any:
        options = RunOptions(episodes=episodes, sample=sample, run=run, seed=seed)
        return command(options=options, **others)

    for option in reversed(_RUN_OPTIONS):
        with_options = option(with_options)
    return with_options


_RUN_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--episodes",
        type=click.IntRange(1),
        help="Play so many, drawn by the seed; more of them hold the fewer.  [default: all]",
    ),
    click.option(
        "--sample",
        type=click.IntRange(0),
        default=0,
        show_default=True,
        help="The number of a repetition: another one gets other answers of the same model.",
    ),
    click.option(
        "--run",
        metavar="NAME",
        help="What the run is called in the workspace.  [default: made of player, config and"
        " release]",
    ),
    seed_option,
)


@click.command("run")
@click.argument("release")
@click.option("--config", help="What is played of it.  [default: the only one that can be]")
@player_options
@game_options
@run_options
@paying_options
@click.option(
    "--no-probe", is_flag=True, help="Ask without first looking whether the models see pictures."
)
@force_option
@workspace_option
def run_command(
    *,
    release: str,
    config: str | None,
    named: "Named",
    game: GameOptions,
    options: RunOptions,
    paying: Paying,
    no_probe: bool,
    force: bool,
    workspace: Workspace,
) -> int:
    """Have a model play the episodes of RELEASE, a folder or USER/NAME@TAG on the Hub.

    What it will take is said before the first call. Every answer is kept: a run that is stopped
    goes on by the same command, and nothing is bought twice. The run lies in runs/NAME of the
    workspace.
    """
    from benchwright.asking.pieces import How  # noqa: PLC0415
    from evaluation.hidden_target.running.command import (  # noqa: PLC0415
        Wanted,
        run_episodes,
        say_estimates,
    )
    from evaluation.releases.release import open_release  # noqa: PLC0415

    name, cast, how = options.name(), game.cast(named), game.how(options.seed, options.sample)
    material = game.material(open_release(release), config, options.episodes, options.seed)
    wanted = Wanted(material=material, cast=cast, how=how, name=name)
    asking = How(batch=paying.batch, probe=not no_probe)
    if paying.estimate:
        say_estimates(workspace, wanted, paying.spending(), asking, say=say)
        return 0
    is_whole = run_episodes(
        workspace,
        wanted,
        paying.spending(),
        asking,
        force=force,
        say=say,
        progress=progress_bar,
    )
    return 0 if is_whole else 1
