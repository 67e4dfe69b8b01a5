"""The command ``build-catalog``: sources become a catalog."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchwright.commands import (
    entry_point,
    force_option,
    progress_bar,
    seed_option,
    version_option,
    workspace_option,
)
from benchwright.workspace import Workspace

if TYPE_CHECKING:
    from benchwright.store import Manifest

_MOST_REASONS = 8

workers_option = click.option(
    "--workers",
    type=click.IntRange(1),
    help="Worker processes; by default one for each processor.",
)


@click.group()
@version_option
def build_catalog() -> None:
    """Turn a source of pictures and attributes into the catalog of a workspace."""


@build_catalog.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--id", "id_", metavar="COL", help="Column with the id of a row.")
@click.option("--image", metavar="COL", help="Column with a picture's file or link; '' for none.")
@click.option(
    "--images",
    type=click.Path(path_type=Path),
    help="Folder that picture files are relative to; by default the table's own.",
)
@click.option("--group", metavar="COL", help="Column that is alike for pictures of one product.")
@click.option("--title", metavar="COL", help="Column with a title.")
@click.option("--licence", metavar="COL", help="Column with the licence of a picture.")
@click.option("--author", metavar="COL", help="Column with the author of a picture.")
@click.option("--url", metavar="COL", help="Column with the page or link to show as the origin.")
@click.option("--split", metavar="COL", help="Column with the split: train, test and so on.")
@click.option(
    "--attributes", multiple=True, metavar="COL,COL", help="Columns with visual attributes."
)
@click.option(
    "--missing",
    multiple=True,
    metavar="WORD,WORD",
    help="Words that mean no value, beside the empty cell.  [default: null,none]",
)
@click.option("--value-separator", metavar="TEXT", help="What divides values in one cell: ';'.")
@click.option("--source", metavar="NAME", help="Name of the source.  [default: table]")
@click.option(
    "--mapping",
    type=click.Path(path_type=Path),
    help="YAML file with these settings (keys: id, image, …); options win over it.",
)
@workspace_option
@force_option
@workers_option
def table(  # noqa: PLR0913  # one parameter for each option
    *,
    files: tuple[Path, ...],
    id_: str | None,
    images: Path | None,
    attributes: tuple[str, ...],
    missing: tuple[str, ...],
    mapping: Path | None,
    workspace: Workspace,
    force: bool,
    workers: int | None,
    **roles: str | None,
) -> None:
    """Build it from tables: CSV, TSV, JSON Lines or Parquet.

    Columns that no option names are proposed from their names and contents, and printed.
    Links are fetched once; fetched.jsonl in the catalog remembers the answers.
    """
    from builders.table.build import build_table  # noqa: PLC0415
    from builders.table.mapping import MappingOptions, load_mapping  # noqa: PLC0415

    words = tuple(word for text in missing for word in text.split(","))
    options = MappingOptions(
        id=id_, attributes=attributes or None, missing=words if missing else None, **roles
    )
    if mapping is not None:
        options = options.over(load_mapping(mapping))
    built = build_table(
        files,
        workspace,
        options=options,
        images=images,
        workers=workers,
        force=force,
        progress=progress_bar,
        report=click.echo,
    )
    _print_result(workspace, built.manifest, is_new=built.is_new)


@build_catalog.command()
@click.option(
    "--n", type=click.IntRange(1), default=600, show_default=True, help="How many dresses to draw."
)
@seed_option
@workspace_option
@force_option
@workers_option
def sample(*, n: int, seed: int, workspace: Workspace, force: bool, workers: int | None) -> None:
    """Draw the built-in sample: dresses with exact attributes, no download."""
    from builders.sample.build import build_sample  # noqa: PLC0415

    built = build_sample(
        workspace, n=n, seed=seed, workers=workers, force=force, progress=progress_bar
    )
    _print_result(workspace, built.manifest, is_new=built.is_new)


def _print_result(workspace: Workspace, manifest: "Manifest", *, is_new: bool) -> None:
    counts = manifest.counts
    if not is_new:
        click.echo("nothing to do: this catalog was built from the same inputs (--force redoes it)")
    click.echo(
        f"{counts['rows']} rows = {counts['items']} items + {counts['rejects']} rejects; "
        f"{counts['pictures']} pictures"
    )
    reasons = sorted(manifest.reasons.items(), key=lambda pair: (-pair[1], pair[0]))
    for reason, count in reasons[:_MOST_REASONS]:
        click.echo(f"  {count:>7} {reason}")
    if reasons:
        click.echo(f"each of them, with its line: {workspace.catalog / 'rejects.parquet'}")
    click.echo(f"catalog: {workspace.catalog}")
    where = "" if workspace.root == Path("workspace") else f" --workspace {workspace.root}"
    click.echo(f"next: build-galleries --tau 0.6{where}")


main = entry_point(build_catalog)
