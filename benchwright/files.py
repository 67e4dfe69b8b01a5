"""Writing files so that a crash leaves the old one, the new one, or a leftover; never half."""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

TEMPORARY = ".part"  # suffix of a file that is still being written


@contextmanager
def atomic(path: Path) -> Iterator[IO[bytes]]:
    """Open a file to write that takes its name only when it is whole and on the disk.

    Raises OSError as the file system does (a full disk among them); the temporary file is then
    removed and whatever stood at ``path`` still stands.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}{TEMPORARY}")
    try:
        with temporary.open("wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a whole file at once."""
    with atomic(path) as stream:
        stream.write(data)


def write_json(path: Path, value: Any) -> None:
    """Write JSON with sorted keys: the same value gives the same bytes."""
    text = json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False)
    write_bytes(path, f"{text}\n".encode())


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file in hex, read in pieces."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def remove_leftovers(folder: Path) -> None:
    """Remove what a killed process was still writing in a folder."""
    for path in folder.glob(f"*{TEMPORARY}"):
        path.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":  # elsewhere a folder cannot be opened, and rename is durable enough
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
