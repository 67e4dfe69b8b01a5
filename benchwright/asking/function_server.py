"""A Python function as a model: behind an OpenAI-compatible address, as every voter is.

For a model that no server runs, or a script that stands in for one. The server listens on the
loopback address alone, and calls the function for one request at a time.
"""

import base64
import io
import json
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from PIL import Image

from benchwright.asking.any_json import list_of, mapping_of

_HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request: the model that was asked for, and what was said to it so far.

    ``text`` is that of the last message, ``earlier`` are those of the messages before it, and
    ``pictures`` are of all of them, the first one first.
    """

    model: str
    text: str
    pictures: tuple[Image.Image, ...]
    earlier: tuple[str, ...]


Answerer = Callable[[Asked], str]


class FunctionServer:
    """Serves a function as models of any name, in threads of this process.

    The texts that the function returns are the answers. Where it raises, the caller gets an error
    500 with the last line of the traceback, and asks again as of any server that fails.

        with FunctionServer(lambda asked: "yes") as server:
            ...  # a voter with base_url: server.base_url

    ``start`` and ``stop`` do the same in a notebook. Raises OSError where ``port`` is taken; 0 is
    any free one.
    """

    def __init__(self, answer: Answerer, *, port: int = 0) -> None:
        lock = threading.Lock()

        def one_by_one(asked: Asked) -> str:
            with lock:
                return answer(asked)

        handler = type("Handler", (_Handler,), {"answer": staticmethod(one_by_one)})
        self._server = _Server((_HOST, port), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def base_url(self) -> str:
        """The address that a voters' file names."""
        return f"http://{_HOST}:{self._server.server_port}/v1"

    def start(self) -> Self:
        """Begin to answer, and return the server."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """Answer no more, and free the port: all there is to do where it was not started."""
        if self._thread.ident is not None:  # shutdown waits for ever where nothing was served
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.stop()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # callers that wait to be let in: beyond the five of the base class, connections are reset when
    # several voters open theirs at once and this process has other work
    request_queue_size = 1024

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a caller that went away: nobody waits for the answer."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "function", ""  # runs record what a server calls itself
    answer: Answerer

    def do_POST(self) -> None:
        """Answer a chat completion."""
        data = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if not self.path.endswith("/chat/completions"):
            self._send(HTTPStatus.NOT_FOUND, _error("only chat completions are served here"))
            return
        try:
            asked = _asked(mapping_of(json.loads(data)))
            said = self.answer(asked)
        except Exception as error:  # noqa: BLE001  # the function's own: its caller is told
            told = "".join(traceback.format_exception_only(error)).strip()
            self._send(HTTPStatus.INTERNAL_SERVER_ERROR, _error(told))
            return
        self._send(HTTPStatus.OK, _completion(asked.model, said))

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # its name there
        """Log nothing: whoever asks says what came."""

    def _send(self, status: HTTPStatus, body: Mapping[str, Any]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _asked(body: Mapping[str, Any]) -> Asked:
    messages = [mapping_of(one) for one in list_of(body.get("messages"))]
    texts = [_text(one.get("content")) for one in messages]
    return Asked(
        model=str(body.get("model")),
        text=texts[-1] if texts else "",
        pictures=tuple(each for one in messages for each in _pictures(one.get("content"))),
        earlier=tuple(texts[:-1]),
    )


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = [mapping_of(part) for part in list_of(content)]
    return "\n".join(str(part["text"]) for part in parts if "text" in part)


def _pictures(content: Any) -> list[Image.Image]:
    parts = [mapping_of(part) for part in list_of(content)]
    links = [mapping_of(part["image_url"]).get("url") for part in parts if "image_url" in part]
    return [_opened(str(link)) for link in links]


def _opened(link: str) -> Image.Image:
    """Return the picture of a data URI; raises ValueError for another link."""
    head, found, data = link.partition(";base64,")
    if not found or not head.startswith("data:"):
        raise ValueError("wanted a picture as a data URI")
    return Image.open(io.BytesIO(base64.b64decode(data)))


def _completion(model: str, said: str) -> Mapping[str, Any]:
    message = {"role": "assistant", "content": said}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {"id": "function", "object": "chat.completion", "model": model, "choices": [choice]}


def _error(said: str) -> Mapping[str, Any]:
    return {"error": {"message": said}}
