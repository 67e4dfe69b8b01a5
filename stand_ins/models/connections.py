"""What servers of ours do with a connection, over ASGI: take all in, wait for its end, reset it."""

import socket
import struct
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

_LINGER_NOT = struct.pack("ii", 1, 0)  # a close is then a reset, what was not sent yet is lost


async def body_of(receive: Receive, most: int | None = None) -> bytes:
    """Return the body, or what has come of it when more than ``most`` bytes have."""
    body = bytearray()
    while True:
        event = await receive()
        body += event.get("body", b"")
        is_enough = most is not None and len(body) > most
        if is_enough or event["type"] == "http.disconnect" or not event.get("more_body"):
            return bytes(body)


async def gone(receive: Receive) -> None:
    """Wait until the caller has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def reset(scope: Scope, receive: Receive) -> None:
    """Reset the connection."""
    transport = scope["extensions"]["transport"]
    sock = transport.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_NOT)
    transport.abort()
    await gone(receive)  # uvicorn would complain of a response that never came
