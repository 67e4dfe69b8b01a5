"""The form in which people write a chain, and the chain that it becomes."""

import json
from typing import Any

import pytest

from labeling.dialogues.question_chain.authoring.chain_form import about, said_chain
from stand_ins.chain_files import entry_of
from stand_ins.chains import chain


def entry(**more: Any) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(json.dumps(entry_of(chain())), parse_int=str)
    return {**said, **more}


def with_step(**more: Any) -> dict[str, Any]:
    said = entry()
    said["steps"][1].update(more)
    return said


@pytest.mark.parametrize(
    ("uses", "numbers"),
    [
        ([], ()),
        ("", ()),
        (["1"], (1,)),
        ("1", (1,)),
        ("1, 2", (1, 2)),
        (["2", "1"], (2, 1)),
        # what breaks a rule is a chain all the same: people mend it
        ("3", (3,)),
        ("2", (2,)),
        ("1 1", (1, 1)),
    ],
)
def test_uses_are_numbers_of_steps(uses: Any, numbers: tuple[int, ...]) -> None:
    assert said_chain(with_step(uses=uses)).chain("ana").steps[1].uses == numbers


def test_the_true_option_comes_first_whoever_wrote_it_down() -> None:
    said = with_step(
        question_options=["Is it dark?", {"text": "WHERE is the silver car?"}],
        answer_options=["parked", "In its  lane", "gone"],
    )
    step = said_chain(said).chain("ana").steps[1]
    assert [(one.text, one.answer, one.origin) for one in step.question_options] == [
        ("Where is the silver car?", "in its lane", "true"),
        ("Is it dark?", None, "step"),
    ]
    assert step.answer_options == ("in its lane", "parked", "gone")


def test_a_step_without_other_options_has_none() -> None:
    said = with_step(question_options=["Where is the silver car?"], answer_options=[])
    step = said_chain(said).chain("ana").steps[1]
    assert (step.question_options, step.answer_options) == ((), ())


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("a text", "wants KEY: VALUE lines"),
        (None, "wants KEY: VALUE lines"),
        (["x"], "wants KEY: VALUE lines"),
        (entry(categry="x"), "categry is no key here; did you mean category?"),
        (entry(zzz="x"), "zzz is no key here"),
        ({**entry(), "steps": "x"}, "steps wants a list"),
        ({**entry(), "question": ["x"]}, "question wants a text"),
        ({**entry(), "image_id": None}, "wants picture: or image_id:, one of them"),
        (entry(picture="a.jpg"), "wants picture: or image_id:, one of them"),
        ({**entry(), "image_id": "", "picture": {"source": "coco"}}, "picture wants a name"),
        (with_step(answer=None), "steps 2 answer wants a text"),
        (with_step(question_options=[{"answer": "x"}]), "steps 2 question_options 1 text"),
        (with_step(question_options=[{"text": "x", "origin": "true"}]), "wants step or chain"),
        # JSON has values that are no texts
        (with_step(answer=True), "steps 2 answer wants a text"),
        (with_step(uses=True), "steps 2 uses wants a list"),
    ],
)
def test_what_has_not_its_shape_is_one_line(said: Any, fault: str) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        said_chain(said)
    assert fault in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        (with_step(uses=["0"]), "steps 2 uses 1 Input should be greater than or equal to 1"),
        (with_step(uses=["-1"]), "step 2 uses '-1'; wants numbers of steps"),
        (with_step(uses=["1.5"]), "step 2 uses '1.5'"),
        (with_step(uses=["²"]), "step 2 uses '²'"),
        (with_step(uses="one"), "step 2 uses 'one'"),
        (with_step(answer="x" * 201), "steps 2 answer String should have at most 200"),
        (with_step(question="a\x00b"), "cannot be printed"),
        (with_step(question="a\ud800b"), "no chain"),
        (entry(steps=entry()["steps"] * 5), "steps Tuple should have at most 12 items"),
    ],
)
def test_what_cannot_be_opened_in_the_app_is_no_chain(said: Any, fault: str) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        said_chain(said).chain("ana")
    assert fault in str(raised.value)


def test_the_id_is_of_picture_and_question_alone() -> None:
    made = said_chain(entry()).chain("ana")
    first = about("p1", made).chain_id
    assert first.startswith("p1-")
    mended = said_chain(with_step(answer="elsewhere")).chain("bo")
    asked_otherwise = said_chain(entry(question="Who did it?")).chain("ana")
    assert about("p1", mended).chain_id == first
    assert about("p2", made).chain_id.partition("-")[2] == first.partition("-")[2]
    assert about("p1", asked_otherwise).chain_id != first
    assert about("p1", made, "mine").chain_id == "mine"


@pytest.mark.parametrize("name", ["a/b", "-a", "a b", "x" * 81, "ä", "a\n"])
def test_an_id_that_could_be_a_path_is_none(name: str) -> None:
    with pytest.raises(ValueError, match="id: "):
        said_chain(entry(id=name)).given_id()
