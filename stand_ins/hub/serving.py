"""Running a Hub in a thread of this process."""

import asyncio
import queue
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import uvloop

from stand_ins.hub.call import Holdings
from stand_ins.hub.exchange import Answer, Asked
from stand_ins.hub.repository import Repository
from stand_ins.hub.routes import answer
from stand_ins.hub.troubles import Trouble
from stand_ins.models.connections import Receive, Scope, Send, body_of, gone, reset
from stand_ins.models.serving import End, listening, serve

TOKEN = "hf_standin_write"
READ_TOKEN = "hf_standin_read"
_PART = 8 << 20  # bytes
_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it came; ``size`` are the bytes of its body that arrived."""

    method: str
    path: str
    size: int


class HubServer:
    """A Hub on the loopback, as a context; ``troubles`` may be changed while it runs."""

    def __init__(self, troubles: Sequence[Trouble] = (), part: int = _PART) -> None:
        self.troubles = list(troubles)
        self._hub = Holdings(tokens={TOKEN: "write", READ_TOKEN: "read"}, part=part)
        self._requests: list[Request] = []
        self._running: tuple[threading.Thread, End] | None = None

    @property
    def address(self) -> str:
        """What HF_ENDPOINT is to be."""
        return self._hub.address

    @property
    def repositories(self) -> Mapping[str, Repository]:
        """What it holds, by name."""
        return self._hub.repositories

    @property
    def requests(self) -> Sequence["Request"]:
        """All that was asked, in its order, with what met trouble."""
        return self._requests

    def asked(self, method: str, part: str) -> int:
        """Return how often something was asked whose path holds ``part``."""
        return sum(one.method == method and part in one.path for one in self._requests)

    def __enter__(self) -> Self:
        sock = listening()
        self._hub.address = f"http://127.0.0.1:{sock.getsockname()[1]}"
        ends: queue.SimpleQueue[End] = queue.SimpleQueue()
        thread = threading.Thread(
            target=lambda: uvloop.run(serve(self, sock, ends.put)), name="hub", daemon=True
        )
        thread.start()
        self._running = thread, ends.get(timeout=_SECONDS)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._running is not None
        thread, end = self._running
        end()
        thread.join()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or do what a trouble says."""
        assert scope["type"] == "http", scope["type"]
        method, path = scope["method"], scope["raw_path"].decode("latin-1")
        trouble = next((one for one in self.troubles if one.strikes(method, path)), None)
        if trouble is not None and trouble.cut == "in_upload":
            self._requests.append(Request(method, path, len(await body_of(receive, _half(scope)))))
            await reset(scope, receive)
            return
        body = await body_of(receive)
        self._requests.append(Request(method, path, len(body)))
        if trouble is not None and trouble.stall:
            await gone(receive)
            return
        if trouble is not None and trouble.status is not None:
            await _send(method, _troubled(trouble), send)
            return
        headers = {name.decode(): value.decode("latin-1") for name, value in scope["headers"]}
        query = scope["query_string"].decode("latin-1")
        given = answer(self._hub, Asked.of(method, path, query, headers, body))
        if trouble is not None and trouble.cut == "in_answer":
            await _send(method, given, send, half=True)
        if trouble is None:
            await _send(method, given, send)
        else:
            await reset(scope, receive)


def _troubled(trouble: Trouble) -> Answer:
    headers = {} if trouble.retry_after is None else {"Retry-After": str(trouble.retry_after)}
    return Answer(status=trouble.status or 500, body=b'{"error": "a trouble"}', headers=headers)


def _half(scope: Scope) -> int:
    """Return half of the bytes that a request is about to bring."""
    sizes = [int(value) for name, value in scope["headers"] if name == b"content-length"]
    return sizes[0] // 2 if sizes else 0


async def _send(method: str, given: Answer, send: Send, *, half: bool = False) -> None:
    headers = [
        (b"content-length", str(len(given.body)).encode()),
        *((name.lower().encode(), value.encode()) for name, value in given.headers.items()),
    ]
    await send({"type": "http.response.start", "status": given.status, "headers": headers})
    body = b"" if method == "HEAD" else given.body
    if half:
        body = body[: len(body) // 2]
        await send({"type": "http.response.body", "body": body, "more_body": True})
        await asyncio.sleep(0.02)  # a reset at once would overtake the half
    else:
        await send({"type": "http.response.body", "body": body})
