"""Where a run is that a user names: by its folder, or by its name in the workspace."""

from pathlib import Path

from benchwright.errors import UsageError
from benchwright.workspace import Workspace


def run_folder(named: str, workspace: Workspace) -> Path:
    """Return the folder of a run; raise UsageError where none is there.

    A folder that is there comes before a run of the same name in the workspace.
    """
    for path in (Path(named), workspace.runs / named, workspace.root / named):
        if path.is_dir():
            return path
    raise UsageError(f"{named}: no run there, and none of that name in {workspace.runs}")
