"""Whether the files of a release are, byte for byte, those of its lock."""

from collections.abc import Iterator
from pathlib import Path

from benchwright.files import sha256_of
from exports.locking.lock import Lock
from exports.names import CARD, LOCK
from exports.verifying.finding import Finding, finding
from exports.verifying.released import Released

_DATA = "data"  # the folder of the shards, of which whoever loads a release loads all


def check_files(release: Released) -> Finding:
    """Check size and hash of each file but the card, and that no other is among the shards.

    What else people put beside them, on the Hub or here, is not of the release.
    """
    folder, lock = release.folder, release.lock
    looked_at = f"{len(lock.files) + 2:,} files: all but {CARD} and {LOCK} by their sha256"
    return finding("files", looked_at, _faults(folder, lock))


def _faults(folder: Path, lock: Lock) -> Iterator[str]:
    for name, held in lock.files.items():
        path = folder / name
        if not path.is_file():
            yield f"{name}: is missing"
        elif path.stat().st_size != held.size:
            yield f"{name}: {path.stat().st_size:,} bytes, the lock says {held.size:,}"
        elif sha256_of(path) != held.sha256:
            yield f"{name}: has other bytes than the lock says"
    for path in sorted((folder / _DATA).rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name not in lock.files:
            yield f"{name}: is not in the lock"
