"""Which picture a row is about: one canonical id for all the ways of naming it.

The pictures are those of Open Images, whose ids are 16 hex digits. Such an id is found in
``openimages.ID``, in an id by itself, and at the start of a file name (``ID_Label_3.jpg``); it is
the canonical id, in lower case. Without one it is the global id as it stands, else the id, else
the file name, else the hash of the embedded bytes.
"""

import re
from collections.abc import Sequence
from typing import Any

from builders.invig.draft import Embedded, PictureName, Unfit
from builders.invig.fields import canonical_id, shown

_OPEN_IMAGES = re.compile(r"(?:openimages\.)?([0-9a-f]{16})", re.IGNORECASE)
_AT_THE_START = re.compile(r"([0-9a-f]{16})(?![0-9a-z])", re.IGNORECASE)
_SCHEME = re.compile(r"https?://", re.IGNORECASE)


def picture_of(
    *, ids: Sequence[Any] = (), names: Sequence[Any] = (), image: Any = None, url: Any = None
) -> PictureName:
    """Return how a row names its picture.

    ``ids`` and ``names`` are what the row has, the most trusted first, None for what it lacks;
    ``image`` is a file name, a link or an Embedded.

    Raises Unfit: ``no_picture`` where nothing is named, ``picture_unclear`` where two different
    pictures are.
    """
    embedded = image if isinstance(image, Embedded) else None
    spelled = [*names, embedded.name if embedded else image, url]
    for name in spelled:
        if name is not None and not isinstance(name, str):
            raise Unfit("no_picture", f"{shown(name)} is no name of a picture")
    texts = [name for name in spelled if name and name.strip()]
    links = [text for text in texts if _SCHEME.match(text)]
    files = tuple(dict.fromkeys(text for text in texts if text not in links))
    given = [text for value in ids if (text := canonical_id(value, "the picture's id"))]
    return PictureName(
        source_id=_canonical(given, [*files, *links], embedded),
        names=files,
        url=links[0] if links else None,
        embedded=embedded,
    )


def open_images_id(name: str) -> str | None:
    """Return the Open Images id that a file name starts with, in lower case."""
    found = _AT_THE_START.match(base_name(name))
    return found[1].lower() if found else None


def base_name(name: str) -> str:
    """Return the last part of a path of any system, or of a link."""
    return name.replace("\\", "/").rstrip("/").rpartition("/")[2]


def _canonical(given: Sequence[str], names: Sequence[str], embedded: Embedded | None) -> str:
    known = [match[1].lower() for text in given if (match := _OPEN_IMAGES.fullmatch(text))]
    known += [found for name in names if (found := open_images_id(name))]
    if len(set(known)) > 1:
        raise Unfit("picture_unclear", f"names the pictures {', '.join(sorted(set(known)))}")
    if known:
        return known[0]
    if given or names:
        return [*given, *names][0]
    if embedded is not None:
        return f"sha256:{embedded.sha256}"
    raise Unfit("no_picture", "the row names no picture and holds none")
