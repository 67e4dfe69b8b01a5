"""Embedded pictures laid into one scratch file, from which the workers read them at random.

Pictures are made in the order of their ids, and a Parquet file can only be read in its own.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from builders.invig.draft import Embedded
from builders.invig.rows import Rows

_PREFIX = ".embedded-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """The bytes of one picture in a file."""

    path: Path
    start: int
    size: int

    def read(self) -> bytes:
        """Return the bytes."""
        with self.path.open("rb") as stream:
            stream.seek(self.start)
            return stream.read(self.size)


@contextmanager
def spilled(
    sources: Sequence[Rows], wanted: Sequence[Embedded], folder: Path
) -> Iterator[dict[str, Slice]]:
    """Yield where the bytes of each hash lie; the file in ``folder`` is removed afterwards.

    What a killed process left there is removed as well.
    """
    if not wanted:
        yield {}
        return
    folder.mkdir(parents=True, exist_ok=True)
    for stale in folder.glob(f"{_PREFIX}*"):
        with suppress(OSError), stale.open("rb") as stream:
            if _lock(stream):
                stale.unlink()
    handle, name = tempfile.mkstemp(prefix=_PREFIX, dir=folder)
    path = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            _lock(stream)  # held while the file is in use
            slices = _write(sources, wanted, path, stream)
            stream.flush()
            yield slices
    finally:
        path.unlink(missing_ok=True)


def _write(
    sources: Sequence[Rows], wanted: Sequence[Embedded], path: Path, stream: IO[bytes]
) -> dict[str, Slice]:
    first: dict[str, Embedded] = {}
    for one in wanted:
        first.setdefault(one.sha256, one)
    by_place = {(one.source, one.row): one.sha256 for one in first.values()}
    slices: dict[str, Slice] = {}
    start = 0
    for number, source in enumerate(sources):
        rows = frozenset(row for at, row in by_place if at == number)
        for row, data in source.pictures(rows) if rows else ():
            stream.write(data)
            place = Slice(path=path, start=start, size=len(data))
            slices[by_place[number, row]] = place
            start += len(data)
    return slices


def _lock(stream: IO[bytes]) -> bool:
    """Lock a file while it is open; tell whether no other process holds it."""
    if os.name != "posix":
        return True
    import fcntl  # noqa: PLC0415  # does not exist elsewhere

    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
