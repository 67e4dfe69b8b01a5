"""Asking until the answer can be read: the cap is raised once, a broken form is sent back once."""

import asyncio
import json
from typing import Literal

import pydantic
import pytest

from benchwright.asking.client import Client
from benchwright.asking.questions import (
    ask_structured,
    ask_yes_no,
    with_form,
    yes_no_request,
)
from benchwright.asking.requests import Request
from benchwright.asking.views import Encoder
from benchwright.asking.voters import Voter
from stand_ins.models import Model, Question, Script, ScriptedServer, Turn


class Verdict(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")
    colour: Literal["red", "blue"]


def voter(server: ScriptedServer, structured: str = "none", **settings: int) -> Voter:
    return Voter.model_validate(
        {
            "name": "v",
            "model": "scripted",
            "base_url": server.base_url,
            "structured": structured,
            **settings,
        }
    )


def yes_after(tokens: int):
    """A model that reasons for so many tokens before it says yes."""

    def brain(question: Question) -> Turn:
        if question.parameters["max_tokens"] < tokens:
            return Turn(text="<think>Let me look at", finish_reason="length")
        return Turn(text="<think>Let me look at it.</think>Yes")

    return brain


@pytest.mark.parametrize(
    ("needed", "room", "answer", "status", "calls"),
    [
        (10, 0, "yes", "ok", 1),  # enough at once
        (50, 0, "yes", "ok", 2),  # 16 are not enough, 64 are
        (500, 0, None, "truncated", 2),  # raised once, not for ever
        (500, 150, "yes", "ok", 2),  # the file asks for room: 150, then 600
    ],
)
def test_cap_is_raised_once(
    needed: int, room: int, answer: str | None, status: str, calls: int
) -> None:
    with ScriptedServer(brain=yes_after(needed)) as server:

        async def main() -> tuple[str | None, str]:
            settings = {"max_tokens": room} if room else {}
            async with Client(voter(server, **settings), None, Encoder()) as client:
                answered = await ask_yes_no(client, yes_no_request("Is it red?"))
                return answered.reading.answer, answered.reading.status

        assert asyncio.run(main()) == (answer, status)
        assert server.counts.chats == calls


def test_first_sample_is_cold_the_others_are_not() -> None:
    requests = [yes_no_request("Is it red?", sample=sample) for sample in range(3)]
    assert [each.parameters["temperature"] for each in requests] == [0, 1, 1]
    assert [each.sample for each in requests] == [0, 1, 2]


def replying(*texts: str):
    """A model that says these one after the other."""

    def brain(question: Question) -> Turn:
        return Turn(text=texts[min(question.ordinal, len(texts) - 1)])

    return brain


@pytest.mark.parametrize(
    ("texts", "colour", "status", "calls"),
    [
        (['{"colour": "red"}'], "red", "ok", 1),
        (['Sure! ```json\n{"colour": "red"}\n```'], "red", "ok", 1),  # with text around it
        (['{"colour": "green"}', '{"colour": "red"}'], "red", "ok", 2),  # mended when sent back
        (["red", '{"colour": "blue", "sure": 1}'], None, "unparsed", 2),  # sent back once only
        (["I'm sorry, but I can't assist with that."], None, "refused", 1),  # not asked again
    ],
)
def test_structured(texts: list[str], colour: str | None, status: str, calls: int) -> None:
    with ScriptedServer(brain=replying(*texts)) as server:

        async def main() -> tuple[str | None, str]:
            async with Client(voter(server), None, Encoder()) as client:
                request = Request.of("Which colour?", max_tokens=60)
                filled = await ask_structured(client, request, Verdict)
                value = filled.structured.value
                return value and value.colour, filled.structured.status

        assert asyncio.run(main()) == (colour, status)
        assert server.counts.chats == calls


@pytest.mark.parametrize(
    ("structured", "sent"),
    [
        ("none", None),
        ("json_object", "json_object"),
        ("json_schema", "json_schema"),
    ],
)
def test_form_is_asked_of_the_server_as_the_file_says(structured: str, sent: str | None) -> None:
    seen = []

    def brain(question: Question) -> Turn:
        seen.append((question.parameters.get("response_format") or {}).get("type"))
        assert '"colour"' in question.text  # in words it is asked for always
        return Turn(text='{"colour": "red"}', data={"colour": "red"})

    with ScriptedServer(Script(models=(Model(),)), brain=brain) as server:

        async def main() -> None:
            async with Client(voter(server, structured), None, Encoder()) as client:
                await ask_structured(client, Request.of("Which?", max_tokens=60), Verdict)

        asyncio.run(main())
    assert seen == [sent]


class Reasoned(pydantic.BaseModel):
    reason: str
    answer: Literal["yes", "no"]
    about: dict[str, str] = {}


class Closed(pydantic.BaseModel):
    reason: str
    answer: Literal["yes", "no"] = "no"


@pytest.mark.parametrize(("model", "strict"), [(Reasoned, False), (Closed, True)])
def test_the_schema_is_sent_in_its_order_and_strict_where_it_can_be(
    model: type[pydantic.BaseModel], strict: bool
) -> None:
    sent = with_form(Request.of("Is it red?", max_tokens=60), "json_schema", model)
    form = sent.parameters["response_format"]["json_schema"]
    assert (form["name"], form["strict"]) == (model.__name__, strict)
    assert list(form["schema"]["properties"])[:2] == ["reason", "answer"]
    if strict:
        assert form["schema"]["required"] == ["reason", "answer"]
    said = str(sent.messages[0].parts[-1])
    assert said.index('"reason"') < said.index('"answer"')


def test_what_is_sent_back_names_the_fault() -> None:
    said = []

    def brain(question: Question) -> Turn:
        said.append(json.dumps(question.messages))
        return Turn(text='{"colour": "green"}')

    with ScriptedServer(brain=brain) as server:

        async def main() -> None:
            async with Client(voter(server), None, Encoder()) as client:
                await ask_structured(client, Request.of("Which?", max_tokens=60), Verdict)

        asyncio.run(main())
    first, second = said
    assert "green" not in first
    assert "That does not fit the schema" in second
    assert "colour" in second.split("does not fit the schema")[1]
