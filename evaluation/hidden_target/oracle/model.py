"""The oracle that is a model: it sees the target, and may look closer at parts of it."""

from dataclasses import replace

from benchwright.asking import questions
from benchwright.asking.questions import Asks, ask_yes_no
from benchwright.asking.replies import Reply
from benchwright.asking.requests import PicturePart, Request
from evaluation.hidden_target.game import Game
from evaluation.hidden_target.looking import Heard, asked_of
from evaluation.hidden_target.oracle.zoom import (
    TOOLS,
    Call,
    crop_of,
    offer_of,
    read_call,
    shown_below,
    shown_beside,
    turn_of,
)
from evaluation.hidden_target.parts import Answered, PartFailed, Question

CAP = 256  # tokens of an answer that may be a call, which takes some sixty; words may go before


class ModelOracle:
    """Asks a model about the target (AMIGO, section 6).

    It may zoom ``zooms`` times at most, by function calling. Then it is asked in a request of its
    own, which knows no tools and shows the picture with the parts that were seen. So is one whose
    server takes no tools, which is found out once, without a picture; one that takes them and not
    what came of them (without the parts, if need be); and one that writes calls as text. There is
    no zoom for a voter that takes one picture at once, or has ``tools: null`` among its parameters.
    What is refused, cut off or unreadable in the end is unsure.
    """

    def __init__(self, asks: Asks, *, zooms: int = 2) -> None:
        self._asks = asks
        self._zooms = zooms

    @property
    def name(self) -> str:
        """The name of the voter."""
        return self._asks.voter.name

    async def answer(self, game: Game, question: Question) -> Answered:
        """Return yes, no or unsure; raise PartFailed where the server gives no answer."""
        heard = Heard(self._asks)
        last = await self._asked(heard, game, question)
        if last.reading.status == "failed":
            raise PartFailed("oracle", last.reply)
        answer = last.reading.answer
        return Answered(
            answer=answer or "unsure",
            unread=None if answer else last.reading.status,
            replies=tuple(heard.replies),
        )

    async def _asked(self, heard: Heard, game: Game, question: Question) -> questions.Answered:
        crops: list[PicturePart] = []
        zooms = await self._zooms_taken()
        if zooms:
            found = await _zoomed(heard, game, question, zooms, crops)
            if found is not None:
                return found
        target = game.gallery.target
        if crops:
            last = await ask_yes_no(heard, asked_of(game, question, target, *shown_beside(crops)))
            if last.reply.status != "rejected":
                return last
        return await ask_yes_no(heard, asked_of(game, question, target))

    async def _zooms_taken(self) -> int:
        """Return how often the model may zoom, 0 where its voter or its server knows no tools."""
        voter, most = self._asks.voter, self._zooms
        if voter.pictures.at_once is not None:
            most = min(most, voter.pictures.at_once - 1)
        if most < 1 or not voter.fields(1, {"tools": TOOLS}).get("tools"):
            return 0
        # a request of its own, whose stored answer all episodes share: to remember a server that
        # refused would make an answer hang on what was asked before
        reply = await self._asks.ask(_with_tools(Request.of("Say yes.", max_tokens=16)))
        if reply.status == "failed":
            raise PartFailed("oracle", reply)
        return 0 if reply.status == "rejected" else most


async def _zoomed(
    heard: Heard, game: Game, question: Question, zooms: int, crops: list[PicturePart]
) -> questions.Answered | None:
    """Return the answer of a model that may zoom; null where it must be asked without tools.

    The parts that it looked at are added to ``crops``.
    """
    target = game.gallery.target
    request = _with_tools(asked_of(game, question, target, offer_of(zooms)).with_cap(CAP))
    came = 0
    while came < zooms:
        last = await ask_yes_no(heard, request)
        calls = _calls_of(last.reply)[: zooms - came]
        if not calls:
            is_lost = last.reply.status == "rejected" or last.reading.status == "unparsed"
            return None if is_lost else last
        seen = [crop for call in calls if (crop := crop_of(game.shown(target), call)) is not None]
        more = *turn_of(last.reply.text, calls, came), *shown_below(seen)
        request = replace(request, messages=(*request.messages, *more))
        came += len(calls)
        crops += seen
    return None


def _calls_of(reply: Reply) -> list[Call]:
    if reply.status not in ("ok", "truncated"):
        return []
    return [read_call(call) for call in reply.tool_calls]


def _with_tools(request: Request) -> Request:
    return replace(request, parameters={**request.parameters, "tools": list(TOOLS)})
