"""The command run-benchmark run, which is also meant where a release is named alone."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchwright.asking.options import Paying, paying_options
from benchwright.commands import force_option, seed_option, workspace_option
from benchwright.workspace import Workspace
from evaluation.kinds import RunCommand, chosen_config, given_to, options_of_kinds
from evaluation.running.kind import RunOptions, Wish

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


@click.command("run", cls=RunCommand, params=options_of_kinds())
@click.argument("release")
@click.option("--config", help="What is played of it.  [default: the only one that can be]")
@player_options
@run_options
@paying_options
@click.option(
    "--no-probe", is_flag=True, help="Ask without first looking whether the models see pictures."
)
@force_option
@workspace_option
@click.pass_context
def run_command(
    ctx: click.Context,
    /,
    *,
    release: str,
    config: str | None,
    named: "Named",
    options: RunOptions,
    paying: Paying,
    no_probe: bool,
    force: bool,
    workspace: Workspace,
    **of_kinds: Any,
) -> int:
    """Have a model play what RELEASE holds, a folder or USER/NAME@TAG on the Hub.

    What it will take is said before the first call. Every answer is kept: a run that is stopped
    goes on by the same command, and nothing is bought twice. The run lies in runs/NAME of the
    workspace.
    """
    from evaluation.releases.release import open_release  # noqa: PLC0415

    opened = open_release(release)
    config, kind = chosen_config(opened, config)
    own = given_to(kind, config, ctx, of_kinds)
    wish = Wish(
        release=opened,
        config=config,
        named=named,
        options=options,
        paying=paying,
        is_probing=not no_probe,
        is_forced=force,
        workspace=workspace,
    )
    is_whole = ctx.invoke(kind.command, wish=wish, **own)
    return 0 if is_whole else 1
