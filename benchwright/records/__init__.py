"""The records that pass between stages, each with its one explicit Arrow schema.

A record is frozen; a stage makes new ones. ``SCHEMAS`` gives the schema of a record that is
written as Parquet (the vocabulary is YAML); nothing is ever inferred from the first rows.
Coordinates are pixels of the upright picture, boxes are [x, y, width, height].
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pyarrow as pa

from benchwright.records.answers import (
    ANSWER_SCHEMAS,
    ChainAnswer,
    ChainMode,
    Grounding,
    PlayedResponse,
)
from benchwright.records.catalog import (
    CATALOG_SCHEMAS,
    Attribute,
    Change,
    Dialogue,
    Item,
    Reject,
    RejectKind,
    SceneObject,
    Utterance,
)
from benchwright.records.decisions import DECISION_SCHEMAS, Decision, Verdict
from benchwright.records.dialogues import (
    DIALOGUE_SCHEMAS,
    Approval,
    BoxOfPicture,
    CandidateSet,
    ChainStep,
    Check,
    DetectorLabel,
    Edit,
    FalsePremise,
    Marks,
    ModelUse,
    PremiseClass,
    PremiseTurn,
    QuestionChain,
    QuestionOption,
    Response,
    Said,
    Verification,
    Verified,
)
from benchwright.records.drafting import (
    DRAFTING_SCHEMAS,
    Described,
    Falsified,
    MappedDialogue,
    PlannedDialogue,
    ProposedMarks,
    Sighting,
)
from benchwright.records.galleries import GALLERY_SCHEMAS, Episode, TellingValue
from benchwright.records.labels import (
    LABEL_SCHEMAS,
    Answer,
    AttributeType,
    AttributeValue,
    Label,
    Origin,
    Vote,
    VoteStatus,
)
from benchwright.records.runs import (
    RUN_SCHEMAS,
    Asked,
    Build,
    Ended,
    Noise,
    Part,
    ScoreRow,
    Told,
    Trajectory,
    Turn,
    Upload,
    UploadKind,
)
from benchwright.records.steps import STEP_SCHEMAS, ActionKind, ChatMessage, MessagePart, Pair, Step

SCHEMAS: Mapping[type[Any], pa.Schema] = MappingProxyType(
    {
        **CATALOG_SCHEMAS,
        **LABEL_SCHEMAS,
        **DECISION_SCHEMAS,
        **GALLERY_SCHEMAS,
        **DIALOGUE_SCHEMAS,
        **DRAFTING_SCHEMAS,
        **RUN_SCHEMAS,
        **ANSWER_SCHEMAS,
        **STEP_SCHEMAS,
    }
)

__all__ = [
    "SCHEMAS",
    "ActionKind",
    "Answer",
    "Approval",
    "Asked",
    "Attribute",
    "AttributeType",
    "AttributeValue",
    "BoxOfPicture",
    "Build",
    "CandidateSet",
    "ChainAnswer",
    "ChainMode",
    "ChainStep",
    "Change",
    "ChatMessage",
    "Check",
    "Decision",
    "Described",
    "DetectorLabel",
    "Dialogue",
    "Edit",
    "Ended",
    "Episode",
    "FalsePremise",
    "Falsified",
    "Grounding",
    "Item",
    "Label",
    "MappedDialogue",
    "Marks",
    "MessagePart",
    "ModelUse",
    "Noise",
    "Origin",
    "Pair",
    "Part",
    "PlannedDialogue",
    "PlayedResponse",
    "PremiseClass",
    "PremiseTurn",
    "ProposedMarks",
    "QuestionChain",
    "QuestionOption",
    "Reject",
    "RejectKind",
    "Response",
    "Said",
    "SceneObject",
    "ScoreRow",
    "Sighting",
    "Step",
    "TellingValue",
    "Told",
    "Trajectory",
    "Turn",
    "Upload",
    "UploadKind",
    "Utterance",
    "Verdict",
    "Verification",
    "Verified",
    "Vote",
    "VoteStatus",
]
