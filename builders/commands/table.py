"""``build-catalog table``: tables become a catalog."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchwright.commands import force_option, progress_bar, say, workspace_option
from benchwright.engines.engine import Engine
from benchwright.engines.options import engine_options
from benchwright.workspace import Workspace
from builders.commands.options import picture_rules, workers_option
from builders.commands.printing import print_result

if TYPE_CHECKING:
    from builders.rules import PictureRules


@click.command()
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
@engine_options
@picture_rules
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
    engine: Engine,
    rules: "PictureRules",
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
        engine=engine,
        force=force,
        rules=rules,
        progress=progress_bar,
        report=say,
    )
    print_result(workspace, built)
