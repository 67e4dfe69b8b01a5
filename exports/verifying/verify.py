"""Verifying a release from nothing but itself."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from benchwright.errors import UsageError
from benchwright.progress import Progress, no_progress
from exports.locking.lock import Lock, read_lock
from exports.names import LOCK
from exports.verifying.files import check_files
from exports.verifying.finding import Finding
from exports.verifying.following import check_dialogues, check_episodes
from exports.verifying.resolving import check_ids
from exports.verifying.rows import check_card, check_pictures, check_rows

Check = Callable[[Path, Lock], Finding]

# each rests on those before it
_CHECKS = (check_files, check_rows, check_pictures, check_card, check_ids)
_THAT_FOLLOW = (check_episodes, check_dialogues)


def verify_release(folder: Path, *, progress: Progress = no_progress) -> list[Finding]:
    """Return what each check of a release finds.

    Where the files are not those of the lock nothing else is looked at: what they hold is not what
    was released. Raises UsageError for a folder that holds no release, WorkspaceError for a lock
    that cannot be read.
    """
    lock = read_lock(folder)
    if lock is None:
        raise UsageError(f"{folder}: has no {LOCK}, so it is no release; name the folder of one")
    checks = progress("verifying", len(_CHECKS) + len(_THAT_FOLLOW))((*_CHECKS, *_THAT_FOLLOW))
    return list(_found(folder, lock, checks))


def _found(folder: Path, lock: Lock, checks: Iterable[Check]) -> Iterator[Finding]:
    for check in checks:
        found = check(folder, lock)
        yield found
        if check in (check_files, check_ids) and not found.holds:
            return
