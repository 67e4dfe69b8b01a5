"""What a version says as the one before it did, where nobody says otherwise."""

from dataclasses import replace
from typing import Any

from benchwright.workspace import Workspace
from exports.building.settings import ReleaseSettings
from exports.locking.lock import read_lock
from exports.names import Version, release_folder, versions_of


def carried(
    workspace: Workspace, name: str, version: Version, settings: ReleaseSettings
) -> tuple[ReleaseSettings, str | None]:
    """Return settings with title and authors of the version before where none are given.

    A version that stands already is its own example, so that making it again is nothing to do. The
    text says in a line what was taken from an earlier one; it is null where nothing was.

    Raises WorkspaceError for a lock that cannot be read.
    """
    before = max((one for one in versions_of(workspace, name) if one <= version), default=None)
    lock = None if before is None else read_lock(release_folder(workspace, name, before))
    if lock is None:
        return settings, None
    taken: dict[str, Any] = {}
    if settings.title is None and lock.settings.get("title"):
        taken["title"] = lock.settings["title"]
    if not settings.authors and lock.settings.get("authors"):
        taken["authors"] = tuple(lock.settings["authors"])
    if not taken:
        return settings, None
    said = f"{' and '.join(taken)} as in {before}, since none are given"
    return replace(settings, **taken), None if before == version else said
