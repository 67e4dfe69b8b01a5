"""What becomes of the picture of a row: stored, or refused for a reason."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

import pyarrow as pa

from benchwright import files
from benchwright.engines.second_look import agreed
from benchwright.errors import PictureError
from benchwright.pictures import Picture, store_picture
from benchwright.progress import Progress
from benchwright.records import Item, Reject
from benchwright.store import StageWriter
from benchwright.workers import Workers

S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)

PART_ROWS = 500  # pictures between two points that a killed run goes on from
_BATCH = 8  # pictures handed to a worker at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Generic[S_co]):
    """An item without its picture; ``picture`` is what one is made of, null for none.

    ``row`` and ``path`` say where it stood, for the reject that it may become; ``where`` says it
    in words, for the reject's message.
    """

    item: Item
    picture: S_co | None
    row: int | None = None
    path: str | None = None
    where: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A stored picture (its path under the images, its hash, its size in pixels) or a refusal.

    With all fields null it stands for an entry that has no picture and needs none.
    """

    image: str | None = None
    sha256: str | None = None
    width: int | None = None
    height: int | None = None
    is_animated: bool = False
    orientation: int = 1  # the EXIF orientation that was undone
    reason: str | None = None
    message: str | None = None


def refuse(entry: Entry[Any], reason: str, message: str | None) -> Reject:
    """Return the reject that an entry becomes."""
    where = "" if entry.where is None else f"{entry.where}: "
    return Reject(
        source=entry.item.source,
        source_id=entry.item.source_id,
        row=entry.row,
        path=entry.path,
        reason=reason,
        message=f"{where}{message}",
    )


_SCHEMA = pa.schema(
    [
        pa.field("image", pa.string()),
        pa.field("sha256", pa.string()),
        pa.field("width", pa.int32()),
        pa.field("height", pa.int32()),
        pa.field("is_animated", pa.bool_(), nullable=False),
        pa.field("orientation", pa.int32(), nullable=False),
        pa.field("reason", pa.string()),
        pa.field("message", pa.string()),
    ]
)


def outcome_of(
    make: Callable[[S], Picture],
    images: Path,
    source: S,
    *,
    synced: bool = True,
    link: bool = False,
) -> Outcome:
    """Make and store one picture; runs in a worker process.

    ``synced`` and ``link`` as in ``store_picture``.
    """
    try:
        picture = make(source)
    except PictureError as error:
        return Outcome(reason=error.reason, message=str(error))
    return Outcome(
        image=store_picture(picture, images, synced=synced, link=link),
        sha256=picture.sha256,
        width=picture.width,
        height=picture.height,
        is_animated=picture.is_animated,
        orientation=picture.orientation,
    )


def make_pictures(
    writer: StageWriter,
    sources: Sequence[S],
    make: Callable[[S], Picture],
    *,
    images: Path,
    workers: Workers,
    progress: Progress,
    link: bool = False,
) -> list[Outcome]:
    """Make and store a picture of each source, in parts that outlive a killed run."""
    outcomes: list[Outcome] = []
    parts = range(0, len(sources), PART_ROWS)
    for number, start in enumerate(parts):
        block = sources[start : start + PART_ROWS]
        shown = progress(f"pictures, part {number + 1} of {len(parts)}", len(block))
        one = partial(outcome_of, make, images, synced=False, link=link)
        work = partial(_part, block, one, images)
        table = writer.part(f"pictures-{number:05d}", partial(work, workers, shown))
        outcomes += [Outcome(**row) for row in table.to_pylist()]
    return outcomes


def _part(
    block: Sequence[S],
    work: Callable[[S], Outcome],
    images: Path,
    workers: Workers,
    shown: Callable[[Iterable[Any]], Iterable[Any]],
) -> pa.Table:
    """Return the outcomes of a part; all its pictures are on the disk before it is recorded."""
    results = workers.map_ordered(work, block, batch=_BATCH)
    made = list(shown(agreed(workers, work, block, results, _why)))
    files.sync(images / outcome.image for outcome in made if outcome.image is not None)
    columns = ([getattr(one, name) for one in made] for name in _SCHEMA.names)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, _SCHEMA, strict=True)]
    return pa.Table.from_arrays(arrays, schema=_SCHEMA)


def _why(outcome: Outcome) -> str | None:
    return outcome.message
