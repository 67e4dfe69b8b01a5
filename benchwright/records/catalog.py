"""Records of a catalog: pictures and what their sources state of them, with Arrow schemas."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import pyarrow as pa

from benchwright.arrow_fields import BOX, TEXT, TEXTS, required, struct_of

RejectKind = Literal["picture", "object", "caption", "dialogue", "attribute"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """One attribute that a source states of a picture or an object, before normalisation."""

    type: str
    value: str
    raw: str  # as the source spells it
    origin: str  # the column or field that it came from


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneObject:
    """One object of a picture; ``mask`` is COCO's compressed RLE, null where there is none."""

    object_id: str
    category: str
    bbox: tuple[float, float, float, float]
    area: float
    is_crowd: bool
    is_occluded: bool | None  # null: the source does not say
    is_truncated: bool | None
    attributes: tuple[Attribute, ...]
    mask: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One turn of a dialogue."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """A dialogue about a picture, with the boxes that were candidates and the one meant."""

    dialogue_id: str
    utterances: tuple[Utterance, ...]
    candidate_boxes: tuple[tuple[float, float, float, float], ...]
    target_box: tuple[float, float, float, float] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One picture of the catalog, or the attributes of one that has no picture.

    ``image`` is a path under ``catalog/images`` and ``sha256`` the hash of that file; both are
    null, with width and height, for an item without a picture.
    """

    image_id: str
    image: str | None
    sha256: str | None
    width: int | None
    height: int | None
    source: str
    source_id: str
    split: str | None
    group_id: str | None  # product or near-duplicate cluster
    title: str | None
    category: str | None
    url: str | None
    licence: str | None
    author: str | None
    attributes: tuple[Attribute, ...]
    objects: tuple[SceneObject, ...]
    captions: tuple[str, ...]
    dialogues: tuple[Dialogue, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reject:
    """One record of a source that did not enter the catalog, and why.

    ``kind`` is what it would have become: a picture (an item), or an object, a caption, a
    dialogue or an attribute of one. ``source_id`` is the id that the source gives it.
    """

    source: str
    kind: RejectKind = "picture"
    source_id: str | None
    row: int | None  # line (text files) or row (Parquet) where the record starts, from 1
    path: str | None  # the file, or the picture, as the source names it
    reason: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One record of a source that entered the catalog otherwise than it stood there, and why."""

    source: str
    kind: RejectKind
    source_id: str | None
    reason: str
    message: str


_ATTRIBUTE = pa.schema([required(name, TEXT) for name in ("type", "value", "raw", "origin")])

_OBJECT = pa.schema(
    [
        required("object_id", TEXT),
        required("category", TEXT),
        required("bbox", BOX),
        required("area", pa.float64()),
        required("is_crowd", pa.bool_()),
        pa.field("is_occluded", pa.bool_()),
        pa.field("is_truncated", pa.bool_()),
        required("attributes", pa.list_(struct_of(_ATTRIBUTE))),
        pa.field("mask", TEXT),
    ]
)

_UTTERANCE = pa.schema([required("speaker", TEXT), required("text", TEXT)])

_DIALOGUE = pa.schema(
    [
        required("dialogue_id", TEXT),
        required("utterances", pa.list_(struct_of(_UTTERANCE))),
        required("candidate_boxes", pa.list_(BOX)),
        pa.field("target_box", BOX),
    ]
)

_ITEM = pa.schema(
    [
        required("image_id", TEXT),
        pa.field("image", TEXT),
        pa.field("sha256", TEXT),
        pa.field("width", pa.int32()),
        pa.field("height", pa.int32()),
        required("source", TEXT),
        required("source_id", TEXT),
        *(
            pa.field(name, TEXT)
            for name in ("split", "group_id", "title", "category", "url", "licence", "author")
        ),
        required("attributes", pa.list_(struct_of(_ATTRIBUTE))),
        required("objects", pa.list_(struct_of(_OBJECT))),
        required("captions", TEXTS),
        required("dialogues", pa.list_(struct_of(_DIALOGUE))),
    ]
)

_REJECT = pa.schema(
    [
        required("source", TEXT),
        required("kind", TEXT),
        pa.field("source_id", TEXT),
        pa.field("row", pa.int64()),
        pa.field("path", TEXT),
        required("reason", TEXT),
        required("message", TEXT),
    ]
)

_CHANGE = pa.schema(
    [
        required("source", TEXT),
        required("kind", TEXT),
        pa.field("source_id", TEXT),
        required("reason", TEXT),
        required("message", TEXT),
    ]
)

CATALOG_SCHEMAS: Mapping[type[Any], pa.Schema] = MappingProxyType(
    {
        Attribute: _ATTRIBUTE,
        SceneObject: _OBJECT,
        Utterance: _UTTERANCE,
        Dialogue: _DIALOGUE,
        Item: _ITEM,
        Reject: _REJECT,
        Change: _CHANGE,
    }
)
