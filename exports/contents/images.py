"""The config ``images``: each picture once, its bytes embedded."""

import hashlib
from collections.abc import Iterator, Sequence

import pyarrow as pa

from benchwright.pictures import stored_bytes
from benchwright.records import Item
from benchwright.workspace import Workspace
from exports.contents.records import IMAGES
from exports.provenance.metadata import without_metadata

_BATCH_BYTES, _BATCH_ROWS = 16 << 20, 500  # of pictures that are held at once


def image_tables(
    workspace: Workspace, items: Sequence[Item], *, keep_metadata: bool = False
) -> Iterator[pa.Table]:
    """Yield the rows of pictures in the order given, some megabytes a table.

    Pictures go out without EXIF and the like, unless ``keep_metadata``. Raises LostPicture for one
    that is gone or is not the one that the catalog knows.
    """
    rows: list[dict[str, object]] = []
    held = 0
    for item in items:
        row, size = _row(workspace, item, keep_metadata=keep_metadata)
        rows.append(row)
        held += size
        if held >= _BATCH_BYTES or len(rows) >= _BATCH_ROWS:
            yield pa.Table.from_pylist(rows, schema=IMAGES)
            rows, held = [], 0
    if rows:
        yield pa.Table.from_pylist(rows, schema=IMAGES)


def _row(workspace: Workspace, item: Item, *, keep_metadata: bool) -> tuple[dict[str, object], int]:
    stored = stored_bytes(workspace.images / (item.image or ""))
    data = stored if keep_metadata else without_metadata(stored)
    digest = item.sha256 if data is stored else hashlib.sha256(data).hexdigest()
    row: dict[str, object] = {
        "image_id": item.image_id,
        "image": {"bytes": data, "path": f"{item.image_id}{_suffix(data)}"},
        "sha256": digest,
        "source_sha256": item.sha256,
        "width": item.width,
        "height": item.height,
        "source": item.source,
        "source_id": item.source_id,
        "source_split": item.split,
        "group_id": item.group_id,
        "title": item.title,
        "category": item.category,
        "url": item.url,
        "licence": item.licence,
        "author": item.author,
    }
    return row, len(data)


def _suffix(data: bytes) -> str:
    return ".jpg" if data.startswith(b"\xff\xd8") else ".png"
