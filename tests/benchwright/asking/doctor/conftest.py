"""A model that names colours, and a server that may do anything."""

import asyncio
import io
import json
import re
import threading
from base64 import b64decode
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from PIL import Image

from benchwright.asking.doctor.examine import MOST_CALLS, examine
from benchwright.asking.doctor.line import Line
from benchwright.asking.findings import Findings
from benchwright.asking.voters import PictureTokens, Voter
from stand_ins.models import Brain, Model, Script, ScriptedServer

# large pictures are dear, so that no test sends one of 4,096 pixels but that which is about them
DEAR = PictureTokens(patch=28)


@pytest.fixture(scope="session")
def examined(colours: Brain) -> Callable[..., Findings]:
    """Probe a scripted model, with a brain of choice and settings of the voter's file.

    Calls are counted right and are never more than was said.
    """

    def run(
        told: Model | None = None,
        brain: Brain = colours,
        script: dict[str, Any] | None = None,
        **voter: Any,
    ) -> Findings:
        chosen = Script(models=(told or Model(picture_tokens=DEAR),), **(script or {}))
        with ScriptedServer(chosen, brain=brain) as server:
            entry = {"name": "v", "model": "scripted", "base_url": server.base_url, **voter}
            findings = asyncio.run(examine(Voter(**entry)))
            assert findings.calls == server.counts.paths["/v1/chat/completions"] <= MOST_CALLS
        return findings

    return run


@dataclass(frozen=True)
class Said:
    """What an odd server answers."""

    status: int = 200
    body: Any = None


Odd = Callable[[dict[str, Any]], Said]


def complete(text: str | None, prompt: int = 10, out: int = 5, **choice: Any) -> Said:
    message = {"role": "assistant", "content": text}
    choices = [{"index": 0, "message": message, "finish_reason": "stop", **choice}]
    usage = {"prompt_tokens": prompt, "completion_tokens": out}
    return Said(body={"choices": choices, "usage": usage})


def error(status: int, message: str) -> Said:
    return Said(status, {"error": {"message": message}})


def sent_pictures(body: dict[str, Any]) -> list[Image.Image]:
    content = body["messages"][0]["content"]
    parts = content if isinstance(content, list) else []
    uris = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    return [Image.open(io.BytesIO(b64decode(uri.partition(",")[2]))) for uri in uris]


def sent_text(body: dict[str, Any]) -> str:
    content = body["messages"][0]["content"]
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content if part["type"] == "text")


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    odd: Odd
    listed: Any


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        body = json.loads(self.rfile.read(length))
        self._send(self.server.odd({**body, "header": self.headers["Authorization"]}))

    def do_GET(self) -> None:
        listed = self.server.listed
        self._send(Said(404, {}) if listed is None else Said(body=listed))

    def _send(self, said: Said) -> None:
        data = said.body if isinstance(said.body, bytes) else json.dumps(said.body).encode()
        self.send_response(said.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def odd_server() -> Iterator[Callable[..., str]]:
    """Serve a function from the body of a chat request to what is answered; return the URL.

    For what the scripted server does not do: it keeps to the protocol.
    """
    servers: list[_Server] = []

    def serve(odd: Odd, listed: Any = None) -> str:
        server = _Server(("127.0.0.1", 0), _Handler)
        server.odd, server.listed = odd, listed
        servers.append(server)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        return f"http://127.0.0.1:{server.server_address[1]}/v1"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def seeing(nearest: Callable[[Image.Image], str], in_words: Callable[[str], str]) -> Odd:
    """An odd server's answer that is not odd: colours are named."""

    def answer(body: dict[str, Any]) -> Said:
        pictures = sent_pictures(body)
        text = nearest(pictures[-1]) if pictures else in_words(sent_text(body))
        cap = body.get("max_completion_tokens", body.get("max_tokens"))
        pieces = re.findall(r"\S+\s*", text)
        spent = sum(image.width * image.height // 784 + 1 for image in pictures)
        reason = "stop" if len(pieces) <= cap else "length"
        kept = pieces[:cap]
        return complete("".join(kept), 10 + spent, len(kept), finish_reason=reason)

    return answer


@pytest.fixture(scope="session")
def odd_said() -> type[Said]:
    return Said


@pytest.fixture(scope="session")
def odd_error() -> Callable[[int, str], Said]:
    return error


@pytest.fixture(scope="session")
def odd_complete() -> Callable[..., Said]:
    return complete


@pytest.fixture(scope="session")
def odd_pictures() -> Callable[[dict[str, Any]], list[Image.Image]]:
    return sent_pictures


@pytest.fixture(scope="session")
def odd_text() -> Callable[[dict[str, Any]], str]:
    return sent_text


@pytest.fixture(scope="session")
def probe() -> Callable[..., Findings]:
    """Probe what is served at a URL, with settings of the voter's file."""

    def run(url: str, **voter: Any) -> Findings:
        entry = {"name": "v", "model": "m", "base_url": url, **voter}
        return asyncio.run(examine(Voter.model_validate(entry)))

    return run


@pytest.fixture(scope="session")
def probe_alone() -> Callable[..., Any]:
    """Run one probe against what is served at a URL."""

    def run(url: str, one: Callable[[Line], Awaitable[Any]]) -> Any:
        async def ask() -> Any:
            async with Line(Voter(name="v", model="m", base_url=url)) as line:
                return await one(line)

        return asyncio.run(ask())

    return run


@pytest.fixture(scope="session")
def scripted() -> Callable[..., Model]:
    """A scripted model with some changes, whose large pictures are dear."""
    return lambda **changes: Model.model_validate({"picture_tokens": DEAR, **changes})


@pytest.fixture(scope="session")
def entry() -> Callable[..., Voter]:
    """An entry of a voters' file with some settings."""
    plain = {"name": "v", "model": "scripted", "base_url": "http://here/v1"}
    return lambda **settings: Voter.model_validate({**plain, **settings})
