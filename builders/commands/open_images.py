"""``build-catalog open-images``: files of Open Images become a catalog."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchwright.commands import force_option, progress_bar, say, seed_option, workspace_option
from benchwright.engines.engine import Engine
from benchwright.engines.options import engine_options
from benchwright.workspace import Workspace
from builders.commands.options import picture_rules, workers_option
from builders.commands.printing import print_result

if TYPE_CHECKING:
    from builders.rules import PictureRules


@click.command("open-images")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--images",
    type=click.Path(path_type=Path),
    help="Folder with the pictures, named by their ids; by default FOLDER and all in it.",
)
@click.option("--fetch", is_flag=True, help="Get pictures without a file from their OriginalURL.")
@click.option(
    "--no-pictures", is_flag=True, help="Items without pictures: labels only, since boxes need one."
)
@click.option(
    "--classes",
    multiple=True,
    metavar="NAME,NAME",
    help="Only pictures that show one of these classes (names or codes) or a kind of it.",
)
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", help="Only N pictures, chosen by the seed."
)
@click.option(
    "--source", metavar="NAME", default="open-images", show_default=True, help="Name of the source."
)
@seed_option
@workspace_option
@force_option
@workers_option
@engine_options
@picture_rules
def open_images(  # noqa: PLR0913  # one parameter for each option
    *,
    folder: Path,
    images: Path | None,
    fetch: bool,
    no_pictures: bool,
    classes: tuple[str, ...],
    limit: int | None,
    source: str,
    seed: int,
    workspace: Workspace,
    force: bool,
    workers: int | None,
    engine: Engine,
    rules: "PictureRules",
) -> None:
    """Build it from a FOLDER of Open Images files, V3 to V7.

    Each CSV file (also .csv.gz) is recognised by its header: image lists, boxes, labels,
    relationships, masks, class names. What is missing is left out, and said.
    """
    from builders.open_images.build import (  # noqa: PLC0415
        OpenImagesOptions,
        build_open_images,
        describe_objects,
    )

    options = OpenImagesOptions(
        images=images,
        fetch=fetch,
        without_pictures=no_pictures,
        classes=classes,
        limit=limit,
        seed=seed,
        source=source,
    )
    built = build_open_images(
        folder,
        workspace,
        options=options,
        workers=workers,
        engine=engine,
        force=force,
        rules=rules,
        progress=progress_bar,
        report=say,
    )
    for line in describe_objects(built.manifest) if built.is_new else ():
        say(line)
    print_result(workspace, built)
