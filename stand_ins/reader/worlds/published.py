"""A release of the sample that was made, and a picture in it that somebody wants gone."""

from dataclasses import replace
from pathlib import Path

from benchwright import store
from stand_ins.reader.world import Making, World
from stand_ins.reader.worlds.publishable import RELEASE, label_sample, with_hub


def published(making: Making) -> World:
    """Make the world: the release dresses 1.0.0; IMAGE_ID is a picture of a gallery."""

    def make(root: Path) -> None:
        where = ("--workspace", root)
        label_sample(making, root)
        making.console("build-catalog", "dedup", *where)
        making.console("build-galleries", "--tau", "0.6", *where)
        making.console("push-release", "build", "dresses", "--version", "1.0.0", *where)

    root = making.copied("published", make)
    making.linked("docs", "tests/data")
    world = with_hub(making, root / RELEASE)
    episodes = store.read_table(root / "galleries" / "tau-0.6", "episodes.parquet")
    shown = episodes["image_ids"][0][0].as_py()
    return replace(world, swapped={**world.swapped, "IMAGE_ID": shown})
