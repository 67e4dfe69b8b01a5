"""A workspace with labels that models voted, drafts of all kinds, and people who judge them."""

import shutil
from collections.abc import Callable
from pathlib import Path

from benchwright.workspace import Workspace
from labeling.audits.sheets.keys import sheets_folder
from stand_ins.reader.page import Command
from stand_ins.reader.person import differ, fill_sheet
from stand_ins.reader.world import Making, World
from stand_ins.whole_workspace import store_votes


def audited(making: Making) -> World:
    """Make the world: the workspace, in which nothing was planned yet."""
    making.copied("audited", lambda place: vote_on_sample(making, place))
    making.linked("docs", "tests/data")
    return World(folder=making.folder, before=_people(making))


def vote_on_sample(making: Making, root: Path) -> None:
    """Make a workspace with the votes of three models on thirty dresses, and galleries."""
    where = ("--workspace", root)
    making.console("build-catalog", "sample", "--n", "30", "--workers", "1", *where)
    making.console("label-attributes", "normalise", *where)
    store_votes(Workspace(root))
    making.console("label-attributes", "decide", *where)
    making.console("build-galleries", "--tau", "0.3", *where)


def _people(making: Making) -> Callable[[Command], None]:
    """Return what people do before commands: fill in sheets, and differ where that is wanted."""
    workspace = Workspace(making.folder / "workspace")

    def before(command: Command) -> None:
        words = command.words
        if "--sheet" in words:
            name = Path(words[words.index("--sheet") + 1]).name
            shutil.copyfile(sheets_folder(workspace) / name, making.folder / name)
            fill_sheet(making.folder / name, "yes", {})
        if "disagreements" in words:
            differ(workspace, "ben")

    return before
