"""What is wrong with a false description, one answer at a time."""

from dataclasses import replace
from pathlib import Path

import pytest

from benchwright.asking.requests import PicturePart
from benchwright.asking.voters import Voter
from benchwright.records import Described, PlannedDialogue, PremiseClass
from labeling.dialogues.false_premise.describing.targets import Target
from labeling.dialogues.false_premise.falsifying.substitution import Substitution
from labeling.dialogues.false_premise.rules.turns import DEFAULT_SCHEDULE
from labeling.dialogues.false_premise.substituting import FalseDescription

DOG = "the brown dog on the left side"
PICTURE = PicturePart(sha256="0" * 64, path=Path("dog.jpg"))
VOTER = Voter(name="ann", model="ann-7b", base_url="http://localhost:1/v1")


def wanted(premise_class: PremiseClass, true: str = DOG) -> Substitution:
    planned = PlannedDialogue(
        dialogue_id=f"p-{premise_class}",
        image_id="p",
        object_id="1",
        box=(1.0, 2.0, 3.0, 4.0),
        complexity="single-target clean",
        category="animal",
        premise_class=premise_class,
    )
    described = Described(
        dialogue_id=planned.dialogue_id,
        true_description=true,
        questions=tuple(f"What is {true} doing at {hour} o'clock?" for hour in range(1, 11)),
        model="ann-7b",
        faults=(),
        is_failed=False,
    )
    return Substitution(
        target=Target(
            number=0, dialogues=(planned,), picture=PICTURE, size=(320, 240), label="dog"
        ),
        plan=planned,
        described=described,
        true_description=true,
        schedule=DEFAULT_SCHEDULE,
        variant=1,
        voter=VOTER,
    )


def fault(of: Substitution, false: str) -> str | None:
    return of.job().fault(FalseDescription(false_description=false))


@pytest.mark.parametrize(
    ("premise_class", "false"),
    [
        ("identity", "the brown cat on the left side"),
        ("identity", " the  brown\tcat on the left side\n"),  # blanks are no fault
        ("attribute", "the white dog on the left side"),
        ("location", "the brown dog on the right side"),
        ("location", "the brown dog on the left side of the room"),  # one phrase put in
    ],
)
def test_good_answers(premise_class: PremiseClass, false: str) -> None:
    assert fault(wanted(premise_class), false) is None


@pytest.mark.parametrize(
    ("premise_class", "false", "reason"),
    [
        ("identity", "the white cat on the right side", "2 edits: 'brown dog' to 'white cat'"),
        ("identity", "the brown cat on the far side", "2 edits"),
        ("identity", "the brown cat on the left side of it", "has 9 words"),  # longer
        ("identity", "the brown hound on the left side", "words for one thing"),
        ("identity", "the brown animal on the left side", "is a kind of"),
        ("identity", "the brown puppy on the left side", "differ in age"),
        ("identity", "the brown cats on the left side", "are not as many"),
        ("identity", DOG, "no other than the true one"),
        ("attribute", "the wooden dog on the left side", "goes from"),  # another property
        ("attribute", "the brown cat on the left side", "planned is attribute"),
        ("attribute", "the dog on the left side", "left out, not changed"),
        ("attribute", "the not brown dog on the left side", "has 8 words"),
        ("attribute", "The white dog on the left side", "otherwise"),
        ("attribute", "the чёрный dog on the left side", "no plain English"),
        ("attribute", "the white\x1b[1m dog on the left side", "cannot be printed"),
        ("attribute", "the **white** dog on the left side", "holds '*'"),
        ("location", "the brown dog resting on the left side", "no place phrase"),
        ("location", "the brown dog on the left side, far away", "holds ','"),
        ("location", "the brown dog with a toy on its left side", "planned is location"),
        ("location", " \t ", "the false description is empty"),
    ],
)
def test_faults_name_the_answer_and_the_reason(
    premise_class: PremiseClass, false: str, reason: str
) -> None:
    found = fault(wanted(premise_class), false)
    assert found is not None
    assert reason in found
    assert found.isprintable()


def test_what_voters_affirmed_is_no_answer() -> None:
    cat, cow = ("the brown cat on the left side", "the brown cow on the left side")
    of = replace(wanted("identity"), affirmed={cat})
    refusal = fault(of, cat)
    assert refusal is not None
    assert refusal.startswith(f"{cat}: something in the picture")
    assert fault(of, cow) is None
    row = of.row(cow, [refusal, "another fault", refusal])
    assert (row.refused, row.faults) == ((cat,), (refusal, "another fault", refusal))
    assert (row.false_description, row.model) == (cow, "ann-7b")


@pytest.mark.parametrize(
    ("premise_class", "other", "false", "is_alike"),
    [
        ("identity", "the brown cat on the left side", "the brown cat on the left side", True),
        ("identity", "the brown cat on the left side", "the brown cow on the left side", False),
        # the same words at another place of the description
        ("location", "the brown dog near the left side", "the brown dog near the left side", True),
        ("attribute", "the white dog on the left side", "the black dog on the left side", False),
    ],
)
def test_variants_put_in_words_of_their_own(
    premise_class: PremiseClass, other: str, false: str, is_alike: bool
) -> None:
    found = fault(replace(wanted(premise_class), others=(other,)), false)
    assert (found is not None) is is_alike
    assert found is None or f"it puts in the same words as {other}" in found


def test_several_forms_of_one_word_are_one() -> None:
    true = "the brown dogs on the left side"
    of = replace(wanted("identity", true), others=("the brown cats on the left side",))
    assert fault(of, "the brown cats on the left side") is not None
    assert fault(of, "the brown cows on the left side") is None
