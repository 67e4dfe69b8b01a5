"""Scripted judges of a game are right, whoever asks them."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from openai import OpenAI

from benchwright.knowledge import NO, YES
from stand_ins.players import players_behind, question_about
from stand_ins.players.cast import SLY

TOOLS = [{"type": "function", "function": {"name": "zoom", "parameters": {"type": "object"}}}]


@pytest.fixture(scope="module")
def client(things: Any) -> Iterator[OpenAI]:
    """A client of all judges behind one server."""
    with (
        players_behind(things.table) as server,
        OpenAI(base_url=server.base_url, api_key="key", max_retries=0, timeout=10) as found,
    ):
        yield found


def looked_at(client: OpenAI, judge: str, picture: Any, question: str, **more: Any) -> Any:
    text = f"Somebody asks about a thing.\n-----\n{question}\n-----\nAnswer with one word."
    messages: list[Any] = [{"role": "user", "content": [picture, {"type": "text", "text": text}]}]
    if "tools" in more:
        messages += more.pop("then", [])
    completion = client.chat.completions.create(
        model=judge, messages=messages, max_tokens=16, **more
    )
    return completion.choices[0].message


@pytest.mark.parametrize("judge", ["oracle", "verifier"])
def test_what_a_picture_shows_is_said_by_its_labels(
    judge: str, client: OpenAI, things: Any
) -> None:
    gallery = things.galleries[0]
    (picture,) = things.shown(gallery, 1)
    said = {
        value: looked_at(client, judge, picture, question_about(value)).content
        for value in gallery.values
    }
    known = dict(zip(gallery.values, gallery.answers[0], strict=True))
    words = {YES: "Yes.", NO: "No."}
    assert said == {value: words.get(int(answer), "Unsure.") for value, answer in known.items()}
    assert set(said.values()) == {"Yes.", "No."}


def test_what_is_none_of_its_questions_is_unsure(client: OpenAI, things: Any) -> None:
    (picture,) = things.shown(things.galleries[0], 1)
    assert looked_at(client, "verifier", picture, "Is it pretty?").content == "Unsure."


def test_the_oracle_zooms_once_before_it_answers(client: OpenAI, things: Any) -> None:
    (picture,) = things.shown(things.galleries[0], 1)
    question = question_about(things.galleries[0].values[0])
    first = looked_at(client, "oracle", picture, question, tools=TOOLS)
    (call,) = first.tool_calls
    assert call.function.name == "zoom"
    assert json.loads(call.function.arguments) == {
        "left": 0,
        "top": 0,
        "right": 1000,
        "bottom": 500,
    }
    then = [
        {"role": "assistant", "content": None, "tool_calls": [call.model_dump()]},
        {"role": "tool", "tool_call_id": call.id, "content": "The part is shown below."},
    ]
    second = looked_at(client, "oracle", picture, question, tools=TOOLS, then=then)
    assert second.tool_calls is None
    assert second.content in ("Yes.", "No.")


# the new question, what was answered before, the verdict
FOUND: dict[str, tuple[str, list[str], str]] = {
    "a first question": ("Is the cloth of your favourite one teal?", [], "valid"),
    "another type": (
        "Is the cloth of your favourite one teal?",
        ["Is the trim of your favourite one bow?"],
        "valid",
    ),
    "another value of a type": (
        "Is the cloth of your favourite one teal?",
        ["Is the trim of your favourite one bow?", "Is the cloth of your favourite one gold?"],
        "repeated",
    ),
    "what no list holds": (SLY[0], [], "forbidden"),
    "what no table holds": ("Is it pretty?", ["Is the trim of your favourite one bow?"], "valid"),
}


@pytest.mark.parametrize("name", FOUND)
def test_the_detector_finds_what_is_there(name: str, client: OpenAI) -> None:
    asked, before, verdict = FOUND[name]
    rows = [f"- {json.dumps(text)} no" for text in before] or ["- none"]
    text = "\n".join(["Answered so far:", *rows, f"New question: {json.dumps(asked)}"])
    completion = client.chat.completions.create(
        model="detector",
        messages=[
            {"role": "system", "content": "You check questions."},
            {"role": "user", "content": text},
        ],
        max_tokens=200,
    )
    assert json.loads(completion.choices[0].message.content or "")["verdict"] == verdict
