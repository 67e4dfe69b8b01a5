"""A clone of the repository in which nothing was made yet, models that can be asked, and a Hub."""

from dataclasses import replace

from stand_ins.reader.world import Making, World
from stand_ins.reader.worlds.publishable import RELEASE, with_hub

_FEW = 5  # of the 472 episodes are played by a model: each takes some calls with ten pictures


def bare(making: Making) -> World:
    """Make the world: what the repository holds, voters.yaml, and no workspace."""
    making.linked("tests/data", "docs")
    world = with_hub(making, making.folder / "workspace" / RELEASE)
    return replace(
        world, swapped={"--model NAME": f"--model NAME --episodes {_FEW}", **world.swapped}
    )
