"""Two workspaces of drawn dresses, one of known labels, and an ensemble of the small CLIP."""

import shutil

from stand_ins.reader.world import ROOT, Making, World

_SIZES = {"known": "100", "mine": "20"}


def embedded(making: Making) -> World:
    """Make the world: the workspaces known and mine, and ensemble.yaml."""
    for name, size in _SIZES.items():
        where = ("--workspace", making.folder / name)
        making.console("build-catalog", "sample", "--n", size, "--workers", "1", *where)
    source = ROOT / "docs" / "examples" / "embedded.yaml"
    shutil.copyfile(source, making.folder / "ensemble.yaml")
    return World(folder=making.folder)
