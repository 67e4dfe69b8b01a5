"""Whether the files of a release are, byte for byte, those of its lock."""

from collections.abc import Iterator
from pathlib import Path

from benchwright.files import sha256_of
from exports.locking.lock import Lock
from exports.names import CARD, LOCK
from exports.verifying.finding import Finding, finding

_OF_THE_HUB = frozenset({".gitattributes", ".cache"})  # which a download brings along


def check_files(folder: Path, lock: Lock) -> Finding:
    """Check size and hash of each file but the card, and that there is no other."""
    return finding("files", f"{len(lock.files):,} files by their sha256", _faults(folder, lock))


def _faults(folder: Path, lock: Lock) -> Iterator[str]:
    for name, held in lock.files.items():
        path = folder / name
        if not path.is_file():
            yield f"{name}: is missing"
        elif path.stat().st_size != held.size:
            yield f"{name}: {path.stat().st_size:,} bytes, the lock says {held.size:,}"
        elif sha256_of(path) != held.sha256:
            yield f"{name}: has other bytes than the lock says"
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        is_ours = name in (CARD, LOCK) or name in lock.files or name.split("/")[0] in _OF_THE_HUB
        if path.is_file() and not is_ours:
            yield f"{name}: is not in the lock"
