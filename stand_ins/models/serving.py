"""Running a scripted server: in a thread of the process, or as a process of its own."""

import asyncio
import importlib
import json
import queue
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from urllib.request import urlopen

import uvicorn
import uvloop
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from stand_ins.models.app import App
from stand_ins.models.counts import Counts
from stand_ins.models.eyes import eyes_of
from stand_ins.models.question import Brain, Eyes
from stand_ins.models.script import Script
from stand_ins.models.yes_no import YesNo

_HOST = "127.0.0.1"
_SECONDS = 20.0  # for a start or an end
_BACKLOG = 2048

End = Callable[[], object]


class _Protocol(HttpToolsProtocol):
    """Lets the application reset a connection."""

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["extensions"] = {"transport": self.transport}  # type: ignore[dict-item]


def app_of(script: Script, *, brain: Brain | None = None, eyes: Eyes | None = None) -> App:
    """Return the application of a script.

    ``brain`` and ``eyes`` take the place of those that the script names.
    """
    if brain is None and script.brain is not None:
        module, name = script.brain.split(":")
        brain = getattr(importlib.import_module(module), name)
    return App(script, brain or YesNo(script), eyes or eyes_of(script))


async def serve(app: Any, sock: socket.socket, running: Callable[[End], None]) -> None:
    """Serve an ASGI app until the function that ``running`` gets is called, in whatever thread.

    The connections are dropped then, as those of a process that dies.
    """
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    config = uvicorn.Config(
        app,
        ws="none",
        log_config=None,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=300,
    )
    config.load()
    state = ServerState()
    server = await loop.create_server(
        lambda: _Protocol(config, state, {}, loop), sock=sock, backlog=_BACKLOG
    )
    running(lambda: loop.call_soon_threadsafe(ended.set))
    await ended.wait()
    server.close()
    for connection in tuple(state.connections):
        assert isinstance(connection, _Protocol)
        connection.transport.abort()
    if state.tasks:
        await asyncio.wait(state.tasks, timeout=_SECONDS)


def serve_until_signal(app: App, port: int) -> None:
    """Serve in this process until a signal ends it; the first line printed is the address."""
    sock = listening(port)
    host, chosen = sock.getsockname()

    def running(_: End) -> None:
        sys.stdout.write(f"http://{host}:{chosen}/v1\n")
        sys.stdout.flush()

    uvloop.run(serve(app, sock, running))


def listening(port: int = 0) -> socket.socket:
    """Return a socket that listens on the loopback; port 0 chooses a free one."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind((_HOST, port))
    sock.listen(_BACKLOG)
    return sock


class ScriptedServer:
    """A scripted server in a thread of this process.

    As a context it starts, and at the end stops and raises what the brain raised, if anything.
    ``stop`` drops the connections as a crash would; a later ``start`` takes the same port, and
    counts, files and batches go on. A server that is used alone says ``start`` and ``stop``.
    """

    def __init__(
        self, script: Script | None = None, *, brain: Brain | None = None, eyes: Eyes | None = None
    ) -> None:
        self._app = app_of(script or Script(), brain=brain, eyes=eyes)
        self._port = 0
        self._running: tuple[threading.Thread, End] | None = None

    @property
    def base_url(self) -> str:
        """The address for a client, with /v1; the port is that of the first start."""
        return f"http://{_HOST}:{self._port}/v1"

    @property
    def counts(self) -> Counts:
        """What the server remembers."""
        return self._app.counts

    def start(self) -> None:
        """Listen, and return when the server answers."""
        assert self._running is None, "the server runs already"
        sock = listening(self._port)
        self._port = sock.getsockname()[1]
        ends: queue.SimpleQueue[End] = queue.SimpleQueue()
        thread = threading.Thread(
            target=lambda: uvloop.run(serve(self._app, sock, ends.put)),
            name="scripted server",
            daemon=True,
        )
        thread.start()
        self._running = thread, ends.get(timeout=_SECONDS)

    def stop(self) -> None:
        """Drop all connections and listen no more; nothing where it does not run."""
        if self._running is None:
            return
        thread, end = self._running
        end()
        thread.join()
        self._running = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        self.stop()
        if kind is None and self._app.chat.failures:
            raise self._app.chat.failures[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A scripted server in another process."""

    base_url: str
    process: subprocess.Popen[str]

    def counts(self) -> dict[str, Any]:
        """Return what the server remembers (see counts.py)."""
        with urlopen(self.base_url.removesuffix("/v1") + "/scripted/counts") as response:
            said: dict[str, Any] = json.load(response)
        return said


@contextmanager
def served(script: Script | None = None, *, port: int = 0) -> Iterator[Served]:
    """Run a scripted server as a process; at the end it is killed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "script.json"
        path.write_text((script or Script()).model_dump_json(), "utf-8")
        command = [sys.executable, "-m", "stand_ins.models", str(path), "--port", str(port)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                address = process.stdout.readline().strip()
                assert address, "the server did not start; what it said stands above"
                yield Served(base_url=address, process=process)
            finally:
                process.kill()
