"""Records of a release: the rows of a config that holds them as the workspace did."""

from typing import TypeVar

from benchwright.errors import UsageError
from benchwright.rows import from_table
from evaluation.releases.release import Release

R = TypeVar("R")


def read_records(release: Release, config: str, kind: type[R]) -> list[R]:
    """Return the rows of a config as records, in its order.

    Raises UsageError for a config that the release has not, that is empty, or whose answers are
    held back.
    """
    rows = release.open_rows(config)
    if not len(rows):
        raise UsageError(f"{release.name}: {config} is empty")
    return list(from_table(rows.with_format("arrow")[:], kind))
