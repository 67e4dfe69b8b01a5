"""A release of the sample that was made, and a picture in it that somebody wants gone."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchwright import store
from stand_ins.reader.world import Making, World
from stand_ins.reader.worlds.publishable import RELEASE, label_sample, with_hub


def published(making: Making) -> World:
    """Make the world: the release dresses 1.0.0; IMAGE_ID is shown in it, and can go alone."""

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
    shown = _can_go_alone(episodes["image_ids"].to_pylist())
    return replace(world, swapped={**world.swapped, "IMAGE_ID": shown})


def _can_go_alone(galleries: Sequence[Sequence[str]]) -> str:
    """Return a picture without whose galleries all other pictures are still shown."""
    every = {name for gallery in galleries for name in gallery}
    for one in sorted(every):
        left = {name for gallery in galleries if one not in gallery for name in gallery}
        if left == every - {one}:
            return one
    raise ValueError("each picture takes others along")
