"""The pictures of a sheet, small enough to send and large enough to judge."""

import base64
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from benchwright.errors import WorkspaceError
from benchwright.thumbnails import read_stored, thumbnail
from benchwright.workspace import Workspace
from builders.catalog import load_items
from labeling.audits.tasks.task import Task, TaskBox

MAIN = (1000, 1000)  # most pixels of the picture of a task
CLOSE = (480, 480)  # of its target from near
SEVERAL = (400, 400)  # of one picture of many
_SMALL = 0.12  # a target that takes less of its picture is shown from near too
_AROUND = 0.3  # of its longer side, what is shown round it
_STORED = re.compile(r"[0-9a-f]{2}/[0-9a-f]{64}\.(jpg|png)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A picture of the catalog as a page shows it, or the part ``crop`` of it.

    ``image`` lies under the catalog's images, ``crop`` is left, top, right, bottom in pixels,
    ``within`` the most width and height that are shown.
    """

    image: str
    within: tuple[int, int]
    crop: tuple[int, int, int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pictured:
    """The picture of an item of the catalog; width and height in pixels."""

    image: str
    width: int
    height: int


def pictured(workspace: Workspace, tasks: Iterable[Task]) -> Mapping[str, Pictured]:
    """Return the pictures of tasks by image id.

    Raises WorkspaceError where the catalog has none of a task.
    """
    wanted = sorted({task.image_id for task in tasks})
    items = load_items(workspace, ["image_id", "image", "width", "height"])
    chosen = items.filter(pc.is_in(items.column("image_id"), pa.array(wanted, pa.string())))
    found = {
        row["image_id"]: Pictured(image=row["image"], width=row["width"], height=row["height"])
        for row in chosen.to_pylist()
        if row["image"] is not None
    }
    lost = [image_id for image_id in wanted if image_id not in found]
    if lost:
        raise WorkspaceError(
            f"{workspace.catalog}: has no picture of {lost[0]} ({len(lost)} of {len(wanted)} that"
            " are to be judged); make the plan or the dialogues again for this catalog"
        )
    return found


def other_images(shown: Any) -> Iterator[str]:
    """Yield the pictures of the catalog that are named anywhere in what a task shows, in order."""
    if isinstance(shown, str):
        if _STORED.fullmatch(shown):
            yield shown
    elif isinstance(shown, Mapping):
        for value in shown.values():
            yield from other_images(value)
    elif isinstance(shown, list | tuple):
        for value in shown:
            yield from other_images(value)


def closeups(picture: Pictured, boxes: Iterable[TaskBox]) -> Iterator[Shot]:
    """Yield targets that are small in their picture, from near."""
    for box in boxes:
        left, top, width, height = box.bbox
        if not box.is_target or width * height > _SMALL * picture.width * picture.height:
            continue
        around = _AROUND * max(width, height)
        crop = (
            max(0, floor(left - around)),
            max(0, floor(top - around)),
            min(picture.width, ceil(left + width + around)),
            min(picture.height, ceil(top + height + around)),
        )
        if crop[0] < crop[2] and crop[1] < crop[3]:
            yield Shot(image=picture.image, within=CLOSE, crop=crop)


def data_uri(workspace: Workspace, shot: Shot) -> str:
    """Return a picture as a JPEG in a data URI.

    Raises LostPicture when it is gone or another.
    """
    with read_stored(workspace.images / shot.image) as picture:
        small = thumbnail(picture if shot.crop is None else picture.crop(shot.crop), shot.within)
    data = io.BytesIO()
    small.save(data, "JPEG", quality=85)
    return "data:image/jpeg;base64," + base64.b64encode(data.getvalue()).decode()
