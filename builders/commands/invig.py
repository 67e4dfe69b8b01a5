"""``build-catalog invig``: dialogues of InViG become a catalog."""

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
    from builders.invig.draft import BoxOrder, Language
    from builders.rules import PictureRules


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "--images",
    type=click.Path(path_type=Path),
    help="Folder with the pictures; by default that of the source itself.",
)
@click.option("--fetch", is_flag=True, help="Get pictures without a file from their links.")
@click.option(
    "--no-pictures",
    is_flag=True,
    help="Items without pictures: the dialogues alone, with boxes where sizes are stated.",
)
@click.option(
    "--language",
    type=click.Choice(["en", "zh"]),
    default="en",
    show_default=True,
    help="Language of the dialogues, where a layout has both.",
)
@click.option(
    "--split",
    metavar="NAME",
    help="The split to take of several; for one file, the split that it is.",
)
@click.option(
    "--boxes",
    type=click.Choice(["corners", "xywh"]),
    help="How four numbers are a box: x0, y0, x1, y1 (which they are taken for), or x, y, width,"
    " height.",
)
@click.option(
    "--source", metavar="NAME", default="invig", show_default=True, help="Name of the source."
)
@workspace_option
@force_option
@workers_option
@engine_options
@picture_rules
def invig(  # noqa: PLR0913  # one parameter for each option
    *,
    sources: tuple[str, ...],
    images: Path | None,
    fetch: bool,
    no_pictures: bool,
    language: "Language",
    split: str | None,
    boxes: "BoxOrder | None",
    source: str,
    workspace: Workspace,
    force: bool,
    workers: int | None,
    engine: Engine,
    rules: "PictureRules",
) -> None:
    """Build it from dialogues about pictures, InViG in any of its layouts.

    A SOURCE is a Parquet, JSON Lines or JSON file, a folder of Parquet shards or of a saved
    dataset, or, where no such path exists, ORG/NAME or ORG/NAME@REVISION on the Hugging Face Hub.
    How rows of your own are written: "Sources of dialogues" in docs/dialogues.md.
    """
    from builders.invig.build import InvigOptions, build_invig  # noqa: PLC0415

    options = InvigOptions(
        images=images,
        language=language,
        source=source,
        split=split,
        boxes=boxes,
        fetch=fetch,
        pictures=not no_pictures,
    )
    built = build_invig(
        sources,
        workspace,
        options=options,
        workers=workers,
        engine=engine,
        force=force,
        rules=rules,
        progress=progress_bar,
        report=say,
    )
    print_result(workspace, built, most_reasons=0)
