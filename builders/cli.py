"""The command ``build-catalog``: sources become a catalog."""

import click

from benchwright.commands import entry_point, version_option
from builders.commands.coco import coco
from builders.commands.dedup import dedup
from builders.commands.grid import grid
from builders.commands.invig import invig
from builders.commands.open_images import open_images
from builders.commands.sample import sample
from builders.commands.table import table


@click.group()
@version_option
def build_catalog() -> None:
    """Turn a source of pictures and attributes into the catalog of a workspace."""


for _command in (table, sample, dedup, grid, open_images, coco, invig):
    build_catalog.add_command(_command)

main = entry_point(build_catalog)
