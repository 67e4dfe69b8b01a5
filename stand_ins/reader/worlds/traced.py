"""A scored run of a release of voted labels, and a catalog with rows that were left out."""

from pathlib import Path

from benchwright import store
from benchwright.workspace import Workspace
from exports.building.build import build_release
from exports.building.settings import ReleaseSettings
from exports.names import Version
from stand_ins.reader.world import ROOT, Making, World
from stand_ins.reader.worlds.audited import vote_on_sample
from stand_ins.reader.worlds.released import WAIVED

_GALLERIES = "hidden-target-tau-0.4"
_RUN = f"{_GALLERIES}-reference"
_OF_THE_PAGE = "36aa8f16baaa1566"  # the episode that it follows
_UCI = ROOT / "tests" / "data" / "uci_dresses" / "dresses.csv"


def traced(making: Making) -> World:
    """Make the world: the workspaces dresses, with a run, and uci."""

    def play(root: Path) -> None:
        where = ("--workspace", root)
        vote_on_sample(making, root)
        making.console("build-galleries", "--tau", "0.4", *where)
        settings = ReleaseSettings(waived=WAIVED)
        build_release(Workspace(root), "dresses", Version.of("1.0.0"), settings)
        release = root / "releases" / "dresses" / "1.0.0"
        options = ("--config", _GALLERIES, "--player", "greedy", "--run", _RUN)
        making.console("run-benchmark", release, *options, *where)
        making.console("run-benchmark", "score", _RUN, *where)

    root = making.copied("traced", play, to="dresses")
    making.console("build-catalog", "table", _UCI, "--workspace", making.folder / "uci")
    episodes = store.read_table(root / "galleries" / "tau-0.4", "episodes.parquet")
    first = episodes["episode_id"][0].as_py()
    return World(folder=making.folder, swapped={_OF_THE_PAGE: first})
