"""Pictures on which labels are wrong: of the values with the lowest accuracy, the surest errors."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from benchwright import store
from benchwright.errors import LostPicture
from benchwright.plain_text import excerpt
from benchwright.seeds import draw
from benchwright.workspace import Workspace
from builders.catalog import load_items
from labeling.audits.planning.plan_file import PlannedItem
from labeling.audits.reporting.lowest import Part
from labeling.audits.reporting.truth import Truth
from labeling.audits.sheets.pictures import Shot, data_uri

_SHOWN, _OF_A_VALUE = 12, 3
_THUMB = (240, 280)
_AROUND = 0.2  # of the longer side of an object, what is shown round it
_OF_ITEMS = ["image_id", "image", "title", "source_id", "width", "height"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongLabel:
    """A label that auditors hold wrong.

    ``label`` and ``title`` are texts to show. ``thumb`` is the picture, or the part of it with
    the object, as a data URI; null without it.
    """

    item: PlannedItem
    label: str
    title: str
    thumb: str | None


def wrong_labels(
    workspace: Workspace, truth: Truth, values: tuple[Part, ...], seed: int
) -> tuple[WrongLabel, ...]:
    """Return up to 12 wrong labels, 3 of a value at most, from the value with most errors on.

    ``values`` are in the order of ``Lowest.values``. Of a value the widest margins come first,
    ties in a seeded order.
    """
    chosen = list(_chosen(truth, values, seed))[:_SHOWN]
    rows = _catalog(workspace, chosen)
    return tuple(_shown(workspace, item, rows.get(item.image_id, {})) for item in chosen)


def _chosen(truth: Truth, values: tuple[Part, ...], seed: int) -> Iterator[PlannedItem]:
    wrong: dict[tuple[str, ...], list[PlannedItem]] = {}
    for item in truth.take(~truth.right).items:
        wrong.setdefault((item.type, item.value), []).append(item)
    for part in values:
        yield from sorted(
            wrong.get(part.name, []), key=lambda item: (-item.margin, _number(item, seed))
        )[:_OF_A_VALUE]


def _number(item: PlannedItem, seed: int) -> int:
    return draw(seed, "wrong labels", *(part or "" for part in item.thing()))


def _catalog(workspace: Workspace, chosen: list[PlannedItem]) -> Mapping[str, Mapping[str, Any]]:
    """Return what the catalog tells of the pictures; nothing where there is no catalog."""
    if not chosen or store.load_manifest(workspace.catalog) is None:
        return {}
    with_objects = any(item.object_id is not None for item in chosen)
    items = load_items(workspace, [*_OF_ITEMS, "objects"] if with_objects else _OF_ITEMS)
    wanted = pa.array(sorted({item.image_id for item in chosen}), pa.string())
    rows = items.filter(pc.is_in(items.column("image_id"), wanted)).to_pylist()
    return {row["image_id"]: row for row in rows}


def _shown(workspace: Workspace, item: PlannedItem, row: Mapping[str, Any]) -> WrongLabel:
    try:
        thumb = data_uri(workspace, _shot(item, row)) if row.get("image") else None
    except LostPicture:
        thumb = None
    title = row.get("title") or row.get("source_id") or item.image_id
    thing = "" if item.object_id is None else f", object {item.object_id}"
    return WrongLabel(
        item=item,
        label=excerpt(f"{item.type}: {item.value}"),
        title=excerpt(f"{title}{thing}"),
        thumb=thumb,
    )


def _shot(item: PlannedItem, row: Mapping[str, Any]) -> Shot:
    things = {thing["object_id"]: thing for thing in row.get("objects") or ()}
    found = things.get(item.object_id)
    if found is None:
        return Shot(image=row["image"], within=_THUMB)
    left, top, width, height = found["bbox"]
    around = _AROUND * max(width, height)
    crop = (
        max(0, floor(left - around)),
        max(0, floor(top - around)),
        min(row["width"], ceil(left + width + around)),
        min(row["height"], ceil(top + height + around)),
    )
    return Shot(image=row["image"], within=_THUMB, crop=crop)
