"""Does a voter see the pictures that it is sent? Colours are named, or they are not."""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from benchwright.asking.eyesight.attempt import attempt, is_answered, message_of
from benchwright.asking.eyesight.drawing import asked_colour, chosen, draw, names
from benchwright.asking.questions import Asks
from benchwright.asking.reading import read_text, without_reasoning
from benchwright.asking.replies import Reply
from benchwright.asking.requests import PicturePart, Request

MOST_CALLS = 7
SIDE = 224  # pixels
QUESTION = asked_colour("this picture")
ROOM = 64  # tokens
ROOM_TO_REASON = 2048

PICTURES = 5
_ENOUGH = 4  # right of five out of eight colours: by chance once in 910 times
_SHOWN = 120  # characters of an answer
_FEWEST_TOKENS = 8  # that a picture adds; less may be the template around it
_Count = Annotated[int, Field(ge=0)]


class Sight(BaseModel):
    """Whether pictures are seen: ``right`` of ``asked`` colours were named.

    ``sees``: a blind guesser is right so often once in 900 times; ``takes``: pictures change
    the count of tokens or the answers, but these are not right; ``ignores``: it answers as if
    there were none; ``refuses``: an error; ``unanswered``: not even the text alone was answered.
    ``seconds`` is the median of a call.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    verdict: Literal["sees", "takes", "ignores", "refuses", "unanswered"]
    right: _Count = 0
    asked: _Count = 0
    seconds: float | None = None
    message: str | None = None

    @property
    def is_enough(self) -> bool:
        """Tell whether questions about pictures can be asked."""
        return self.verdict in ("sees", "takes")


async def check_sight(client: Asks) -> Sight:
    """Tell whether a voter sees pictures, in at most seven short calls.

    It asks for the colour of five pictures, and the same without a picture. A client with a store
    keeps the replies.

    Raises BudgetSpent.
    """
    with tempfile.TemporaryDirectory() as folder:
        parts = {colour: draw(Path(folder), colour, SIDE) for colour in chosen(PICTURES)}
        alone = await attempt(client, Request.of(QUESTION, max_tokens=ROOM))
        if not is_answered(alone):
            return Sight(verdict="unanswered", message=message_of(alone))
        room = ROOM_TO_REASON if _is_cut(alone) else ROOM
        replies: list[Reply] = []
        for part in parts.values():
            reply = await attempt(client, asked_about(part, room))
            if not replies and not is_answered(reply):
                return Sight(verdict="refuses", asked=1, message=message_of(reply))
            replies.append(reply)
        again = None
        if _is_unclear(replies, alone, list(parts)):
            # another sample is another key, so that a stored answer does not stand for two
            once_more = replace(asked_about(next(iter(parts.values())), room), sample=1)
            again = await attempt(client, once_more)
    return _judged(replies, alone, again, list(parts))


def longest_looks() -> tuple[Request, ...]:
    """Return the calls of ``check_sight`` as they are when all are made and each is longest.

    The last is made only where it has to be. Pictures are ``SIDE`` pixels wide and high; their
    files are gone, so that the requests are good for an estimate alone.
    """
    with tempfile.TemporaryDirectory() as folder:
        parts = [draw(Path(folder), colour, SIDE) for colour in chosen(PICTURES)]
    looks = [asked_about(part, ROOM_TO_REASON) for part in parts]
    return (Request.of(QUESTION, max_tokens=ROOM), *looks, replace(looks[0], sample=1))


def asked_about(part: PicturePart, room: int = ROOM) -> Request:
    """Return the question for the colour of one picture."""
    return Request.of(part, QUESTION, max_tokens=room)


def _is_cut(reply: Reply) -> bool:
    """Tell whether a model used up the cap for reasoning."""
    return reply.status == "truncated" and not without_reasoning(reply.text).strip()


def _is_unclear(replies: Sequence[Reply], alone: Reply, colours: Sequence[str]) -> bool:
    """Tell whether only the difference of the answers speaks for eyes; it may be mere chance."""
    return (
        _right(replies, colours) < _ENOUGH
        and not _is_counted(replies[0], alone)
        and len({reply.text for reply in replies}) > 1
    )


def _judged(
    replies: Sequence[Reply], alone: Reply, again: Reply | None, colours: Sequence[str]
) -> Sight:
    right, said = _right(replies, colours), without_reasoning(replies[0].text)
    blind = sum(read_text(reply.text).reason == "blind" for reply in replies)
    seconds = round(median(reply.seconds for reply in replies), 3)
    found = {"right": right, "asked": len(replies), "seconds": seconds}
    if right >= _ENOUGH:
        return Sight(verdict="sees", **found)
    answer = " ".join(said.split())[:_SHOWN] or "nothing"
    if 2 * blind > len(replies):
        return Sight(verdict="ignores", message=answer, **found)
    if _is_counted(replies[0], alone) or (again is not None and again.text == replies[0].text):
        return Sight(verdict="takes", message=answer, **found)
    return Sight(verdict="ignores", message=answer, **found)


def _right(replies: Sequence[Reply], colours: Sequence[str]) -> int:
    return sum(names(reply.text, colour) for reply, colour in zip(replies, colours, strict=True))


def _is_counted(reply: Reply, alone: Reply) -> bool:
    return alone.usage.prompt > 0 and reply.usage.prompt - alone.usage.prompt >= _FEWEST_TOKENS
