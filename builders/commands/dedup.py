"""``build-catalog dedup``: near-duplicates of a catalog are found."""

from pathlib import Path
from typing import Any, Literal

import click

from benchwright.commands import force_option, progress_bar, say, workspace_option
from benchwright.engines.engine import Engine
from benchwright.engines.options import engine_options
from benchwright.workspace import Workspace
from builders.commands.options import workers_option


@click.command()
@click.option(
    "--method",
    type=click.Choice(["phash", "clip"]),
    default="phash",
    show_default=True,
    help="Compare by perceptual hash, or by CLIP embedding (needs the extra clip).",
)
@click.option(
    "--threshold",
    type=float,
    help="phash: bits of 256 that may differ; clip: least cosine.  [default: 30; 0.96]",
)
@click.option(
    "--any-colour", is_flag=True, help="Link pictures of one shape in other colours as well."
)
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    help="Report the pictures that this workspace, or folder of pictures, has as well.",
)
@click.option(
    "--clip-model",
    metavar="NAME",
    help="Model of open_clip; embedded is the small one that needs no download."
    "  [default: ViT-B-32]",
)
@click.option("--clip-weights", metavar="NAME", help="Its weights.  [default: laion2b_s34b_b79k]")
@workspace_option
@force_option
@workers_option
@engine_options
def dedup(  # noqa: PLR0913  # one parameter for each option
    *,
    method: Literal["phash", "clip"],
    threshold: float | None,
    any_colour: bool,
    against: Path | None,
    clip_model: str | None,
    clip_weights: str | None,
    workspace: Workspace,
    force: bool,
    workers: int | None,
    engine: Engine,
) -> None:
    """Find near-duplicates: they become one group, and no gallery shows two of a group.

    The catalog stays as it is; the groups, the pairs and a report to check the threshold by are
    written beside it. With --against nothing is grouped: leaks are reported.
    """
    from benchwright.next_step import next_step  # noqa: PLC0415  # imports pyarrow
    from builders.duplicates.clip import MODEL, WEIGHTS  # noqa: PLC0415
    from builders.duplicates.dedup import dedup as find  # noqa: PLC0415
    from builders.duplicates.dedup import duplicate_lines  # noqa: PLC0415
    from builders.duplicates.leaks import find_leaks, leak_lines  # noqa: PLC0415
    from builders.duplicates.settings import DedupSettings  # noqa: PLC0415

    settings = DedupSettings(
        method=method,
        threshold=threshold,
        any_colour=any_colour,
        model=clip_model or MODEL,
        weights=clip_weights or (None if clip_model else WEIGHTS),
    )
    how: dict[str, Any] = {
        "workers": workers,
        "engine": engine,
        "force": force,
        "progress": progress_bar,
    }
    if against is None:
        done = find(workspace, settings, **how)
        lines = duplicate_lines(done.manifest.counts, settings)
    else:
        done = find_leaks(workspace, against, settings, **how)
        lines = leak_lines(done.manifest.counts, done.manifest.reasons)
    if not done.is_new:
        say("nothing to do: this was found with the same inputs (--force redoes it)")
    for line in [*lines, f"check the threshold: {done.folder / 'report.html'}"]:
        say(line)
    if against is None:
        say(next_step(workspace))
