"""Which run in a workspace the responses are of that people judged."""

from collections.abc import Iterable
from pathlib import Path

from benchwright.decisions import on_responses
from benchwright.decisions.standing import Thing
from benchwright.errors import BenchwrightError
from benchwright.workspace import Workspace
from labeling.audits.tasks.responses import FILES, run_name


def run_of(things: Iterable[Thing], workspace: Workspace) -> str | None:
    """Return what ``--run`` calls the run of the first response among some things.

    Null where no run in the workspace holds it: it lies elsewhere, or was played anew.
    """
    ids = sorted(each.record_id or "" for each in things if each.field == on_responses.FIELD)
    if not ids:
        return None
    for folder in sorted({path.parent for path in workspace.runs.rglob(FILES)}):
        if ids[0].startswith(f"{_called(folder)}/"):
            return folder.relative_to(workspace.runs).as_posix()
    return None


def _called(folder: Path) -> str | None:
    try:
        return run_name(folder)
    except BenchwrightError:  # it holds what is no table of responses, and nobody judged that
        return None
