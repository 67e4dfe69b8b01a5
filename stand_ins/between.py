"""Standing between a client and its server: calls are lost, answers are lost or changed."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import httpx2

Happens = Literal["not_sent", "answer_lost", "answer_changed"]
Outcome = httpx2.Response | Exception | Callable[[bytes], bytes]
_TO_THE_BODY = ("content-length", "content-encoding", "transfer-encoding")


@dataclass(slots=True, kw_only=True)
class Trouble:
    """What befalls the next ``times`` calls whose method and path begin so.

    ``not_sent``: the server never sees the call, ``outcome`` is what the client gets.
    ``answer_lost``: the server does as it is told, the client gets ``outcome`` all the same.
    ``answer_changed``: the client gets what ``outcome`` makes of the body of the answer.
    """

    call: str
    happens: Happens
    outcome: Outcome
    times: int = 1


@dataclass(slots=True)
class Between:
    """Meets troubles on the way; ``calls`` are method and path of all calls."""

    troubles: list[Trouble] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    sent: list[bytes] = field(default_factory=list)  # the bodies, in the same order

    def trouble(self, call: str, happens: Happens, outcome: Outcome, times: int = 1) -> None:
        """Let something befall the next calls of a kind."""
        self.troubles.append(Trouble(call=call, happens=happens, outcome=outcome, times=times))

    def client(self) -> httpx2.AsyncClient:
        """Return a client for AsyncOpenAI whose calls pass here."""
        return httpx2.AsyncClient(transport=_Passing(self))

    async def pass_on(
        self, request: httpx2.Request, transport: httpx2.AsyncBaseTransport
    ) -> httpx2.Response:
        """Return what the client gets for a request."""
        call = f"{request.method} {request.url.path}"
        self.calls.append(call)
        self.sent.append(await request.aread())
        trouble = self._met(call)
        if trouble is None:
            return await transport.handle_async_request(request)
        if trouble.happens != "not_sent":
            answer = await transport.handle_async_request(request)
            body = await answer.aread()
            await answer.aclose()
            if trouble.happens == "answer_changed" and callable(trouble.outcome):
                headers = [pair for pair in answer.headers.items() if pair[0] not in _TO_THE_BODY]
                changed = trouble.outcome(body)
                return httpx2.Response(answer.status_code, headers=headers, content=changed)
        if isinstance(trouble.outcome, Exception):
            raise trouble.outcome
        assert isinstance(trouble.outcome, httpx2.Response), trouble
        return httpx2.Response(
            trouble.outcome.status_code,
            headers=trouble.outcome.headers,
            content=trouble.outcome.content,
        )

    def _met(self, call: str) -> Trouble | None:
        for trouble in self.troubles:
            if trouble.times > 0 and call.startswith(trouble.call):
                trouble.times -= 1
                return trouble
        return None


class _Passing(httpx2.AsyncBaseTransport):
    def __init__(self, between: Between) -> None:
        self._between = between
        self._transport = httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        return await self._between.pass_on(request, self._transport)

    async def aclose(self) -> None:
        await self._transport.aclose()
