"""Records of the three kinds of dialogues and of responses to them, each with its Arrow schema."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import pyarrow as pa

from benchwright.arrow_fields import BOX, TEXT, TEXTS, required, struct_of

PremiseClass = Literal["identity", "attribute", "location"]
Verified = Literal["valid", "invalid"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """The one edit of a description: from character ``start`` on, ``before`` became ``after``."""

    start: int
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PremiseTurn:
    """One question, its ``index`` from 1: what is true of the picture, and what is asked."""

    index: int
    true_question: str
    asked_question: str
    has_false_premise: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What a rule found; ``reason`` says why it did not pass."""

    name: str
    passed: bool
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUse:
    """Which model made what: ``step`` is describe, falsify or see."""

    step: str
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """What one person decided of a dialogue; ``failed`` names what of the checklist failed."""

    auditor: str
    verdict: str
    failed: tuple[str, ...]
    note: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FalsePremise:
    """A picture and its questions, of which the later ones presuppose something false.

    ``box`` is that of the target, [x, y, width, height] in pixels. Source: FPCO-Dialog, section 3.
    """

    dialogue_id: str
    image_id: str
    box: tuple[float, float, float, float]
    complexity: str
    category: str
    premise_class: PremiseClass
    true_description: str
    false_description: str
    edit: Edit
    variant: int
    turns: tuple[PremiseTurn, ...]
    checks: tuple[Check, ...]
    models: tuple[ModelUse, ...]
    approvals: tuple[Approval, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One utterance of a dialogue."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxOfPicture:
    """A numbered box; ``bbox`` is [x, y, width, height] in pixels."""

    box_id: str
    category: str | None
    bbox: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """Which boxes one annotator holds plausible."""

    annotator: str
    box_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateSet:
    """A dialogue up to a turn, and the boxes that are still plausible (CandVG, section 3).

    ``turn`` counts from 1, ``context`` holds what was said before and in it. ``candidate_ids``
    are boxes of ``boxes``; ``kind`` is single where there is one.
    """

    dialogue_id: str
    image_id: str
    turn: int
    context: tuple[Said, ...]
    first_utterance: str
    boxes: tuple[BoxOfPicture, ...]
    candidate_ids: tuple[str, ...]
    marks: tuple[Marks, ...]
    kind: Literal["single", "set"]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionOption:
    """A question that could come next: the true one, or a distractor and what made it.

    ``origin``: step is plausible at this step alone, chain is a step of a whole other chain.
    ``answer`` is what the picture says to it, null where nobody wrote it.
    """

    text: str
    answer: str | None
    origin: Literal["true", "step", "chain"]
    generator: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainStep:
    """One step: ``uses`` are numbers of earlier steps, from 1, whose answers it needs."""

    question: str
    answer: str
    uses: tuple[int, ...]
    question_options: tuple[QuestionOption, ...]
    answer_options: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What a person who did not write a chain says of it."""

    checker: str
    verdict: Verified
    note: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionChain:
    """A picture, a question, and the chain of questions that leads to its answer (V-REX)."""

    chain_id: str
    image_id: str
    category: str
    scenario: str
    question: str
    steps: tuple[ChainStep, ...]
    rounds: tuple[Verification, ...]
    author: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectorLabel:
    """Whether a detector reads a correction in a response; ``label`` is null where it failed."""

    name: str
    label: Literal["yes", "no"] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What a model answered to one question of a false-premise dialogue, and what detectors say.

    ``run`` and ``model`` say whose it is, ``turn`` counts from 1. ``question`` is the one that was
    asked: with the false description where it has a false premise, else with the true one.
    """

    response_id: str
    run: str
    model: str
    image_id: str
    dialogue_id: str
    turn: int
    premise_class: PremiseClass
    has_false_premise: bool
    question: str
    true_description: str
    false_description: str
    response: str
    detectors: tuple[DetectorLabel, ...]


_EDIT = pa.schema(
    [required("start", pa.int32()), required("before", TEXT), required("after", TEXT)]
)
_TURN = pa.schema(
    [
        required("index", pa.int32()),
        required("true_question", TEXT),
        required("asked_question", TEXT),
        required("has_false_premise", pa.bool_()),
    ]
)
_CHECK = pa.schema(
    [required("name", TEXT), required("passed", pa.bool_()), pa.field("reason", TEXT)]
)
_MODEL = pa.schema([required("step", TEXT), required("model", TEXT)])
_APPROVAL = pa.schema(
    [
        required("auditor", TEXT),
        required("verdict", TEXT),
        required("failed", TEXTS),
        pa.field("note", TEXT),
    ]
)
_FALSE_PREMISE = pa.schema(
    [
        required("dialogue_id", TEXT),
        required("image_id", TEXT),
        required("box", BOX),
        *(
            required(name, TEXT)
            for name in (
                "complexity",
                "category",
                "premise_class",
                "true_description",
                "false_description",
            )
        ),
        required("edit", struct_of(_EDIT)),
        required("variant", pa.int32()),
        required("turns", pa.list_(struct_of(_TURN))),
        required("checks", pa.list_(struct_of(_CHECK))),
        required("models", pa.list_(struct_of(_MODEL))),
        required("approvals", pa.list_(struct_of(_APPROVAL))),
    ]
)
_SAID = pa.schema([required("speaker", TEXT), required("text", TEXT)])
_BOX_OF_PICTURE = pa.schema(
    [required("box_id", TEXT), pa.field("category", TEXT), required("bbox", BOX)]
)
_MARKS = pa.schema([required("annotator", TEXT), required("box_ids", TEXTS)])
_CANDIDATE_SET = pa.schema(
    [
        required("dialogue_id", TEXT),
        required("image_id", TEXT),
        required("turn", pa.int32()),
        required("context", pa.list_(struct_of(_SAID))),
        required("first_utterance", TEXT),
        required("boxes", pa.list_(struct_of(_BOX_OF_PICTURE))),
        required("candidate_ids", TEXTS),
        required("marks", pa.list_(struct_of(_MARKS))),
        required("kind", TEXT),
    ]
)
_QUESTION_OPTION = pa.schema(
    [
        required("text", TEXT),
        pa.field("answer", TEXT),
        required("origin", TEXT),
        pa.field("generator", TEXT),
    ]
)
_STEP = pa.schema(
    [
        required("question", TEXT),
        required("answer", TEXT),
        required("uses", pa.list_(pa.int32())),
        required("question_options", pa.list_(struct_of(_QUESTION_OPTION))),
        required("answer_options", TEXTS),
    ]
)
_VERIFICATION = pa.schema(
    [required("checker", TEXT), required("verdict", TEXT), pa.field("note", TEXT)]
)
_QUESTION_CHAIN = pa.schema(
    [
        *(
            required(name, TEXT)
            for name in ("chain_id", "image_id", "category", "scenario", "question")
        ),
        required("steps", pa.list_(struct_of(_STEP))),
        required("rounds", pa.list_(struct_of(_VERIFICATION))),
        required("author", TEXT),
    ]
)
_DETECTOR_LABEL = pa.schema([required("name", TEXT), pa.field("label", TEXT)])
_RESPONSE = pa.schema(
    [
        *(
            required(name, TEXT)
            for name in ("response_id", "run", "model", "image_id", "dialogue_id")
        ),
        required("turn", pa.int32()),
        required("premise_class", TEXT),
        required("has_false_premise", pa.bool_()),
        *(
            required(name, TEXT)
            for name in ("question", "true_description", "false_description", "response")
        ),
        required("detectors", pa.list_(struct_of(_DETECTOR_LABEL))),
    ]
)

DIALOGUE_SCHEMAS: Mapping[type[Any], pa.Schema] = MappingProxyType(
    {
        Edit: _EDIT,
        PremiseTurn: _TURN,
        Check: _CHECK,
        ModelUse: _MODEL,
        Approval: _APPROVAL,
        FalsePremise: _FALSE_PREMISE,
        Said: _SAID,
        BoxOfPicture: _BOX_OF_PICTURE,
        Marks: _MARKS,
        CandidateSet: _CANDIDATE_SET,
        QuestionOption: _QUESTION_OPTION,
        ChainStep: _STEP,
        Verification: _VERIFICATION,
        QuestionChain: _QUESTION_CHAIN,
        DetectorLabel: _DETECTOR_LABEL,
        Response: _RESPONSE,
    }
)
