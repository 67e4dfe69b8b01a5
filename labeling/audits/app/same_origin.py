"""Keeps pages of other sites away from the App server, which has no password.

FiftyOne reads a body whatever its type and asks not which page sent it: any page that is open in
the auditor's browser could judge.
"""

import ipaddress
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any
from urllib.parse import urlsplit

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

_READING = ("GET", "HEAD", "OPTIONS")
_OWN = ("same-origin", "none")  # none: by the user's own hand, of no page


class SameOriginOnly:
    """An ASGI middleware that answers 403 to requests of pages that the server did not serve.

    ``address`` is where the server listens. A page of another site cannot forge the headers that
    this goes by (Fetch standard, section 3.2; Fetch Metadata); programs that send none are let in.
    """

    def __init__(self, app: Application, address: str) -> None:
        self._app = app
        self._address = address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let the App do so."""
        if scope["type"] == "http":
            headers = {
                name.decode("latin-1").lower(): value.decode("latin-1")
                for name, value in scope["headers"]
            }
            why = refusal(scope["method"], headers, self._address)
            if why is not None:
                await _refuse(send, why)
                return
        await self._app(scope, receive, send)


def refusal(method: str, headers: Mapping[str, str], address: str) -> str | None:
    """Return, in one line, why a request is not answered; null where it is.

    ``headers`` by names in small letters. A name of the host that is neither of this machine nor
    ``address`` may be an attacker's that was made to lead here (DNS rebinding).
    """
    host = headers.get("host", "").lower()
    if not _is_ours(host, address):
        return (
            "the App is not served under that name; use 127.0.0.1, the number of its address, or"
            " open it with --address NAME"
        )
    origin = headers.get("origin")
    if origin is not None and origin.lower().partition("://")[2] != host:
        return "a page of another site may not ask the App; use the App's own page"
    if method not in _READING and headers.get("sec-fetch-site", "none") not in _OWN:
        return "a page of another site may not change anything; use the App's own page"
    return None


def _is_ours(host: str, address: str) -> bool:
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:  # a bracket without its fellow
        return False
    return name in ("localhost", address.lower()) or _is_number(name)


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


async def _refuse(send: Send, why: str) -> None:
    said = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": 403, "headers": said})
    await send({"type": "http.response.body", "body": f"{why}\n".encode()})
