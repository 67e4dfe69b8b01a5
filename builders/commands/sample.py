"""``build-catalog sample``: the built-in drawings become a catalog."""

from functools import partial

import click
from click.core import ParameterSource

from benchwright.commands import force_option, progress_bar, seed_option, workspace_option
from benchwright.engines.engine import Engine
from benchwright.engines.options import engine_options
from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from builders.commands.options import workers_option
from builders.commands.printing import print_result

_DEFAULT = ParameterSource.DEFAULT


@click.command()
@click.option(
    "--n", type=click.IntRange(1), default=600, show_default=True, help="How many dresses to draw."
)
@click.option(
    "--scenes",
    type=click.IntRange(1),
    help="Draw so many scenes of one to six women instead, for dialogues: with boxes, captions and"
    " dialogues.",
)
@click.option(
    "--degraded", is_flag=True, help="Show the same dresses as if photographed badly and sent on."
)
@seed_option
@workspace_option
@force_option
@workers_option
@engine_options
def sample(
    *,
    n: int,
    scenes: int | None,
    degraded: bool,
    seed: int,
    workspace: Workspace,
    force: bool,
    workers: int | None,
    engine: Engine,
) -> None:
    """Draw the built-in sample: dresses with exact attributes, no download."""
    from builders.sample.build import build_sample  # noqa: PLC0415
    from builders.sample.scenes.build import build_scenes  # noqa: PLC0415

    if scenes is None:
        build = partial(build_sample, n=n, degraded=degraded)
    elif degraded or click.get_current_context().get_parameter_source("n") is not _DEFAULT:
        given = "--degraded" if degraded else "--n"
        raise UsageError(
            f"{given} is for single dresses, and --scenes draws scenes; leave one away"
        )
    else:
        build = partial(build_scenes, n=scenes)
    built = build(
        workspace, seed=seed, workers=workers, engine=engine, force=force, progress=progress_bar
    )
    print_result(workspace, built)
