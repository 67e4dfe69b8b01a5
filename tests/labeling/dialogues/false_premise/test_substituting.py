"""What a model is asked when a description is to be made false."""

from pathlib import Path
from typing import get_args

import pydantic
import pytest

from benchwright.asking.requests import PicturePart
from benchwright.records import PremiseClass
from labeling.dialogues.false_premise.substituting import FalseDescription, substitution_request

CLASSES: tuple[PremiseClass, ...] = get_args(PremiseClass)
DOG = "the brown dog on the blue carpet"
PICTURE = PicturePart(sha256="0" * 64, path=Path("dog.jpg"))


def text_of(premise_class: PremiseClass, **more: tuple[str, ...]) -> str:
    request = substitution_request(PICTURE, DOG, premise_class, **more)
    ((shown, text),) = (message.parts for message in request.messages)
    assert shown == PICTURE
    assert isinstance(text, str)
    return text


def test_each_class_is_told_its_own_error_alone() -> None:
    texts = {name: text_of(name) for name in CLASSES}
    errors = ("in what the thing is", "in one property", "in where the whole thing is")
    for own, premise_class in zip(errors, CLASSES, strict=True):
        assert [error in texts[premise_class] for error in errors] == [
            error == own for error in errors
        ]
        assert DOG in texts[premise_class]
    longer = ["but for a phrase of place" in texts[name] for name in CLASSES]
    assert longer == [False, False, True]


def test_others_and_faults_are_listed_once_each() -> None:
    plain = text_of("attribute")
    assert "already" not in plain
    assert "not taken" not in plain
    told = text_of("attribute", others=("the red dog", "the red dog"), faults=("too long",))
    assert told.startswith(plain)
    assert told.count("\n- the red dog") == 1
    assert told.endswith("\n- too long")


@pytest.mark.parametrize(
    "answer",
    [{}, {"false_description": ""}, {"false_description": "x" * 301}, {"false": "the cat"}],
)
def test_answers_of_another_form(answer: dict[str, str]) -> None:
    with pytest.raises(pydantic.ValidationError):
        FalseDescription.model_validate(answer)
