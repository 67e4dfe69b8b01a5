"""Records of the steps that draft dialogues: what was planned, what models made of it, and why not.

They stand in the folders of those steps; what people review is made of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import pyarrow as pa

from benchwright.arrow_fields import BOX, TEXT, TEXTS, required
from benchwright.records.dialogues import PremiseClass


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedDialogue:
    """A picture in a cell of the grid: which object is the target, and which class is to be false.

    ``dialogue_id`` is that of variant 1. ``box`` is [x, y, width, height] in pixels of the upright
    picture. Source: FPCO-Dialog, section 3.2.
    """

    dialogue_id: str
    image_id: str
    object_id: str
    box: tuple[float, float, float, float]
    complexity: str
    category: str
    premise_class: PremiseClass


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """What a model wrote of a target; ``true_description`` is null where it failed.

    ``faults`` are those of the attempts before, one each. ``is_failed`` says that the server gave
    no answer, so that the step run again goes on.
    """

    dialogue_id: str
    true_description: str | None
    questions: tuple[str, ...]
    model: str
    faults: tuple[str, ...]
    is_failed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Falsified:
    """One false description, or why there is none; ``variant`` counts from 1.

    ``refused`` are earlier ones that keep the rules and that the voters did not deny by sight.
    """

    dialogue_id: str
    variant: int
    false_description: str | None
    model: str
    faults: tuple[str, ...]
    refused: tuple[str, ...]
    is_failed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """What one voter answers about a description: of the whole picture, or of one box of it.

    ``box`` is null for the whole picture, ``answer`` where ``status`` is not ok; ``variant`` is 0
    for the true description, which all variants share.
    """

    dialogue_id: str
    variant: int
    description: str
    is_true: bool
    box: tuple[float, float, float, float] | None
    voter: str
    answer: Literal["yes", "no", "unsure"] | None
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MappedDialogue:
    """Whether what one annotator marked elsewhere of a dialogue is boxes at every turn.

    Where it is not, ``failed_turn`` is the first such turn (null where none can be named),
    ``reason`` a short code and ``detail`` a sentence. Source: CandVG, section 3.
    """

    dialogue_id: str
    annotator: str
    is_kept: bool
    failed_turn: int | None
    reason: str | None
    detail: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedMarks:
    """The boxes that a model holds plausible at a turn: for people to look at, never their marks.

    There are none where the model proposed nothing that keeps the rules; ``faults`` say why, one
    for each attempt. ``advice`` says what is seldom right about the boxes. ``is_failed`` says that
    the server gave no answer, so that the step run again goes on.
    """

    dialogue_id: str
    turn: int
    box_ids: tuple[str, ...]
    model: str
    advice: str | None
    faults: tuple[str, ...]
    is_failed: bool


_PLANNED = pa.schema(
    [
        required("dialogue_id", TEXT),
        required("image_id", TEXT),
        required("object_id", TEXT),
        required("box", BOX),
        required("complexity", TEXT),
        required("category", TEXT),
        required("premise_class", TEXT),
    ]
)
_DESCRIBED = pa.schema(
    [
        required("dialogue_id", TEXT),
        pa.field("true_description", TEXT),
        required("questions", TEXTS),
        required("model", TEXT),
        required("faults", TEXTS),
        required("is_failed", pa.bool_()),
    ]
)
_FALSIFIED = pa.schema(
    [
        required("dialogue_id", TEXT),
        required("variant", pa.int32()),
        pa.field("false_description", TEXT),
        required("model", TEXT),
        required("faults", TEXTS),
        required("refused", TEXTS),
        required("is_failed", pa.bool_()),
    ]
)
_SIGHTING = pa.schema(
    [
        required("dialogue_id", TEXT),
        required("variant", pa.int32()),
        required("description", TEXT),
        required("is_true", pa.bool_()),
        pa.field("box", BOX),
        required("voter", TEXT),
        pa.field("answer", TEXT),
        required("status", TEXT),
    ]
)
_MAPPED = pa.schema(
    [
        required("dialogue_id", TEXT),
        required("annotator", TEXT),
        required("is_kept", pa.bool_()),
        pa.field("failed_turn", pa.int32()),
        pa.field("reason", TEXT),
        pa.field("detail", TEXT),
    ]
)
_PROPOSED = pa.schema(
    [
        required("dialogue_id", TEXT),
        required("turn", pa.int32()),
        required("box_ids", TEXTS),
        required("model", TEXT),
        pa.field("advice", TEXT),
        required("faults", TEXTS),
        required("is_failed", pa.bool_()),
    ]
)

DRAFTING_SCHEMAS: Mapping[type[Any], pa.Schema] = MappingProxyType(
    {
        PlannedDialogue: _PLANNED,
        Described: _DESCRIBED,
        Falsified: _FALSIFIED,
        Sighting: _SIGHTING,
        MappedDialogue: _MAPPED,
        ProposedMarks: _PROPOSED,
    }
)
