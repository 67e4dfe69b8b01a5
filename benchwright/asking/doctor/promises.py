"""Probes of what servers promise and may not keep: structured output, logprobs, same answers."""

import asyncio
from statistics import median
from typing import Any, Literal

import pydantic

from benchwright.asking.any_json import parsed
from benchwright.asking.doctor.line import Line
from benchwright.asking.eyesight.attempt import is_answered, message_of
from benchwright.asking.eyesight.drawing import chosen
from benchwright.asking.eyesight.sight import SIDE, Sight, asked_about
from benchwright.asking.findings import (
    Logprobs,
    Promise,
    Repeats,
    Speed,
    StructuredFinding,
)
from benchwright.asking.replies import Reply
from benchwright.asking.requests import Request
from benchwright.asking.strict_schema import json_schema_format

MOST_STRUCTURED = 2  # calls
MOST_LOGPROBS = 2
REPEATS = 3
AT_ONCE = 4


class _Form(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid", strict=True)


class _Berth(_Form):
    side: Literal["left", "right"]
    taken: bool | None


class _Harbour(_Form):
    # as structured answers are asked for, a model within and what may be null among it; without
    # numbers, texts and lists, in which a weak model that is held to the form finds no end
    harbour: Literal["north", "south"]
    open: bool
    berth: _Berth


# against the words of the prompt, so that an obliging model is not taken for a server that
# enforces; OpenAI takes json_object only where the prompt holds the word JSON
_IN_WORDS = "What is the capital of France? Reply in one plain sentence, not in JSON."
ROOM = 128
LONGEST = 160  # tokens of an answer that is repeated
_ALTERNATIVES = (20, 5)
_LONG = Request.of("Describe a harbour at dawn in four sentences.", max_tokens=LONGEST)


async def probe_structured(line: Line) -> StructuredFinding:
    """Ask for JSON by response_format alone."""
    by_schema = await line.ask(_formatted(json_schema_format(_Harbour)))
    as_object = await line.ask(_formatted({"type": "json_object"}))
    return StructuredFinding(
        json_schema=_kept(by_schema, fits=_fits_schema(by_schema.text)),
        json_object=_kept(as_object, fits=_fits_object(as_object)),
        json_schema_message=None if is_answered(by_schema) else message_of(by_schema),
        json_object_message=None if is_answered(as_object) else message_of(as_object),
    )


def _formatted(response_format: dict[str, Any]) -> Request:
    return Request.of(_IN_WORDS, max_tokens=ROOM, response_format=response_format)


def _kept(reply: Reply, *, fits: bool) -> Promise:
    if not is_answered(reply):
        return "rejected"
    return "enforced" if fits else "ignored"


def _fits_schema(text: str) -> bool:
    try:
        _Harbour.model_validate_json(text)
    except pydantic.ValidationError:
        return False
    return True


def _fits_object(reply: Reply) -> bool:
    if reply.status == "truncated":  # a weak model that is held to JSON may not find its end
        return reply.text.lstrip().startswith("{")
    return isinstance(parsed(reply.text), dict)


async def probe_logprobs(line: Line) -> Logprobs:
    """Ask for as many alternatives as the protocol allows, then for a few."""
    request = Request.of("Is water wet? Reply yes or no.", max_tokens=16)
    message = None
    for wanted in _ALTERNATIVES:
        reply = await line.ask(request, logprobs=wanted)
        if is_answered(reply):
            if reply.tokens is None:
                return Logprobs(verdict="ignored", message=message)
            most = max(len(token.alternatives) for token in reply.tokens)
            return Logprobs(verdict="given", alternatives=most, message=message)
        message = message_of(reply)
    return Logprobs(verdict="rejected", message=message)


async def probe_repeats(line: Line, logprobs: Logprobs) -> Repeats:
    """Ask for a long answer several times, at temperature 0 where that is taken."""
    parameters = dict(line.voter.parameters)
    if parameters.get("temperature") is not None:
        parameters["temperature"] = 0
    alternatives = min(logprobs.alternatives, 1) if logprobs.verdict == "given" else 0
    replies = [
        await line.ask(_LONG, parameters=parameters, logprobs=alternatives) for _ in range(REPEATS)
    ]
    answered = [reply for reply in replies if is_answered(reply)]
    failed = [message_of(reply) for reply in replies if not is_answered(reply)]
    texts = {reply.text for reply in answered}
    tokens = {reply.tokens for reply in answered}
    is_comparable = len(texts) == 1 and None not in tokens
    return Repeats(
        asked=len(answered),
        different=len(texts),
        logprobs_equal=len(tokens) == 1 if is_comparable else None,
        message=failed[0] if failed else None,
    )


async def probe_speed(line: Line, sight: Sight) -> Speed:
    """Ask a few questions about pictures at once; alone they were asked before."""
    count = min(line.voter.concurrency, AT_ONCE)
    if count == 1:
        return Speed(alone=sight.seconds)
    parts = [await line.picture(colour, SIDE) for colour in chosen(count)]
    replies = await asyncio.gather(*(line.ask(asked_about(part)) for part in parts))
    seconds = [reply.seconds for reply in replies if is_answered(reply)]
    together = round(median(seconds), 3) if seconds else None
    return Speed(alone=sight.seconds, together=together, at_once=count)
