"""The records that pass between stages, each with its one explicit Arrow schema.

A record is frozen; a stage makes new ones. ``SCHEMAS`` gives the schema of a record that is
written as Parquet (the vocabulary is YAML); nothing is ever inferred from the first rows.
Coordinates are pixels of the upright picture, boxes are [x, y, width, height].
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import pyarrow as pa

from benchwright.answer_records import ANSWER_SCHEMAS
from benchwright.arrow_fields import BOX, TEXT, TEXTS, required, struct_of
from benchwright.dialogue_records import DIALOGUE_SCHEMAS
from benchwright.drafting_records import DRAFTING_SCHEMAS
from benchwright.run_records import RUN_SCHEMAS
from benchwright.step_records import STEP_SCHEMAS

Answer = Literal["yes", "no", "unsure"]
Origin = Literal["catalog", "voted", "audited"]


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


RejectKind = Literal["picture", "object", "caption", "dialogue", "attribute"]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeType:
    """A type of attribute in vocabulary.yaml, with what holds for all its values.

    ``exclusive``: a picture has one value of it at most. ``complete``: what a catalog does not
    list is absent. ``askable``: the hidden-target protocol allows questions about it.
    """

    type: str
    aliases: tuple[str, ...]
    exclusive: bool
    complete: bool
    askable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeValue:
    """A value in vocabulary.yaml: other spellings of it, and questions that ask for it."""

    type: str
    value: str
    aliases: tuple[str, ...]
    templates: tuple[str, ...]


VoteStatus = Literal["ok", "refused", "truncated", "unparsed", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """One voter's answer to one question: a template about a value, in one view of a subject.

    ``template`` is its number among the templates of the value, from 1. ``p_yes`` (0 to 1) is
    null where the voter does not say it, ``answer`` unless ``status`` is ``ok``. ``answer_key``
    leads to the stored reply; it is null for a voter that is no model server.
    """

    image_id: str
    object_id: str | None
    type: str
    value: str
    voter: str
    template: str
    view: str
    answer: Answer | None
    p_yes: float | None
    status: VoteStatus
    answer_key: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What is held of one attribute value of one subject, and on what grounds.

    ``score`` is the share of the yes among the weights of yes and no (0 to 1) with its bounds;
    a label taken from the catalog has no votes behind it and all four figures are null.
    """

    image_id: str
    object_id: str | None
    type: str
    value: str
    answer: Answer
    score: float | None
    score_low: float | None
    score_high: float | None
    margin: float | None
    votes_counted: int
    votes_saved: int
    origin: Origin
    auditor: str | None


Verdict = Literal["confirmed", "corrected", "rejected", "unsure", "withdrawn"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What one auditor decided of one thing: a label of a subject, or a check of a record.

    The thing is a subject (``image_id``, ``object_id``) or a record (``record_id``) with a
    ``field``: ``type/value`` of a label (``benchwright.decisions.fields``) or the name of a check.
    ``before`` is what the machine held, ``after`` what the auditor holds; ``after`` is null where
    the auditor rejects it, cannot tell, or withdraws what the same auditor decided before.
    ``stratum`` and ``probability`` (above 0, at most 1) say how the thing was drawn; both are
    null for what no plan drew, which then stands for nothing but itself. ``failed`` names what of
    a checklist failed, ``note`` is the auditor's own. ``seconds`` is how long it took; ``at`` is
    ISO 8601 with an offset from UTC. ``named_for`` is the field of the label that the auditor was
    asked about, where this value was named in its place; null where this thing itself was asked.
    """

    image_id: str | None
    object_id: str | None
    record_id: str | None
    field: str
    auditor: str
    before: str | None
    after: str | None
    verdict: Verdict
    seconds: float | None
    at: str
    stratum: str | None
    probability: float | None
    failed: tuple[str, ...] = ()
    note: str | None = None
    named_for: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TellingValue:
    """An askable value that tells the target from ``distractors`` pictures of its gallery."""

    type: str
    value: str
    answer: Answer  # for the target
    distractors: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One hidden-target gallery (AMIGO, section 3.2) with what makes it solvable.

    ``image_ids`` is the order shown; ``target_index`` is 1-based in it; ``similarities`` are
    Sim(target, picture), 0 to 1, in the same order; ``pool_size`` counts all distractors found,
    also those that a smaller gallery leaves out.
    """

    episode_id: str
    tau: float
    target_id: str
    target_index: int
    image_ids: tuple[str, ...]
    similarities: tuple[float, ...]
    pool_size: int
    telling_values: tuple[TellingValue, ...]
    identifiable: bool
    identifiable_protocol: bool
    par: int | None
    par_protocol: int | None
    seed: int


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

_VOTE = pa.schema(
    [
        required("image_id", TEXT),
        pa.field("object_id", TEXT),
        *(required(name, TEXT) for name in ("type", "value", "voter", "template", "view")),
        pa.field("answer", TEXT),
        pa.field("p_yes", pa.float64()),
        required("status", TEXT),
        pa.field("answer_key", TEXT),
    ]
)

_LABEL = pa.schema(
    [
        required("image_id", TEXT),
        pa.field("object_id", TEXT),
        required("type", TEXT),
        required("value", TEXT),
        required("answer", TEXT),
        *(pa.field(name, pa.float64()) for name in ("score", "score_low", "score_high", "margin")),
        required("votes_counted", pa.int32()),
        required("votes_saved", pa.int32()),
        required("origin", TEXT),
        pa.field("auditor", TEXT),
    ]
)

_DECISION = pa.schema(
    [
        *(pa.field(name, TEXT) for name in ("image_id", "object_id", "record_id")),
        required("field", TEXT),
        required("auditor", TEXT),
        pa.field("before", TEXT),
        pa.field("after", TEXT),
        required("verdict", TEXT),
        pa.field("seconds", pa.float64()),
        required("at", TEXT),
        pa.field("stratum", TEXT),
        pa.field("probability", pa.float64()),
        required("failed", TEXTS),
        pa.field("note", TEXT),
        pa.field("named_for", TEXT),
    ]
)

_TELLING = pa.schema(
    [
        required("type", TEXT),
        required("value", TEXT),
        required("answer", TEXT),
        required("distractors", pa.int32()),
    ]
)

_EPISODE = pa.schema(
    [
        required("episode_id", TEXT),
        required("tau", pa.float64()),
        required("target_id", TEXT),
        required("target_index", pa.int32()),
        required("image_ids", TEXTS),
        required("similarities", pa.list_(pa.float64())),
        required("pool_size", pa.int32()),
        required("telling_values", pa.list_(struct_of(_TELLING))),
        required("identifiable", pa.bool_()),
        required("identifiable_protocol", pa.bool_()),
        pa.field("par", pa.int32()),
        pa.field("par_protocol", pa.int32()),
        required("seed", pa.int64()),
    ]
)

SCHEMAS: Mapping[type[Any], pa.Schema] = MappingProxyType(
    {
        Attribute: _ATTRIBUTE,
        SceneObject: _OBJECT,
        Utterance: _UTTERANCE,
        Dialogue: _DIALOGUE,
        Item: _ITEM,
        Reject: _REJECT,
        Change: _CHANGE,
        Vote: _VOTE,
        Label: _LABEL,
        Decision: _DECISION,
        TellingValue: _TELLING,
        Episode: _EPISODE,
        **DIALOGUE_SCHEMAS,
        **DRAFTING_SCHEMAS,
        **RUN_SCHEMAS,
        **ANSWER_SCHEMAS,
        **STEP_SCHEMAS,
    }
)
