"""Pictures in folders: what a source names, found on the disk and read."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from benchwright.errors import PictureError
from benchwright.pictures import Picture, locate, read_file
from benchwright.records import Reject
from builders.links import Link
from builders.outcomes import Entry, refuse

PICTURES = "pictures/"  # their name among a plan's inputs; no file has a slash in its name


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A picture file as a source names it, relative to a folder."""

    folder: Path
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """A picture that is not there, and why: a reason for the rejects, and a message."""

    reason: str
    message: str


def locate_pictures(
    entries: Sequence[Entry[Link | Reference]],
) -> tuple[list[Entry[Link | Path]], list[tuple[str, int | None]], list[Reject]]:
    """Return the entries with the files that their references mean, the sizes, and the lost."""
    found: list[Entry[Link | Path]] = []
    sizes: list[tuple[str, int | None]] = []
    lost: list[Reject] = []
    for entry in entries:
        if not isinstance(entry.picture, Reference):
            found.append(_with_picture(entry, entry.picture))
            continue
        name = entry.picture.name
        try:
            path = locate(entry.picture.folder, name)
            sizes.append((name, path.stat().st_size))
            found.append(_with_picture(entry, path))
        except PictureError as error:
            sizes.append((name, None))
            lost.append(refuse(entry, error.reason, str(error)))
    return found, sizes, lost


def _with_picture(entry: Entry[Any], picture: Link | Path | None) -> Entry[Link | Path]:
    return cast("Entry[Link | Path]", replace(entry, picture=picture))


def read_found(found: Path | Missing) -> Picture:
    """Read a picture that was found; raises PictureError, also for one that was not."""
    if isinstance(found, Missing):
        raise PictureError(found.reason, found.message)
    return read_file(found)


def pictures_digest(sizes: Iterable[tuple[str, int | None]]) -> str:
    """Return one sha256 of the local pictures that a source names, and of their sizes in bytes.

    Reading them all just to see that nothing changed would cost what the build costs, and times
    of change are not the same on two machines; so a picture replaced by one of just the same size
    goes unnoticed here (``--force`` makes the catalog again). The hash of the bytes themselves
    stands in each item.
    """
    lines = "\n".join(sorted({f"{name}\0{size}" for name, size in sizes}))
    return hashlib.sha256(lines.encode("utf-8", "surrogatepass")).hexdigest()
