"""Drafts with a false premise about pictures of COCO, for tests: wordings by hand."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from benchwright import store
from benchwright.identity import image_id_of
from benchwright.records import Decision, FalsePremise, ModelUse, PremiseClass, PremiseTurn
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.rules.checks import check_dialogue
from labeling.dialogues.false_premise.rules.edits import edit_between
from labeling.dialogues.false_premise.rules.turns import build_turns
from labeling.dialogues.stored import record_digest, write_drafts
from stand_ins.auditors import decision

_DOG_ASKED = (
    "What is {} sniffing at?",
    "Is the tail of {} up or down?",
    "Does {} look at ease in this room?",
    "How far is {} from the man at the window?",
    "Could {} be looking for something to eat?",
    "How long is the coat of {}, and does it look clean?",
    "Does {} wear a collar round its neck?",
    "Would {} fit under the table?",
    "Are there toys anywhere near {}?",
    "Which way does the nose of {} point?",
)
_WOMAN_ASKED = (
    "Where does {} look?",
    "Does {} seem to know what she is doing?",
    "Is the slope under {} steep?",
    "What does {} have on her hands?",
    "Is {} about to fall, or does she keep her balance?",
    "Could somebody be following {} and filming her?",
    "Are both feet of {} fixed to the board?",
    "How long is the hair of {}?",
    "Has {} dressed herself for cold weather?",
    "Which arm does {} hold out?",
)
_BOAT_ASKED = (
    "How many people sit in {}?",
    "Is {} painted in one tone or in two?",
    "Could {} carry all of the crew?",
    "What runs along the side of {}?",
    "Does {} have a mast?",
    "How old might {} be?",
    "Are there oars in {}?",
    "Which end of {} is the higher one?",
    "Is somebody standing upright in {}?",
    "Would {} be used to rescue people?",
)
_DONUT_ASKED = (
    "What lies inside {}?",
    "Has anybody taken a bite of {}?",
    "Is the top of {} smooth?",
    "How much sugar is there on {}?",
    "Would {} be easy to eat with one hand?",
    "Does {} look fresh?",
    "Is there meat or egg in {}?",
    "What is printed on the paper under {}?",
    "Could {} be a breakfast?",
    "Is {} cut into two halves?",
)


def false_premise(name: str = "dog", **more: Any) -> FalsePremise:
    """Return a draft that keeps all rules: dog, woman, boat or donut.

    Their classes are attribute, identity, location and identity.
    """
    source, box, category, premise_class, true, false, asked = _DRAFTS[name]
    image_id = image_id_of("coco", f"{source}.jpg")
    said: dict[str, Any] = {
        "dialogue_id": f"fp-{name}",
        "image_id": image_id,
        "box": box,
        "complexity": "single-target clean",
        "category": category,
        "premise_class": premise_class,
        "variant": 1,
        "models": (ModelUse(step="describe", model="m"), ModelUse(step="falsify", model="m")),
    }
    return written(true, false, [question.format(true) for question in asked], **{**said, **more})


def false_premises() -> list[FalsePremise]:
    """Return all four drafts."""
    return [false_premise(name) for name in _DRAFTS]


def written(
    true: str,
    false: str,
    questions: Sequence[str] | None = None,
    premise_class: PremiseClass = "attribute",
    *,
    turns: tuple[PremiseTurn, ...] | None = None,
    **more: Any,
) -> FalsePremise:
    """Return a draft of two descriptions; without questions there are ten plain ones."""
    questions = questions or [f"Is {true} number {number}?" for number in range(1, 11)]
    said: dict[str, Any] = {
        "dialogue_id": "fp-1",
        "image_id": image_id_of("coco", "validation/000000404484.jpg"),
        "box": (86.93, 90.76, 82.5, 74.54),
        "complexity": "single-target clean",
        "category": "animal",
        "variant": 1,
        "models": (),
        "checks": (),
        "approvals": (),
    }
    record = FalsePremise(
        premise_class=premise_class,
        true_description=true,
        false_description=false,
        edit=edit_between(true, false),
        turns=build_turns(questions, true, false, premise_class) if turns is None else turns,
        **{**said, **more},
    )
    return replace(record, checks=record.checks or check_dialogue(record))


def store_false_premises(
    workspace: Workspace, records: Iterable[FalsePremise] | None = None
) -> store.Manifest:
    """Write the drafts, all four of them without any given."""
    plan = store.Plan(stage="dialogues/false-premise/drafts", inputs={}, settings={}, seed=0)
    chosen = false_premises() if records is None else records
    return write_drafts(workspace, "false-premise", chosen, plan)


def said_of(record: FalsePremise, auditor: str = "ana", **more: Any) -> Decision:
    """Return a decision about a draft: an approval, unless said otherwise."""
    before = record_digest(record)
    said = {
        "record_id": record.dialogue_id,
        "field": "dialogue",
        "auditor": auditor,
        "before": before,
        "verdict": "confirmed",
        "after": before,
    }
    return decision(image_id=None, **{**said, **more})


_DRAFTS: dict[str, Any] = {
    "dog": (
        "validation/000000404484",
        (86.93, 90.76, 82.5, 74.54),
        "animal",
        "attribute",
        "the brown dog on the blue carpet",
        "the black dog on the blue carpet",
        _DOG_ASKED,
    ),
    "woman": (
        "validation/000000343937",
        (275.07, 15.23, 134.66, 394.34),
        "person",
        "identity",
        "the woman in the white hat",
        "the man in the white hat",
        _WOMAN_ASKED,
    ),
    "boat": (
        "train/000000204805",
        (4.67, 91.75, 480.51, 194.38),
        "vehicle",
        "location",
        "the long wooden boat on the cart",
        "the long wooden boat on the water",
        _BOAT_ASKED,
    ),
    "donut": (
        "train/000000024577",
        (1.33, 10.66, 415.77, 537.03),
        "food",
        "identity",
        "the filled donut on the white paper",
        "the filled croissant on the white paper",
        _DONUT_ASKED,
    ),
}
