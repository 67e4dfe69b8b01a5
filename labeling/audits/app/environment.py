"""What FiftyOne must find in its environment before it is imported, and which FiftyOne that is."""

import os
import re
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchwright.errors import UsageError
from benchwright.plain_text import plain
from benchwright.workspace import Workspace
from labeling.audits.app.database import INSTALL_REVIEW, Address

_WANTED = (1, 22)  # documents are inserted past its API, so that each minor version is tried first
_LONGEST_NAME = 64

# what a session of FiftyOne's own may have left, and would join another database by
_LEFT_OVER = ("FIFTYONE_PRIVATE_DATABASE_PORT", "FIFTYONE_DISABLE_SERVICES", "FIFTYONE_SERVER")


def check_fiftyone() -> None:
    """Raise UsageError, with what to install, unless FiftyOne 1.22 is here; it is not imported."""
    try:
        found = version("fiftyone")
    except PackageNotFoundError as error:
        raise UsageError(
            f"the App wants FiftyOne, which is not installed; run {INSTALL_REVIEW}, or judge on a"
            " sheet with review-labels sheet"
        ) from error
    numbers = tuple(map(int, re.findall(r"\d+", found)[:2]))
    if numbers != _WANTED:
        raise UsageError(
            f"the App wants FiftyOne 1.22, {plain(found)} is installed; run {INSTALL_REVIEW}, or"
            " judge on a sheet with review-labels sheet"
        )


def auditor_name(name: str) -> str:
    """Return the name of an auditor without blanks round it.

    Raises UsageError unless it has 1 to 64 printable characters.
    """
    trimmed = name.strip()
    if not trimmed or len(trimmed) > _LONGEST_NAME or not trimmed.isprintable():
        raise UsageError(
            f"--auditor {plain(name)[:80]!r}: a name has 1 to {_LONGEST_NAME} printable characters;"
            " choose another"
        )
    return trimmed


def fiftyone_environment(address: Address, workspace: Workspace, auditor: str) -> Mapping[str, str]:
    """Return the whole environment of a process in which FiftyOne runs for an auditor."""
    kept = {name: value for name, value in os.environ.items() if name not in _LEFT_OVER}
    return kept | {
        "BENCHWRIGHT_AUDITOR": auditor,
        "BENCHWRIGHT_WORKSPACE": str(workspace.root.resolve()),
        "FIFTYONE_APP_GRID_ZOOM": "8",
        "FIFTYONE_DATABASE_NAME": address.name,
        "FIFTYONE_DATABASE_URI": address.uri,
        "FIFTYONE_DATABASE_VALIDATION": "false",  # it warns of the mongod that comes with it
        "FIFTYONE_DO_NOT_TRACK": "true",
        "FIFTYONE_PLUGINS_CACHE_ENABLED": "true",  # else each request imports the plugin again
        "FIFTYONE_PLUGINS_DIR": str(Path(__file__).parent / "plugin"),
        "FIFTYONE_SHOW_PROGRESS_BARS": "false",
    }
