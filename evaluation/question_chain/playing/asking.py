"""Asking a model to choose one of some options, and reading which it is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchwright.asking.questions import RAISE, Asks
from benchwright.asking.reading.reasoning import without_reasoning
from benchwright.asking.replies import Reply
from benchwright.asking.requests import PicturePart, Request
from benchwright.protocols.question_chain import Choice, read_choice

MAX_TOKENS = 512  # of an answer: room for a model that weighs the options before it chooses
_NONE_CAME = ("failed", "rejected")
_TENTATIVE = ("mentioned letter", "mentioned text")  # of an answer whose end is missing


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What a model chose: ``choice`` counts places as they were shown.

    ``replies`` are all that were had for it, the last the one that was read.
    """

    choice: Choice
    replies: tuple[Reply, ...]

    @property
    def reply(self) -> Reply:
        """The reply that was read."""
        return self.replies[-1]


def is_missing(status: str) -> bool:
    """Tell by the status of a reply whether no answer came: none of the model can be scored."""
    return status in _NONE_CAME


def choice_request(text: str, picture: PicturePart | None, sample: int) -> Request:
    """Return the request that puts a question with options; without a picture text alone.

    Sample 0 is asked at temperature 0, further ones at 1; what the voter's file says of
    temperature wins.
    """
    shown = () if picture is None else (picture, "\n")
    request = Request.of(*shown, text, max_tokens=MAX_TOKENS, temperature=0 if sample == 0 else 1)
    return replace(request, sample=sample)


async def choose(asks: Asks, request: Request, options: Sequence[str]) -> Chosen:
    """Return what is chosen of some options; raises what ``Asks.ask`` does.

    An answer that was cut before it named one gets room once.
    """
    reply = await asks.ask(request)
    choice = _read(reply, options)
    if reply.status == "truncated" and choice.place is None:
        raised = request.with_cap(RAISE * asks.voter.cap_for(request.max_tokens))
        second = await asks.ask(raised)
        return Chosen(choice=_read(second, options), replies=(reply, second))
    return Chosen(choice=choice, replies=(reply,))


def _read(reply: Reply, options: Sequence[str]) -> Choice:
    if reply.status not in ("ok", "truncated"):
        return Choice(None, reply.status)
    choice = read_choice(without_reasoning(reply.text), options)
    if reply.status == "truncated" and (choice.place is None or choice.route in _TENTATIVE):
        return Choice(None, "truncated")
    return choice
