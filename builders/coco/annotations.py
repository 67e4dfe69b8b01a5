"""One annotation of a COCO file: an object, a caption, a label of the picture, or nothing usable.

Nothing here needs the picture; what does is left as it stands for ``settling.py``.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from benchwright.boxes import Box, as_box
from benchwright.records import Attribute, RejectKind
from builders.attribute_types import attribute_type
from builders.coco.values import clean, flag_of, id_of, number_of, numbers_of, records_of, text_of

ORIGIN_IDS = "fashionpedia attributes"
ORIGIN_KEYS = "coco attributes"
ORIGIN_LABELS = "coco labels"
UNTYPED = "attribute"  # the type of an attribute without a supercategory


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnObject:
    """An object as the file has it: numbers and shapes in the frame of the annotation.

    ``size`` is the width and height that the file states of that frame; ``problem`` says what is
    wrong with a box that stands there and is none.
    """

    object_id: str
    picture: str
    category: str
    box: Box | None
    problem: str | None
    segmentation: Any
    area: float | None
    is_crowd: bool
    is_occluded: bool | None
    is_truncated: bool | None
    attributes: tuple[Attribute, ...]
    shape: str  # digest of what makes it this very object, whatever its id and file
    notes: tuple[tuple[str, str], ...] = ()  # reason and message of what was changed on the way
    size: tuple[int, int] | None = None
    file: str = ""  # the label of its file


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptionText:
    """A caption and what was cleaned off it."""

    caption_id: str
    picture: str
    text: str
    is_cleaned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureLabel:
    """A category that is stated of a whole picture."""

    label_id: str
    picture: str
    category: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unusable:
    """An annotation that cannot be used, and why."""

    kind: RejectKind
    annotation_id: str | None
    reason: str
    message: str


Read = DrawnObject | CaptionText | PictureLabel | Unusable


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotationReader:
    """Reads the annotations of one file by its categories and attributes (by id).

    ``has_labels``: the file has neither boxes nor shapes nor captions, so that what it states it
    states of whole pictures.
    """

    categories: Mapping[str, str]
    attributes: Mapping[str, tuple[str, str]]
    has_labels: bool

    def read(self, record: Any) -> Iterator[Read]:
        """Yield what an annotation holds: one thing, or one for each segment of a panoptic one."""
        try:
            yield from list(self._read(record))
        except RecursionError:
            yield _unusable("object", None, "bad_record", "an annotation nested too deeply")

    def _read(self, record: Any) -> Iterator[Read]:
        if not isinstance(record, dict):
            yield _unusable("object", None, "bad_record", f"an annotation that is {_kind(record)}")
            return
        own = id_of(record.get("id"))
        kind: RejectKind = "caption" if _is_caption(record) else "object"
        picture = id_of(record.get("image_id"))
        if picture is None:
            yield _unusable(kind, own, "no_picture", "it names no picture (image_id)")
        elif kind == "caption":
            yield _caption(record, own, picture)
        elif isinstance(record.get("segments_info"), list):
            yield from self._segments(record["segments_info"], own, picture)
        else:
            yield self._one(record, own, picture)

    def _segments(self, segments: list[Any], own: str | None, picture: str) -> Iterator[Read]:
        if not segments:
            yield _unusable("object", own, "no_segments", "a panoptic annotation without segments")
        for segment in segments:
            if isinstance(segment, dict):
                yield self._one(segment, id_of(segment.get("id")), picture)
            else:
                what = f"a segment that is {_kind(segment)}"
                yield _unusable("object", own, "bad_record", what)

    def _one(self, record: dict[str, Any], own: str | None, picture: str) -> Read:
        own = own or f"~{_digest(record)[:8]}"
        category = self._category(record, own)
        if isinstance(category, Unusable):
            return replace(category, kind="attribute") if self.has_labels else category
        if self.has_labels:
            return PictureLabel(label_id=own, picture=picture, category=category)
        box, problem = _box(record.get("bbox"))
        segmentation = record.get("segmentation")
        if box is None and not has_shape(segmentation):
            reason = "no_box" if problem is None else "bad_box"
            message = problem or "neither a box nor a segmentation"
            return _unusable("object", own, reason, message)
        attributes, notes = self._attributes(record)
        is_crowd = flag_of(record.get("iscrowd")) or False
        return DrawnObject(
            object_id=own,
            picture=picture,
            category=category,
            box=box,
            problem=problem,
            segmentation=segmentation if has_shape(segmentation) else None,
            area=number_of(record.get("area")),
            is_crowd=is_crowd,
            is_occluded=_flag(record, "occluded"),
            is_truncated=_flag(record, "truncated"),
            attributes=attributes,
            shape=_digest([category, box, segmentation or None, is_crowd]),
            notes=notes,
        )

    def _category(self, record: dict[str, Any], own: str) -> str | Unusable:
        key = id_of(record.get("category_id"))
        if key is None:
            return _unusable("object", own, "no_category", "it has no category_id")
        name = self.categories.get(key)
        if name is None:
            return _unusable("object", own, "unknown_category", f"no category has the id {key!r}")
        return name

    def _attributes(
        self, record: dict[str, Any]
    ) -> tuple[tuple[Attribute, ...], tuple[tuple[str, str], ...]]:
        """Return the attributes that ids name and that keys state, and the ids without a name."""
        stated = record.get("attributes")
        found = keyed_attributes(stated)
        named, unknown = self.by_ids(
            [*records_of(record.get("attribute_ids")), *records_of(stated)]
        )
        notes = [("unknown_attribute", f"no attribute has the id {one}") for one in unknown]
        if isinstance(record.get("caption"), str):
            notes.append(("caption_left_out", "it is an object; its caption is left out"))
        return once([*named, *found]), tuple(notes)

    def by_ids(self, ids: list[Any]) -> tuple[list[Attribute], list[str]]:
        """Return the attributes of ids, and the ids that none has."""
        found: list[Attribute] = []
        unknown: list[str] = []
        for value in ids:
            known = self.attributes.get(id_of(value) or "")
            if known is None and isinstance(value, str) and not value.strip().isdigit():
                known = UNTYPED, clean(value)  # a value itself, as some tools write
            if known is None or not known[1]:
                unknown.append(f"{value!r:.40}")
                continue
            kind, name = known
            found.append(Attribute(type=kind, value=name, raw=name, origin=ORIGIN_IDS))
        return found, unknown


def keyed_attributes(stated: Any) -> list[Attribute]:
    """Return the attributes of an object with keys, as annotation tools write them."""
    if not isinstance(stated, dict):
        return []
    found = []
    for key, value in sorted(stated.items()):
        kind, name = attribute_type(clean(key)), text_of(value)
        if kind and name is not None and kind not in ("occluded", "truncated"):
            found.append(Attribute(type=kind, value=name, raw=name, origin=ORIGIN_KEYS))
    return found


def once(attributes: list[Attribute]) -> tuple[Attribute, ...]:
    """Return each attribute once, in the order of type and value."""
    ordered = sorted(attributes, key=lambda one: (one.type, one.value, one.origin))
    return tuple({(one.type, one.value): one for one in reversed(ordered)}.values())[::-1]


def has_shape(segmentation: Any, depth: int = 3) -> bool:
    """Tell whether there is anything in a segmentation; ``[[]]`` is as empty as ``[]``."""
    if isinstance(segmentation, list) and depth:
        return any(has_shape(part, depth - 1) for part in segmentation)
    return segmentation is not None and segmentation not in ({}, "")


def _is_caption(record: dict[str, Any]) -> bool:
    return (
        "caption" in record and not record.get("bbox") and not has_shape(record.get("segmentation"))
    )


def _caption(record: dict[str, Any], own: str | None, picture: str) -> Read:
    raw = record["caption"]
    text = clean(raw) if isinstance(raw, str) else ""
    if not text:
        what = "blank" if isinstance(raw, str) else _kind(raw)
        return _unusable("caption", own, "no_caption", f"a caption that is {what}")
    own = own or f"~{_digest(record)[:8]}"
    return CaptionText(caption_id=own, picture=picture, text=text, is_cleaned=text != raw)


def _box(value: Any) -> tuple[Box | None, str | None]:
    """Return the box, or what is wrong with it; neither where there is none."""
    if value is None or value == []:
        return None, None
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]  # COCO-Stuff 10k
    numbers = numbers_of(value)
    if numbers is None or len(numbers) != 4:
        return None, f"a box that is no list of four numbers: {value!r:.60}"
    return as_box(numbers), None


def _flag(record: dict[str, Any], name: str) -> bool | None:
    stated = record.get("attributes")
    value = record.get(name)
    if value is None and isinstance(stated, dict):
        value = stated.get(name)
    return flag_of(value)


def _unusable(kind: RejectKind, own: str | None, reason: str, message: str) -> Unusable:
    return Unusable(kind=kind, annotation_id=own, reason=reason, message=message)


def _digest(record: Any) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return "null" if value is None else names.get(type(value), "a number")
