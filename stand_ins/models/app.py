"""The server's paths, over ASGI."""

import asyncio
import hmac
from typing import Any
from urllib.parse import parse_qs

from stand_ins.models.batches import CHAT, Batches
from stand_ins.models.chat import Chat
from stand_ins.models.connections import Receive, Scope, Send, body_of, gone, reset
from stand_ins.models.counts import Counts
from stand_ins.models.question import Brain, Eyes
from stand_ins.models.request import parsed
from stand_ins.models.responses import Refused, Response
from stand_ins.models.script import Script


class App:
    """A scripted server without its socket; it outlives stops and starts."""

    def __init__(self, script: Script, brain: Brain, eyes: Eyes | None) -> None:
        self.counts = Counts()
        self.chat = Chat(script, brain, eyes, self.counts)
        self._script = script
        self._batches = Batches(script.batches, script.seed, self.chat.respond)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        assert scope["type"] == "http", scope["type"]
        path = scope["path"]
        self.counts.paths[path] += 1
        if path == CHAT:
            self.counts.enter()
        status = 0
        try:
            body = await body_of(receive)
            response = self._response(scope, body)
            if response.seconds and await _leaves(receive, response.seconds):
                return
            if response.cut:
                await _cut(response, scope, receive, send)
            else:
                status = response.status
                await _send(response, send)
        finally:
            self.counts.statuses[status] += 1
            if path == CHAT:
                self.counts.leave()

    def _response(self, scope: Scope, body: bytes) -> Response:
        path, method = scope["path"], scope["method"]
        try:
            if path == "/health":
                return Response(status=200, body=b"{}")
            if path == "/scripted/counts":
                return Response.of(self.counts.as_json())
            headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
            self._check_key(headers.get(b"authorization"))
            if path == CHAT and method == "POST":
                return self.chat.respond(parsed(body))
            if path == "/v1/models" and method == "GET":
                return Response.of({"object": "list", "data": [*map(_model, self._names())]})
            content_type = headers.get(b"content-type", "")
            query = parse_qs(scope["query_string"].decode("latin-1"))
            return self._batches.respond(method, path, body, content_type, query)
        except Refused as refusal:
            return refusal.response()

    def _names(self) -> list[str]:
        return [model.name for model in self._script.models]

    def _check_key(self, header: str | None) -> None:
        if header is not None:
            self.counts.authorizations[header] += 1
        wanted = [f"Bearer {key}" for key in self._script.keys]
        given = (header or "").encode()
        if wanted and not any(hmac.compare_digest(given, key.encode()) for key in wanted):
            raise Refused(401, "the API key is wrong", code="invalid_api_key")


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "stand-in"}


async def _leaves(receive: Receive, seconds: float) -> bool:
    """Wait, and tell whether the caller left meanwhile."""
    try:
        async with asyncio.timeout(seconds):
            await gone(receive)
    except TimeoutError:
        return False
    return True


async def _send(response: Response, send: Send) -> None:
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(response.body)).encode()),
        *((name.encode(), value.encode()) for name, value in response.headers),
    ]
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    await send({"type": "http.response.body", "body": response.body})


async def _cut(response: Response, scope: Scope, receive: Receive, send: Send) -> None:
    """Reset the connection; after half of the body where the response says so."""
    if response.cut == "reset_in_body":
        headers = [(b"content-length", str(len(response.body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        half = response.body[: len(response.body) // 2]
        await send({"type": "http.response.body", "body": half, "more_body": True})
        await asyncio.sleep(0.02)  # a reset at once would overtake the half
    await reset(scope, receive)
