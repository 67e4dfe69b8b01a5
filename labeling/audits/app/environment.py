"""What FiftyOne must find in its environment before it is imported, and which FiftyOne that is."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Self

from benchwright.errors import UsageError
from benchwright.plain_text import plain
from benchwright.workspace import Workspace
from labeling.audits.app.database import INSTALL_REVIEW, Address

if TYPE_CHECKING:
    from benchwright.asking.voters import Voter

_WANTED = (1, 22)  # documents are inserted past its API, so that each minor version is tried first
_DRAFTER = ("BENCHWRIGHT_VOTERS", "BENCHWRIGHT_DRAFTER")

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafter:
    """The model that writes other drafts: a voters' file, and one voter of it."""

    voters: Path
    name: str

    @classmethod
    def chosen(cls, voters: Path, name: str | None) -> Self:
        """Return the voter of a name, or the first; raises UsageError as ``chosen_voters``."""
        from benchwright.asking.voters import chosen_voters  # noqa: PLC0415  # takes a second

        first = chosen_voters(voters, () if name is None else (name,))[0]
        return cls(voters=voters.resolve(), name=first.name)

    @classmethod
    def of_environment(cls) -> Self | None:
        """Return the one that the App was opened with, if any."""
        voters, name = (os.environ.get(variable) for variable in _DRAFTER)
        return cls(voters=Path(voters), name=name) if voters and name else None

    def voter(self) -> "Voter":
        """Return the voter; raises UsageError where its file no longer has it."""
        from benchwright.asking.voters import chosen_voters  # noqa: PLC0415  # takes a second

        return chosen_voters(self.voters, (self.name,))[0]


def fiftyone_environment(
    address: Address,
    workspace: Workspace,
    auditor: str,
    *,
    dataset: str,
    drafter: Drafter | None = None,
) -> Mapping[str, str]:
    """Return the whole environment of a process in which FiftyOne runs for an auditor.

    ``dataset`` is the audit that they judge, and the only one.
    """
    left = {*_LEFT_OVER, *_DRAFTER}
    kept = {name: value for name, value in os.environ.items() if name not in left}
    if drafter is not None:
        kept |= dict(zip(_DRAFTER, (str(drafter.voters), drafter.name), strict=True))
    return kept | {
        "BENCHWRIGHT_AUDITOR": auditor,
        "BENCHWRIGHT_DATASET": dataset,
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
