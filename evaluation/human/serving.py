"""The server of a desk: to the run it is a model, to the browser a page.

It speaks the part of the OpenAI protocol that a run needs: each request waits until the person has
answered. It listens on the loopback address alone, and takes answers only from its own page: a page
of somebody else cannot send JSON here, nor reach it under another name.
"""

import json
import re
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from typing import Any

from benchwright.errors import UsageError
from evaluation.human.desk import Desk, Sheet, messages_of

HOST = "127.0.0.1"
_LARGEST = 1 << 30  # bytes of a request: pictures come within it
_LONGEST = 20_000  # characters of an answer
_LOOK = 0.5  # seconds between looks whether the run still waits
_FILES = {
    "/": ("page.html", "text/html; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
}
_POLICY = (
    "default-src 'none'; img-src data:; script-src 'self'; style-src 'self'; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Office:
    """Where a desk is: ``page`` is for the browser, ``base_url`` for the run."""

    desk: Desk
    page: str
    base_url: str


@contextmanager
def open_office(port: int, tool: str, title: str) -> Iterator[Office]:
    """Serve a desk; ``tool`` is what the page offers beside a field of text, 0 any free port.

    Raises UsageError where the port is taken.
    """
    desk = Desk()
    handler = type("Handler", (_Handler,), {"at": desk, "tool": tool, "title": title})
    try:
        server = ThreadingHTTPServer((HOST, port), handler)
    except OSError as error:
        raise UsageError(
            f"--port {port}: cannot listen there ({error.strerror}); choose another one"
        ) from error
    server.daemon_threads = True
    address = f"http://{HOST}:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield Office(desk=desk, page=f"{address}/", base_url=f"{address}/v1")
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    at: Desk
    tool: str
    title: str

    def do_GET(self) -> None:
        """Give the page, or what is to be answered."""
        if not self._is_ours():
            return
        if self.path in _FILES:
            name, kind = _FILES[self.path]
            data = resources.files("evaluation.human").joinpath(name).read_bytes()
            self._send(HTTPStatus.OK, data, kind)
        elif self.path == "/current":
            current = self._current()
            self._json(HTTPStatus.OK, current)
            if current["is_closed"]:  # once it is sent: what comes next may end the process
                self.at.hear()
        else:
            self._json(HTTPStatus.NOT_FOUND, {"error": "nothing is here"})

    def do_POST(self) -> None:
        """Take a request of the run, or an answer of the page."""
        if not self._is_ours():
            return
        body = self._body()
        if body is None:
            self._json(HTTPStatus.BAD_REQUEST, {"error": {"message": "wants a JSON object"}})
        elif self.path == "/answer":
            self._answered(body)
        elif self.path == "/v1/chat/completions":
            self._asked(body)
        else:
            self._json(HTTPStatus.NOT_FOUND, {"error": {"message": "nothing is here"}})

    def _current(self) -> dict[str, Any]:
        sheet = self.at.current()
        shown = None if sheet is None else {"number": sheet.number, "messages": _shown(sheet)}
        return {
            "tool": self.tool,
            "title": self.title,
            "sheet": shown,
            "answered": self.at.answered,
            "is_closed": self.at.is_closed,
        }

    def _answered(self, body: dict[str, Any]) -> None:
        number, text = body.get("number"), body.get("text")
        if not isinstance(number, int) or not isinstance(text, str) or len(text) > _LONGEST:
            self._json(HTTPStatus.BAD_REQUEST, {"error": "wants a number and a text"})
            return
        was_waiting = self.at.answer(number, text)
        self._json(HTTPStatus.OK if was_waiting else HTTPStatus.CONFLICT, {})

    def _asked(self, body: dict[str, Any]) -> None:
        try:
            sheet = self.at.put(messages_of(body))
        except ValueError as error:
            self._json(HTTPStatus.BAD_REQUEST, {"error": {"message": str(error)}})
            return
        while not sheet.answered.wait(_LOOK):
            if self._is_gone():
                self.at.withdraw(sheet)
                return
        self._json(HTTPStatus.OK, _completion(str(body.get("model", "")), sheet))

    def _is_gone(self) -> bool:
        """Tell whether the run hung up: then there is something to read, and it is nothing."""
        readable, _, _ = select.select([self.connection], [], [], 0)
        try:
            return bool(readable) and not self.connection.recv(1, socket.MSG_PEEK)
        except OSError:
            return True

    def _is_ours(self) -> bool:
        """Tell whether a request is meant for us: another name may lead here by a trick of DNS."""
        host = (self.headers.get("Host") or "").partition(":")[0]
        if host in (HOST, "localhost"):
            return True
        self._json(HTTPStatus.FORBIDDEN, {"error": {"message": "unknown host"}})
        return False

    def _body(self) -> dict[str, Any] | None:
        # a form of another page cannot be sent as JSON
        if (self.headers.get("Content-Type") or "").partition(";")[0].strip() != "application/json":
            return None
        length = self.headers.get("Content-Length") or ""
        if not re.fullmatch(r"[0-9]{1,12}", length) or int(length) > _LARGEST:
            return None
        try:
            body = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            return None
        return body if isinstance(body, dict) else None

    def _json(self, status: HTTPStatus, said: dict[str, Any]) -> None:
        self._send(status, json.dumps(said).encode(), "application/json")

    def _send(self, status: HTTPStatus, data: bytes, kind: str) -> None:
        try:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("Content-Security-Policy", _POLICY)
            self.send_header("X-Content-Type-Options", "nosniff")
            self.end_headers()
            self.wfile.write(data)
        except (BrokenPipeError, ConnectionResetError):
            pass  # whoever asked is gone

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # its name there
        """Log nothing: the terminal belongs to the run."""


def _shown(sheet: Sheet) -> list[dict[str, Any]]:
    return [asdict(message) for message in sheet.messages]


def _completion(model: str, sheet: Sheet) -> dict[str, Any]:
    return {
        "id": f"sheet-{sheet.number}",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "system_fingerprint": None,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": sheet.answer},
                "finish_reason": "stop",
            }
        ],
    }
