"""A line to one voter for probes: one attempt a call, nothing kept, a failure is an answer."""

import asyncio
import tempfile
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx2
import openai

from benchwright.asking.any_json import cleaned, list_of, mapping_of, parsed, text_of
from benchwright.asking.budget import Budget
from benchwright.asking.client import Client, key_from_environment
from benchwright.asking.eyesight.attempt import attempt
from benchwright.asking.eyesight.drawing import draw
from benchwright.asking.failures import Failure
from benchwright.asking.limiter import Limiter, Slot
from benchwright.asking.replies import Reply
from benchwright.asking.requests import PicturePart, Request
from benchwright.asking.sending import server_of
from benchwright.asking.views import Encoder
from benchwright.asking.voters import Voter
from benchwright.colour_names import ColourName
from benchwright.errors import ServerError

_LONGEST_PAUSE = 120.0  # seconds that a probe waits when the server asks for it
_PAUSES = 4  # in a row


@dataclass
class OneTry(Limiter):
    """Keeps the voter's pace, but gives up at the first error: that is what a probe asks for.

    ``last`` is what the last call failed of.
    """

    last: Failure | None = None
    _throttled: int = 0

    def failed(self, slot: Slot, failure: Failure) -> bool:
        """Keep a failure, and note it as a limiter does."""
        self.last = failure
        return super().failed(slot, failure)

    def answered(self, slot: Slot, tokens: int) -> None:
        """Note that the server answered."""
        self._throttled = 0
        super().answered(slot, tokens)

    def throttled(self, slot: Slot, seconds: float | None, why: str) -> None:
        """Wait as the server wishes; raise ServerError where that is too long or too often."""
        self._throttled += 1
        if self._throttled > _PAUSES or (seconds or 0.0) > _LONGEST_PAUSE:
            pause = "" if seconds is None else f" and wants a pause of {seconds:.0f} s"
            raise ServerError(f"the server is busy{pause} ({why})")
        super().throttled(slot, seconds, why)

    def erred(self, slot: Slot, why: str) -> None:  # noqa: ARG002
        """Raise ServerError."""
        raise ServerError(why)

    def down(self, slot: Slot, why: str) -> None:  # noqa: ARG002
        """Raise ServerError."""
        raise ServerError(f"nobody answers at {self.voter.base_url} ({why})")


class Line:
    """Use it as an asynchronous context. ``voter`` is how it is asked; probes may change that."""

    def __init__(self, voter: Voter) -> None:
        self.voter = voter
        self._budget = Budget()
        self._limiter = OneTry(voter)
        self._encoder = Encoder()
        self._clients: dict[str, Client] = {}
        self._stack = AsyncExitStack()
        self._folder = Path()

    async def __aenter__(self) -> Self:
        self._folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._stack.aclose()

    @property
    def last_failure(self) -> Failure | None:
        """What the last call that failed failed of."""
        return self._limiter.last

    @property
    def calls(self) -> int:
        """How many chat requests were sent."""
        return self._budget.calls

    def client(self, **changes: Any) -> Client:
        """Return the client of the voter with some settings changed; it keeps nothing.

        Raises UsageError when the environment does not hold the voter's key.
        """
        voter = self.voter.model_copy(update=changes)
        name = repr(voter)
        if name not in self._clients:
            client = Client(voter, None, self._encoder, budget=self._budget, limiter=self._limiter)
            self._stack.push_async_exit(client)
            self._clients[name] = client
        return self._clients[name]

    async def ask(self, request: Request, **changes: Any) -> Reply:
        """Return what came of one attempt, with some settings of the voter changed."""
        return await attempt(self.client(**changes), request)

    async def picture(
        self, colour: ColourName, width: int, height: int | None = None
    ) -> PicturePart:
        """Return a picture of one colour, a square without ``height``."""
        return await asyncio.to_thread(draw, self._folder, colour, width, height)

    async def models(self) -> tuple[str, ...] | None:
        """Return the names that the server lists, null where it has no list."""
        secret = key_from_environment(self.voter)
        try:
            async with server_of(self.voter, secret) as server:
                response = await server.get("/models", cast_to=httpx2.Response)
        except (openai.OpenAIError, httpx2.RequestError):
            return None
        listed = list_of(mapping_of(cleaned(parsed(response.text), secret)).get("data"))
        named = [text_of(mapping_of(entry).get("id")) for entry in listed]
        return tuple(name for name in named if name is not None) or None
