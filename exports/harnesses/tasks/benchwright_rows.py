"""Rows and pictures of the release that a task is pinned to."""

import base64
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

Row = dict[str, Any]


@lru_cache(maxsize=4)
def rows_of(folder: Path, config: str) -> Any:
    """Return a config of the release that the task in a folder is pinned to.

    It is a ``datasets.Dataset``; pictures are left as bytes.
    """
    from datasets import Image, load_dataset  # noqa: PLC0415

    pin = json.loads((folder / "release.json").read_text("utf-8"))
    rows = load_dataset(pin["path"], config, split="test", revision=pin["revision"])
    return rows.cast_column("image", Image(decode=False)) if config == "images" else rows


@lru_cache(maxsize=4)
def _places(folder: Path) -> dict[str, int]:
    return {name: at for at, name in enumerate(rows_of(folder, "images")["image_id"])}


def picture_bytes(folder: Path, image_id: str) -> bytes:
    """Return a picture of the release, a JPEG or a PNG; raises KeyError for an unknown id."""
    data: bytes = rows_of(folder, "images")[_places(folder)[image_id]]["image"]["bytes"]
    return data


def picture_link(folder: Path, image_id: str) -> str:
    """Return a picture as a data URI."""
    data = picture_bytes(folder, image_id)
    kind = "jpeg" if data.startswith(b"\xff\xd8") else "png"
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
