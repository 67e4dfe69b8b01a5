"""What a detector is told, and what it is never told."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.asking.requests import Request
from evaluation.false_premise.playing import detector_prompt
from evaluation.false_premise.playing.detector_prompt import (
    ToRead,
    Verdict,
    prompt_digest,
    to_read,
    verdict_request,
)
from evaluation.judges.corrections import labelled_answers
from stand_ins.false_premises import false_premise


def case(answer: str) -> ToRead:
    dialogue = false_premise("dog")
    return to_read(dialogue, dialogue.turns[5], answer)


def said(request: Request) -> str:
    system, user = request.messages
    assert (system.role, user.role) == ("system", "user")
    (text,) = user.parts
    return str(text)


def test_it_gets_class_flag_both_wordings_and_answer() -> None:
    dialogue = false_premise("dog")
    for turn in (dialogue.turns[0], dialogue.turns[5]):
        lines = said(verdict_request(to_read(dialogue, turn, "It is brown."))).splitlines()
        assert lines == [
            "Kind: attribute",
            f"The question as asked is {'false' if turn.has_false_premise else 'true'}.",
            f"Fits the picture: {json.dumps(turn.true_question)}",
            f"As asked: {json.dumps(turn.asked_question)}",
            'Answer: "It is brown."',
        ]


def test_it_gets_no_picture_and_is_asked_at_temperature_0() -> None:
    request = verdict_request(case("x"))
    assert not list(request.pictures())
    assert request.parameters == {"temperature": 0}
    assert request.sample == 0


@given(st.text(max_size=200))
def test_an_answer_stays_on_its_line_and_is_whole(answer: str) -> None:
    lines = said(verdict_request(case(answer))).split("\n")
    assert len(lines) == 5
    assert json.loads(lines[4].removeprefix("Answer: ")) == answer


@pytest.mark.parametrize("size", [8_000, 8_001, 100_000])
def test_a_long_answer_keeps_its_beginning_and_its_end(size: int) -> None:
    answer = "B" + "x" * (size - 2) + "E"
    shown = json.loads(said(verdict_request(case(answer))).split("\n")[4].removeprefix("Answer: "))
    assert shown[0] + shown[-1] == "BE"
    assert len(shown) < 8_100
    assert (shown == answer) == (size == 8_000)


def test_the_examples_are_none_of_the_labelled_answers() -> None:
    """A detector is not tried out on what it was shown."""
    system = str(verdict_request(case("x")).messages[0].parts[0])
    examples = set(map(json.loads, re.findall(r"^Answer: (\".*\")$", system, re.MULTILINE)))
    assert len(examples) == 8
    assert not examples & {one.read.answer for one in labelled_answers()}
    asked = set(map(json.loads, re.findall(r"^As asked: (\".*\")$", system, re.MULTILINE)))
    assert not asked & {one.read.asked_question for one in labelled_answers()}


def test_the_examples_show_both_verdicts_with_and_without_a_false_premise() -> None:
    system = str(verdict_request(case("x")).messages[0].parts[0])
    shown = re.findall(
        r"question as asked is (true|false)\.\n.*\n.*\n.*\n\{\"correction\": (true|false)", system
    )
    assert set(shown) == {(one, other) for one in ("true", "false") for other in ("true", "false")}
    assert len(shown) == 8


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("_TASK", detector_prompt._TASK + " "),
        ("_EXAMPLES", detector_prompt._EXAMPLES[1:]),
        ("_BEGINNING", 6_001),  # more is shown of a long answer
        ("_END", 1_999),
    ],
)
def test_the_digest_hangs_on_all_that_a_detector_is_told(
    name: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = prompt_digest()
    assert re.fullmatch("[0-9a-f]{64}", before)
    monkeypatch.setattr(detector_prompt, name, value)
    assert prompt_digest() != before


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{"correction": true}', True),
        ('{"correction": false, "why": "it answers"}', False),
        ('{"correction": "true"}', True),  # as some servers write it
    ],
)
def test_verdicts(text: str, wanted: bool) -> None:
    assert Verdict.model_validate_json(text).correction is wanted
