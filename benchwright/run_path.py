"""Where a run is that a user names: by its path, or by its name in the workspace."""

from pathlib import Path

from benchwright.errors import UsageError
from benchwright.workspace import Workspace


def run_path(named: str, workspace: Workspace) -> Path:
    """Return the folder of a run, or the file of one made elsewhere.

    What is there comes before a run of the same name in the workspace. Raises UsageError where
    there is neither.
    """
    for path in (Path(named), workspace.runs / named, workspace.root / named):
        if path.exists():
            return path
    raise UsageError(
        f"{named}: no run there, and none of that name in {workspace.runs}; run-benchmark"
        " RELEASE makes runs there, --workspace names another place"
    )
