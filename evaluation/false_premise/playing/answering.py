"""Asking the model that is measured, turn by turn."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.asking.questions import RAISE, Asks
from benchwright.asking.reading.reasoning import without_reasoning
from benchwright.asking.replies import Reply
from benchwright.asking.requests import PicturePart, Request
from benchwright.records import PremiseTurn
from evaluation.false_premise.playing.conversation import conversation

MAX_TOKENS = 512  # of an answer: room for a few paragraphs
_NONE_CAME = ("failed", "rejected")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What a model answered: all but its reasoning, and the reply that it was taken from.

    ``text`` is null where no answer came: the server failed, or never takes the request.
    """

    text: str | None
    reply: Reply


def answer_request(
    picture: PicturePart, turns: Sequence[PremiseTurn], answers: Sequence[str], sample: int
) -> Request:
    """Return the request for the answer after ``answers``.

    Sample 0 is asked at temperature 0, further ones at 1; what the voter's file says of
    temperature wins.
    """
    return Request(
        messages=conversation(picture, turns, answers),
        max_tokens=MAX_TOKENS,
        parameters={"temperature": 0 if sample == 0 else 1},
        sample=sample,
    )


async def answer(asks: Asks, request: Request) -> Answered:
    """Return the answer to a request; raises what ``Asks.ask`` does.

    Refusals and answers that were cut are answers, too (definition 17). One that was cut before it
    said anything gets room once.
    """
    reply = await asks.ask(request)
    if reply.status == "truncated" and not without_reasoning(reply.text):
        reply = await asks.ask(request.with_cap(RAISE * asks.voter.cap_for(request.max_tokens)))
    if reply.status in _NONE_CAME:
        return Answered(text=None, reply=reply)
    return Answered(text=without_reasoning(reply.text) or (reply.refusal or ""), reply=reply)
