"""Asking until the answer can be read: the cap is raised once, a broken form is mended once."""

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Generic, Protocol, TypeVar

import pydantic

from benchwright.asking.reading import Reading, Structured, read_structured, read_yes_no
from benchwright.asking.replies import Reply
from benchwright.asking.requests import Message, PicturePart, Request
from benchwright.asking.strict_schema import json_schema_format
from benchwright.asking.voters import Voter

M = TypeVar("M", bound=pydantic.BaseModel)

_ONE_WORD = "\nAnswer with one word: yes, no or unsure."
RAISE = 4  # times the cap, for an answer that was cut before it said anything


class Asks(Protocol):
    """Whoever can be asked: the client, or the stored answers alone."""

    voter: Voter

    async def ask(self, request: Request) -> Reply:
        """Return the reply to a request."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The last reply to a yes/no question and what it says."""

    reply: Reply
    reading: Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled(Generic[M]):
    """The last reply to a request for a structured answer and what it says."""

    reply: Reply
    structured: Structured[M]


def yes_no_request(*parts: str | PicturePart, max_tokens: int = 16, sample: int = 0) -> Request:
    """Return the request that puts a yes/no question; ``parts`` are pictures and the question.

    The first sample is asked at temperature 0, further ones at 1: two answers at 0 would tell
    of the server, not of the model's doubt. What the voter's file says of temperature wins.
    """
    message = Message(role="user", parts=(*parts, _ONE_WORD))
    parameters = {"temperature": 0 if sample == 0 else 1}
    return Request(messages=(message,), max_tokens=max_tokens, parameters=parameters, sample=sample)


async def ask_yes_no(client: Asks, request: Request) -> Answered:
    """Ask a yes/no question; where the answer was cut too early, once more with room for it.

    Raises what ``Client.ask`` raises.
    """
    reply = await client.ask(request)
    reading = read_yes_no(reply)
    if reading.status == "truncated":
        reply = await client.ask(_raised(client, request))
        reading = read_yes_no(reply)
    return Answered(reply=reply, reading=reading)


async def ask_structured(client: Asks, request: Request, model: type[M]) -> Filled[M]:
    """Ask for JSON that fits a pydantic model and check it, whatever the server promises.

    The schema is named in the prompt, and to the server where the voter's file says that it
    honours one. A cut answer gets room once; one that does not fit is sent back once with its
    fault. Raises what ``Client.ask`` raises.
    """
    request = with_form(request, client.voter.structured, model)
    reply = await client.ask(request)
    read = read_structured(reply, model)
    if read.status == "truncated":
        request = _raised(client, request)
        reply = await client.ask(request)
        read = read_structured(reply, model)
    if read.status == "unparsed":
        reply = await client.ask(_sent_back(request, reply, read.fault or "it is no JSON"))
        read = read_structured(reply, model)
    return Filled(reply=reply, structured=read)


def _raised(client: Asks, request: Request) -> Request:
    return request.with_cap(RAISE * client.voter.cap_for(request.max_tokens))


def with_form(request: Request, form: str, model: type[pydantic.BaseModel]) -> Request:
    """Return the request as ``ask_structured`` sends it; ``form`` is the voter's ``structured``."""
    wanted = _schema_text(model)
    *before, last = request.messages
    said = f"\n\nAnswer with one JSON object and nothing else; it must fit this schema:\n{wanted}"
    messages = (*before, replace(last, parts=(*last.parts, said)))
    parameters: dict[str, Any] = dict(request.parameters)
    if form == "json_object":
        parameters["response_format"] = {"type": "json_object"}
    elif form == "json_schema":
        parameters["response_format"] = _format(model)
    return replace(request, messages=messages, parameters=parameters)


@lru_cache(maxsize=64)  # the same few models are asked for again and again
def _schema_text(model: type[pydantic.BaseModel]) -> str:
    return json.dumps(model.model_json_schema(), ensure_ascii=False)


@lru_cache(maxsize=64)
def _format(model: type[pydantic.BaseModel]) -> dict[str, Any]:
    return json_schema_format(model)


def _sent_back(request: Request, reply: Reply, fault: str) -> Request:
    """Return the request with the answer that did not fit and a demand for one that does."""
    answer = Message(role="assistant", parts=(reply.text,))
    demand = f"That does not fit the schema: {fault}. Send the corrected JSON object alone."
    return replace(
        request, messages=(*request.messages, answer, Message(role="user", parts=(demand,)))
    )
