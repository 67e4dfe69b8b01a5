"""Records of attribute labels: the vocabulary, votes, and what is held, with their Arrow schemas.

The vocabulary is YAML and has none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import pyarrow as pa

from benchwright.arrow_fields import TEXT, required

Answer = Literal["yes", "no", "unsure"]
Origin = Literal["catalog", "voted", "audited"]
VoteStatus = Literal["ok", "refused", "truncated", "unparsed", "failed"]


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

LABEL_SCHEMAS: Mapping[type[Any], pa.Schema] = MappingProxyType(
    {
        Vote: _VOTE,
        Label: _LABEL,
    }
)
