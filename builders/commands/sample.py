"""``build-catalog sample``: the built-in drawings become a catalog."""

import click

from benchwright.commands import force_option, progress_bar, seed_option, workspace_option
from benchwright.workspace import Workspace
from builders.commands.options import workers_option
from builders.commands.printing import print_result


@click.command()
@click.option(
    "--n", type=click.IntRange(1), default=600, show_default=True, help="How many dresses to draw."
)
@click.option(
    "--degraded", is_flag=True, help="Show the same dresses as if photographed badly and sent on."
)
@seed_option
@workspace_option
@force_option
@workers_option
def sample(
    *,
    n: int,
    degraded: bool,
    seed: int,
    workspace: Workspace,
    force: bool,
    workers: int | None,
) -> None:
    """Draw the built-in sample: dresses with exact attributes, no download."""
    from builders.sample.build import build_sample  # noqa: PLC0415

    built = build_sample(
        workspace,
        n=n,
        seed=seed,
        degraded=degraded,
        workers=workers,
        force=force,
        progress=progress_bar,
    )
    print_result(workspace, built)
