"""``build-catalog coco``: files in the format of COCO become a catalog."""

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
@click.option(
    "--images",
    type=click.Path(path_type=Path),
    help="Folder with the pictures; by default those of the files, and images/ in them.",
)
@click.option(
    "--fetch", is_flag=True, help="Get pictures without a file from coco_url or flickr_url."
)
@click.option(
    "--split",
    metavar="NAME",
    help="Split of all the pictures; by default names say it (instances_val2017.json: validation).",
)
@click.option(
    "--source", metavar="NAME", default="coco", show_default=True, help="Name of the source."
)
@click.option(
    "--keep-going",
    is_flag=True,
    help="Reject, row by row, what ids used twice or unknown categories leave unclear.",
)
@workspace_option
@force_option
@workers_option
@engine_options
@picture_rules
def coco(  # noqa: PLR0913  # one parameter for each option
    *,
    files: tuple[Path, ...],
    images: Path | None,
    fetch: bool,
    split: str | None,
    source: str,
    keep_going: bool,
    workspace: Workspace,
    force: bool,
    workers: int | None,
    engine: Engine,
    rules: "PictureRules",
) -> None:
    """Build it from FILES in COCO's format, merged by picture.

    Instances, captions, labels, panoptic segments (their boxes), Fashionpedia's attributes and
    what Roboflow, CVAT and LVIS make of the format; keypoints are left out, and said.
    """
    from builders.coco.build import CocoOptions, build_coco  # noqa: PLC0415

    built = build_coco(
        files,
        workspace,
        options=CocoOptions(source=source, split=split, fetch=fetch, keep_going=keep_going),
        images=images,
        workers=workers,
        engine=engine,
        force=force,
        rules=rules,
        progress=progress_bar,
        report=say,
    )
    print_result(workspace, built)
