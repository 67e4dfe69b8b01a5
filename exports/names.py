"""What releases, their versions and their configs are called, and where they lie."""

import re
from dataclasses import dataclass
from functools import total_ordering
from pathlib import Path
from typing import Self

from benchwright.errors import UsageError
from benchwright.plain_text import excerpt
from benchwright.workspace import Workspace

CARD = "README.md"
LOCK = "release.lock.json"  # written last: a folder without it is no release
_NAME = re.compile(r"(?!.*\.(?:git|ipynb)$)[a-z0-9]+(?:[-_.][a-z0-9]+)*")
_CONFIG = re.compile(r"[a-z0-9]+(?:[-.][a-z0-9]+)*")
_VERSION = re.compile(r"(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})")
_LONGEST = 80


@total_ordering
@dataclass(frozen=True, slots=True)
class Version:
    """A version: major, minor, patch."""

    major: int
    minor: int
    patch: int

    @classmethod
    def of(cls, text: str) -> Self:
        """Return the version that a text says; raises UsageError for another text."""
        match = _VERSION.fullmatch(text)
        if match is None:
            raise UsageError(
                f"--version wants three numbers such as 1.0.0, got {excerpt(text)}; a leading v,"
                " zeros in front and suffixes are not taken"
            )
        return cls(*(int(part) for part in match.groups()))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"

    def __lt__(self, other: "Version") -> bool:
        return (self.major, self.minor, self.patch) < (other.major, other.minor, other.patch)

    @property
    def tag(self) -> str:
        """What the version is called on the Hub."""
        return f"v{self}"


def checked_name(name: str) -> str:
    """Return the name of a release; raises UsageError for one that the Hub or a disk refuses."""
    if _NAME.fullmatch(name) is None or len(name) > _LONGEST:
        raise UsageError(
            f"a release wants a name of small letters and digits, with single - _ or . between"
            f" ({_LONGEST} characters at most) and no .git or .ipynb at its end,"
            f" got {excerpt(name)}"
        )
    return name


def checked_config(name: str) -> str:
    """Return the name of a config, which ``datasets`` and every disk takes.

    Raises ValueError: the names are ours.
    """
    if _CONFIG.fullmatch(name) is None:
        raise ValueError(f"no name of a config: {name!r}")
    return name


def release_folder(workspace: Workspace, name: str, version: Version) -> Path:
    """Return where a release lies in a workspace."""
    return workspace.releases / checked_name(name) / str(version)


def versions_of(workspace: Workspace, name: str) -> list[Version]:
    """Return the finished versions of a release, the oldest first."""
    folder = workspace.releases / checked_name(name)
    if not folder.is_dir():
        return []
    return sorted(
        Version.of(entry.name)
        for entry in folder.iterdir()
        if _VERSION.fullmatch(entry.name) and (entry / LOCK).is_file()
    )
