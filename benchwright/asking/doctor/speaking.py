"""Probes of a plain call: does the server answer, which fields does it take, does it keep a cap."""

from typing import Any, Literal

from benchwright.asking.doctor.line import Line
from benchwright.asking.eyesight.attempt import is_answered, message_of
from benchwright.asking.findings import Cap, Caps, Fields, Reach, ReachVerdict
from benchwright.asking.reading import without_reasoning
from benchwright.asking.replies import Reply
from benchwright.asking.requests import Request
from benchwright.asking.voters import Voter
from benchwright.plain_text import excerpt

MOST_FIELDS = 6  # that are tried one by one
MOST_GREETINGS = 4 + MOST_FIELDS  # with a second cap, and once more with room
MOST_CAPS = 2

_GREETING = Request.of("Reply with the one word: ready.", max_tokens=32)
_COUNTING = Request.of("Count from one to twenty in words.", max_tokens=1)
ROOM = 2048  # tokens for a model that reasons first
_OTHER: dict[Cap, Cap] = {
    "max_tokens": "max_completion_tokens",
    "max_completion_tokens": "max_tokens",
}
_SHOWN = 5  # models of a list


async def probe_speech(line: Line) -> tuple[Reach, Fields | None]:
    """Ask one word; leave the line's voter as the server takes it, at temperature 0 if it can."""
    file = line.voter
    line.voter = file.model_copy(update={"parameters": {"temperature": 0} | file.parameters})
    reply = await line.ask(_GREETING)
    fields = Fields(cap=file.cap)
    if _is_declined(reply):
        first, (reply, fields) = message_of(reply), await _what_is_taken(line)
        if is_answered(reply) and fields == Fields(cap=file.cap):  # each is taken by itself
            fields = _only_together(line, file, first)
    listed = await line.models()
    if not is_answered(reply):
        return _unanswered(line, reply, listed), None
    room = await _room(line, reply)
    reach = Reach(
        verdict="answers",
        is_listed=None if listed is None else file.model in listed,
        model=reply.model,
        build=reply.build,
        room=room,
    )
    return reach, fields


def _is_declined(reply: Reply) -> bool:
    """Tell whether the request may be at fault; some servers say 500 to what they do not know."""
    return reply.status == "rejected" or (reply.error or "").startswith("HTTP 5")


def _only_together(line: Line, file: Voter, message: str) -> Fields:
    """Blame our temperature, else all fields of the file, and leave them out from now on."""
    names = [name for name, value in line.voter.parameters.items() if value is not None]
    blamed = ["temperature"] if "temperature" not in file.parameters else names
    parameters = {
        name: None if name in blamed else value for name, value in line.voter.parameters.items()
    }
    line.voter = line.voter.model_copy(update={"parameters": parameters})
    return Fields(cap=file.cap, rejected=dict.fromkeys(blamed, f"with the others: {message}"))


def _unanswered(line: Line, reply: Reply, listed: tuple[str, ...] | None) -> Reach:
    is_listed = None if listed is None else line.voter.model in listed
    message, failure = message_of(reply), line.last_failure
    if failure is not None and failure.is_of_key:
        return Reach(verdict="wrong_key", is_listed=is_listed, message=message)
    if listed is not None and not is_listed:
        some = ", ".join(excerpt(name, 80) for name in listed[:_SHOWN])
        more = f" and {len(listed) - _SHOWN} more" if len(listed) > _SHOWN else ""
        return Reach(
            verdict="model_unknown", is_listed=False, message=f"{message}; it has {some}{more}"
        )
    verdict: ReachVerdict = "unreachable"
    if reply.status == "rejected":
        verdict = "refuses"
    elif failure is not None and failure.is_of_account:
        verdict = "no_quota"
    return Reach(verdict=verdict, is_listed=is_listed, message=message)


async def _what_is_taken(line: Line) -> tuple[Reply, Fields]:
    """Find the fields that make the server reject a call, and leave them out from now on."""
    file = line.voter
    line.voter = file.model_copy(update={"parameters": {}, "logprobs": 0})
    reply = await line.ask(_GREETING)
    if _is_declined(reply):
        line.voter = line.voter.model_copy(update={"cap": _OTHER[file.cap]})
        reply = await line.ask(_GREETING)
    cap = line.voter.cap
    if not is_answered(reply):
        return reply, Fields(cap=cap)
    tried: dict[str, dict[str, Any]] = {
        name: {"parameters": {name: value}}
        for name, value in file.parameters.items()
        if value is not None
    }
    if file.logprobs:
        tried["logprobs"] = {"logprobs": file.logprobs}
    names = list(tried)
    rejected = {}
    for name in names[:MOST_FIELDS]:
        with_it = await line.ask(_GREETING, **tried[name])
        if not is_answered(with_it):
            rejected[name] = message_of(with_it)
    left_out = {*rejected, *names[MOST_FIELDS:]}
    parameters = {
        name: None if name in left_out else value for name, value in file.parameters.items()
    }
    logprobs = 0 if "logprobs" in left_out else file.logprobs
    line.voter = line.voter.model_copy(update={"parameters": parameters, "logprobs": logprobs})
    return reply, Fields(cap=cap, rejected=rejected, untried=tuple(names[MOST_FIELDS:]))


async def _room(line: Line, reply: Reply) -> int | None:
    """Give a model that said nothing within the cap more room; return it where that helped."""
    if reply.status != "truncated" or without_reasoning(reply.text):
        return None
    room = max(ROOM, 4 * (line.voter.max_tokens or 0))
    again = await line.ask(_GREETING, max_tokens=room)
    if not without_reasoning(again.text):
        return None
    line.voter = line.voter.model_copy(update={"max_tokens": room})
    return room


async def probe_caps(line: Line) -> Caps:
    """Ask for much and allow one token, with both names of the cap."""
    return Caps(
        max_tokens=await _cap(line, "max_tokens"),
        max_completion_tokens=await _cap(line, "max_completion_tokens"),
    )


async def _cap(line: Line, cap: Cap) -> Literal["honoured", "unmarked", "ignored", "rejected"]:
    others = {name: value for name, value in line.voter.parameters.items() if name not in _OTHER}
    reply = await line.ask(_COUNTING, cap=cap, max_tokens=None, parameters=others)
    if not is_answered(reply):
        return "rejected"
    if reply.status == "truncated":
        return "honoured"
    is_cut = reply.usage.completion == 1 or len(reply.text.split()) == 1
    return "unmarked" if is_cut else "ignored"
