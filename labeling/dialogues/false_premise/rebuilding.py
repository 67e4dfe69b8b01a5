"""A dialogue made anew from another false description."""

from dataclasses import replace

from benchwright.records import FalsePremise
from labeling.dialogues.false_premise.rules.checks import MOST_CHARACTERS, check_dialogue
from labeling.dialogues.false_premise.rules.edits import edit_between
from labeling.dialogues.false_premise.rules.turns import turn_of


def rebuild(record: FalsePremise, false_description: str) -> FalsePremise:
    """Return the dialogue with this false description: edit, asked questions and checks are new.

    What it was checked by sight for is no longer what it says, so those checks are left out. Of
    blanks only single ones between words are kept.
    """
    false = " ".join(false_description.split())
    is_fit = len(false) <= MOST_CHARACTERS
    turns = tuple(
        turn_of(
            turn.index,
            turn.true_question,
            record.true_description,
            false if is_fit else record.true_description,
            record.premise_class,
            is_false=turn.has_false_premise,
        )
        for turn in record.turns
    )
    edit = edit_between(record.true_description, false)
    made = replace(record, false_description=false, edit=edit, turns=turns, checks=())
    return replace(made, checks=check_dialogue(made))
