"""Writing files so that a crash leaves the old one, the new one, or a leftover; never half."""

import hashlib
import json
import os
import secrets
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from benchwright.errors import WorkspaceError

TEMPORARY = ".part"  # suffix of a file that is still being written
_SYNCING = 4  # threads that wait for the disk


@contextmanager
def atomic(path: Path, *, synced: bool = True) -> Iterator[IO[bytes]]:
    """Open a file to write that takes its name only when it is whole and on the disk.

    With ``synced`` false it is on the disk only after ``sync``: until then a dying process leaves
    it whole, but a power cut may leave anything under its name.

    Raises OSError as the file system does (a full disk among them); the temporary file is then
    removed and whatever stood at ``path`` still stands.
    """
    temporary = _temporary(path)
    try:
        with temporary.open("wb") as stream:
            yield stream
            if synced:
                stream.flush()
                os.fsync(stream.fileno())
        temporary.replace(path)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno is not None:
            error.filename = str(path)  # a full disk does not say by itself which file it was
        raise
    if synced:
        _sync(path.parent)


def write_bytes(path: Path, data: bytes, *, synced: bool = True) -> None:
    """Write a whole file at once; ``synced`` as in ``atomic``."""
    with atomic(path, synced=synced) as stream:
        stream.write(data)


def write_link(path: Path, target: Path) -> None:
    """Put a symbolic link in the place of ``path``, all at once."""
    temporary = _temporary(path)
    temporary.symlink_to(target)
    temporary.replace(path)


def sync(paths: Iterable[Path]) -> None:
    """Bring files, their names and the folders that hold them to the disk.

    Together they cost a twentieth of what they cost one by one: a file system that keeps a
    journal closes it once for many of them, when they come from several threads.

    Raises OSError as the file system does.
    """
    chosen = set(paths)
    folders = {path.parent for path in chosen}
    chosen = {path for path in chosen if not path.is_symlink()}  # those files are somebody else's
    above = {folder.parent for folder in folders}  # in case a folder itself is new
    with ThreadPoolExecutor(_SYNCING) as threads:
        for some in map(list, (chosen, folders, above)):
            list(threads.map(_sync_each, [some[start::_SYNCING] for start in range(_SYNCING)]))


def write_json(path: Path, value: Any) -> None:
    """Write JSON with sorted keys: the same value gives the same bytes."""
    text = json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False)
    write_bytes(path, f"{text}\n".encode())


def read_json_object(path: Path) -> dict[str, Any]:
    """Return the object of a JSON file; an empty one where there is no file, or none such in it.

    It is for notes of our own: without one nothing is lost but time.
    """
    try:
        said = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file in hex, read in pieces."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def remove_leftovers(folder: Path) -> None:
    """Remove what a killed process was still writing in a folder."""
    for path in folder.glob(f"*{TEMPORARY}"):
        path.unlink(missing_ok=True)


@contextmanager
def locked(folder: Path, doing: str) -> Iterator[None]:
    """Keep a second process out of the folder; the lock dies with its process.

    ``doing`` says what it is kept for. Raises WorkspaceError when another process holds it.
    """
    if os.name != "posix":
        yield
        return
    import fcntl  # noqa: PLC0415  # does not exist elsewhere

    with (folder / ".lock").open("w") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise WorkspaceError(
                f"{folder}: another process is {doing}; wait until it is done"
            ) from error
        yield


def _temporary(path: Path) -> Path:
    """Return a name that no other process takes, on whatever machine that shares the folder."""
    return path.with_name(f"{path.name}.{secrets.token_hex(8)}{TEMPORARY}")


def _sync_each(paths: list[Path]) -> None:
    for path in paths:
        _sync(path)


def _sync(path: Path) -> None:
    if os.name != "posix":  # elsewhere a folder cannot be opened, and rename is durable enough
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        error.filename = str(path)
        raise
    finally:
        os.close(handle)
