"""Running a Hub in a thread of this process."""

import asyncio
import queue
import socket
import struct
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import uvloop

from stand_ins.hub.call import Holdings
from stand_ins.hub.exchange import Answer, Asked
from stand_ins.hub.repository import Repository
from stand_ins.hub.routes import answer
from stand_ins.hub.troubles import Trouble
from stand_ins.models.serving import End, listening, serve

TOKEN = "hf_standin_write"
READ_TOKEN = "hf_standin_read"
_PART = 8 << 20  # bytes
_SECONDS = 20.0
_LINGER_NOT = struct.pack("ii", 1, 0)  # a close is then a reset

Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


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

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request, or do what a trouble says."""
        assert scope["type"] == "http", scope["type"]
        method, path = scope["method"], scope["raw_path"].decode("latin-1")
        trouble = next((one for one in self.troubles if one.strikes(method, path)), None)
        if trouble is not None and trouble.cut == "in_upload":
            self._requests.append(Request(method, path, len(await _body(receive, _half(scope)))))
            await _reset(scope, receive)
            return
        body = await _body(receive)
        self._requests.append(Request(method, path, len(body)))
        if trouble is not None and trouble.stall:
            await _gone(receive)
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
            await _reset(scope, receive)


def _troubled(trouble: Trouble) -> Answer:
    headers = {} if trouble.retry_after is None else {"Retry-After": str(trouble.retry_after)}
    return Answer(status=trouble.status or 500, body=b'{"error": "a trouble"}', headers=headers)


def _half(scope: Mapping[str, Any]) -> int:
    """Return half of the bytes that a request is about to bring."""
    sizes = [int(value) for name, value in scope["headers"] if name == b"content-length"]
    return sizes[0] // 2 if sizes else 0


async def _body(receive: Receive, most: int | None = None) -> bytes:
    """Return the body, or what has come of it when more than ``most`` bytes have."""
    body = bytearray()
    while True:
        event = await receive()
        body += event.get("body", b"")
        is_enough = most is not None and len(body) > most
        if is_enough or event["type"] == "http.disconnect" or not event.get("more_body"):
            return bytes(body)


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


async def _reset(scope: Mapping[str, Any], receive: Receive) -> None:
    transport = scope["extensions"]["transport"]
    sock = transport.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_NOT)
    transport.abort()
    await _gone(receive)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
