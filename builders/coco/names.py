"""Names of files in COCO: the split that they speak of, and the folders before a picture."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from builders.coco.values import clean, link_of

_SPLIT = re.compile(
    r"(?<![a-z])(test-?dev|trainval|valminusminival|minival|train(?:ing)?|val(?:id(?:ation)?)?"
    r"|test(?:ing)?|dev|unlabeled)(?:20\d\d)?(?![a-z0-9])",
    re.IGNORECASE,
)
_ONE_WORD = {"training": "train", "valid": "val", "validation": "val", "testing": "test"}
_DRIVE = re.compile(r"[a-zA-Z]:(?=[\\/])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """A split as a name spells it (``train2017``) and as the catalog does (``train``)."""

    spelled: str
    name: str


def split_in(text: str) -> Split | None:
    """Return the split that a name speaks of; None where there is none, or more than one."""
    found = {
        Split(spelled=match[0], name=_ONE_WORD.get(match[1].lower(), match[1].lower()))
        for match in _SPLIT.finditer(text)
    }
    return found.pop() if len(found) == 1 else None


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
