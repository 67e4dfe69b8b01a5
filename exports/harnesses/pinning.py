"""Where a task finds its release: a folder, or one commit of a repository on the Hub."""

from dataclasses import dataclass
from pathlib import Path

from benchwright.errors import UsageError
from benchwright.release_places import resolved
from exports.locking.lock import Lock, read_lock
from exports.pushing.fetching import downloaded, named


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinned:
    """A release that stands: ``folder`` is here; ``path`` and ``revision`` are what to load.

    ``revision`` is a commit, null for a folder.
    """

    folder: Path
    path: str
    revision: str | None
    lock: Lock


def pinned(release: str) -> Pinned:
    """Return the pin of a release, given as its folder or as REPO@TAG.

    Raises UsageError for what is no release, and what ``resolved`` raises.
    """
    place = resolved(release)
    folder = downloaded(place)
    with named(release, folder):
        lock = read_lock(folder)
    if lock is None:
        raise UsageError(f"{release}: has no release.lock.json; name a release, NAME/VERSION")
    path = place.path if place.commit else str(folder.resolve())
    return Pinned(folder=folder, path=path, revision=place.commit, lock=lock)
