"""Names of files in COCO: the split that they speak of, and the folders before a picture."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from builders.coco.values import clean, link_of
from builders.splits import Split, split_in

_DRIVE = re.compile(r"[a-zA-Z]:(?=[\\/])")


def split_of_file(path: Path) -> Split | None:
    """Return the split of a COCO file, from its name, else from its folder's."""
    return split_in(path.stem) or split_in(path.absolute().parent.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureName:
    """A picture's file as a COCO file names it; ``parts`` are its folders and its base name.

    ``given`` is the name as it stands, where it may be tried so: not for a link.
    """

    given: str | None
    parts: tuple[str, ...]
    is_absolute: bool
    climbs: bool  # it has a '..'


def picture_name(value: object) -> PictureName | None:
    """Read a file name, a path of any system, or a link; None for what names no file."""
    text = clean(value) if isinstance(value, str) else ""
    link = link_of(text)
    if link is not None:
        try:
            path = unquote(urlsplit(link).path)
        except ValueError:
            return None
    else:
        path = _DRIVE.sub("", text)
    path = clean(unicodedata.normalize("NFC", path)).replace("\\", "/")
    parts = tuple(part for part in path.split("/") if part not in ("", "."))
    if not parts or "\0" in path:
        return None
    return PictureName(
        given=None if link else text,
        parts=parts,
        is_absolute=link is not None or path.startswith("/"),
        climbs=".." in parts,
    )


def common_folders(names: Sequence[PictureName]) -> int:
    """Return how many folders all names begin with alike: they say nothing of a picture."""
    if not names:
        return 0
    first, last = min(name.parts for name in names), max(name.parts for name in names)
    count = 0
    for one, other in zip(first[:-1], last[:-1], strict=False):
        if one != other:
            break
        count += 1
    return count
