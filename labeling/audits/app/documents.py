"""A task as a document of FiftyOne's, and what of it is kept away from the screen."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zlib import crc32

from bson import ObjectId

from labeling.audits.tasks.task import Task

Document = dict[str, Any]
_JSON = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskPicture:
    """A picture of the catalog: where its file is, absolute, and its size in pixels."""

    path: str
    width: int
    height: int
    metadata: Mapping[str, Any] = field(init=False)  # as FiftyOne has it, one for all tasks

    def __post_init__(self) -> None:
        metadata = {
            "_cls": "ImageMetadata",
            "size_bytes": None,
            "mime_type": None,
            "width": self.width,
            "height": self.height,
            "num_channels": None,
        }
        object.__setattr__(self, "metadata", metadata)


def sample_document(
    task: Task,
    shown: str,
    rank: int,
    picture: TaskPicture,
    *,
    facets: Iterable[str],
    dataset_id: Any,
    made: datetime,
) -> Document:
    """Return the sample of a task that nobody judged yet, just as FiftyOne would write it.

    ``shown`` is ``shown_text(task)``, ``made`` when.
    """
    return {
        "_id": ObjectId(),
        "_dataset_id": dataset_id,
        "_media_type": "image",
        "_rand": crc32(task.task_id.encode()) / 2**32,
        "tags": (),
        "created_at": made,
        "last_modified_at": made,
        **content(task, shown, picture, facets),
        "task_id": task.task_id,
        "kind": task.kind,
        "rank": rank,
        "looks": task.looks,
        "open": task.looks,
        "seen_by": "" if task.looks else None,
        "disputed": False,
        "auditors": (),
        "judged_by": (),
        "slot_1": None,
        "slot_2": None,
        "claim": None,
    }


def content(task: Task, shown: str, picture: TaskPicture, facets: Iterable[str]) -> Document:
    """Return the part of a sample that is judged, which may change until somebody has."""
    return {
        "filepath": picture.path,
        "metadata": picture.metadata,
        **dict.fromkeys(facets),
        **task.facets,
        "boxes": _boxes(task, picture),
        "task": shown,
    }


def shown_text(task: Task) -> str:
    """Return what the screen shows of a task, as JSON."""
    return _JSON.encode(task.shown)


def key_document(dataset: str, task: Task, shown: str) -> Document:
    """Return what of a task may not be seen where it is judged.

    Its ``digest`` tells whether a task is still the one that was stored.
    """
    thing = task.thing
    said = f"{shown}\0{task.facets!r}\0{task.boxes!r}\0{task.image_id}\0{thing!r}\0{task.before!r}"
    return {
        "_id": f"{dataset}/{task.task_id}",
        "dataset": dataset,
        "task_id": task.task_id,
        "kind": task.kind,
        "picture": task.image_id,
        "image_id": thing.image_id,
        "object_id": thing.object_id,
        "record_id": thing.record_id,
        "field": thing.field,
        "before": task.before,
        "stratum": task.stratum,
        "probability": task.probability,
        "digest": hashlib.blake2b(said.encode(), digest_size=16).hexdigest(),
    }


def _boxes(task: Task, picture: TaskPicture) -> Document | None:
    if not task.boxes:
        return None
    return {
        "_cls": "Detections",
        "detections": [
            {
                "_id": ObjectId(),
                "_cls": "Detection",
                "attributes": {},
                "tags": [],
                "label": box.label,
                "bounding_box": [
                    box.bbox[0] / picture.width,
                    box.bbox[1] / picture.height,
                    box.bbox[2] / picture.width,
                    box.bbox[3] / picture.height,
                ],
                "is_target": box.is_target,
            }
            for box in task.boxes
        ],
    }
