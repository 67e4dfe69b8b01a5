"""Pictures that a release embeds, written as files for tools that want files."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchwright import files
from benchwright.errors import UsageError
from benchwright.plain_text import excerpt

_NAME = re.compile(r"[A-Za-z0-9_-]{1,100}\.(?:jpg|png)")  # an image id and what it is


def write_embedded(image: Mapping[str, Any], folder: Path, *, synced: bool = True) -> Path:
    """Write a picture, given as the ``bytes`` and ``path`` of its row, and return its file.

    Releases are downloaded from strangers: raises UsageError for a path that would lead elsewhere.
    """
    name = image["path"]
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise UsageError(
            f"the release names a picture {excerpt(str(name))!r}, and not by an image id with .jpg"
            " or .png; push-release verify says what else is wrong with it"
        )
    path = folder / name
    files.write_bytes(path, image["bytes"], synced=synced)
    return path
