"""A draft of a dialogue: what was planned, described and falsified, put together and checked."""

from dataclasses import replace

from benchwright.records import Described, FalsePremise, Falsified, ModelUse, PlannedDialogue
from labeling.dialogues.false_premise.rules.checks import check_dialogue
from labeling.dialogues.false_premise.rules.edits import edit_between
from labeling.dialogues.false_premise.rules.turns import Schedule, build_turns


def draft_id(dialogue_id: str, variant: int) -> str:
    """Return the id of the draft of a planned dialogue with one of its false descriptions."""
    return dialogue_id if variant == 1 else f"{dialogue_id}-variant-{variant}"


def planned_id(draft: FalsePremise) -> str:
    """Return the id of the planned dialogue that a draft is of."""
    return draft.dialogue_id.removesuffix(f"-variant-{draft.variant}")


def draft_of(
    plan: PlannedDialogue, described: Described, falsified: Falsified, schedule: Schedule
) -> FalsePremise:
    """Return the dialogue with its turns and its edit, checked by rule and by nothing else.

    Raises ValueError where a description is missing or the questions are not as many as the
    schedule has turns.
    """
    true, false = described.true_description, falsified.false_description
    if true is None or false is None:
        raise ValueError(
            f"{falsified.dialogue_id} has no {'true' if true is None else 'false'} description"
        )
    record = FalsePremise(
        dialogue_id=draft_id(plan.dialogue_id, falsified.variant),
        image_id=plan.image_id,
        box=plan.box,
        complexity=plan.complexity,
        category=plan.category,
        premise_class=plan.premise_class,
        true_description=true,
        false_description=false,
        edit=edit_between(true, false),
        variant=falsified.variant,
        turns=build_turns(described.questions, true, false, plan.premise_class, schedule),
        checks=(),
        models=(
            ModelUse(step="describe", model=described.model),
            ModelUse(step="falsify", model=falsified.model),
        ),
        approvals=(),
    )
    return replace(record, checks=check_dialogue(record))
