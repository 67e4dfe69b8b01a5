"""The App server as a process: ports, waiting, dying; a stand-in answers in place of FiftyOne."""

import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchwright.errors import UsageError, WorkspaceError
from labeling.audits.app.server import AppServer, check_port, reachable

_PYTHON = sys.executable
_ANSWERING = """#!{python}
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/fiftyone" else 404)
        self.end_headers()
    def log_message(self, *_): pass
at = sys.argv.index("--address")
print("listening", flush=True)
http.server.HTTPServer((sys.argv[at + 1], int(sys.argv[at + 3])), Handler).serve_forever()
"""
_FAILING = """#!{python}
import sys
print("Traceback: \\x1b[31mno database\\n", file=sys.stderr)
sys.exit(3)
"""

Make = Callable[[str], AppServer]


@pytest.fixture
def make(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free_port: Callable[[], int]
) -> Iterator[Make]:
    """Make a server whose process is a script."""
    made: list[AppServer] = []

    def server(script: str) -> AppServer:
        program = tmp_path / "program"
        program.write_text(script.replace("{python}", _PYTHON))
        program.chmod(0o755)
        monkeypatch.setattr("labeling.audits.app.server.sys.executable", str(program))
        made.append(AppServer("127.0.0.1", free_port(), os.environ, tmp_path / "log"))
        return made[-1]

    yield server
    for each in made:
        each.stop()


def _kill(server: AppServer) -> None:
    os.kill(server.process_id, signal.SIGKILL)
    os.waitid(os.P_PID, server.process_id, os.WEXITED | os.WNOWAIT)


def test_it_is_started_again_when_it_dies(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    server = make(_ANSWERING)
    server.start()
    server.wait()
    first = server.process_id
    server.mend()
    assert server.process_id == first
    for _ in range(5):  # it answered in between: no number of deaths is too many
        before = server.process_id
        _kill(server)
        server.mend()
        assert server.process_id != before
    assert "the App server died (exit code -9); it is started again" in caplog.text
    server.stop()
    check_port("127.0.0.1", server.port)


def test_it_does_not_start(make: Make) -> None:
    server = make(_FAILING)
    server.start()
    with pytest.raises(WorkspaceError, match="the App server did not start") as caught:
        server.wait()
    assert str(caught.value).isprintable()
    assert "no database" in str(caught.value)


def test_it_does_not_stay_up(make: Make, caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    server = make(_ANSWERING)
    server.start()
    server.wait()
    (tmp_path / "program").write_text(_FAILING.replace("{python}", _PYTHON))
    _kill(server)
    for _ in range(6):
        server.mend()
    told = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert sum("it is started again" in each for each in told) == 2
    assert told[-1].startswith("the App server does not stay up; ")


def test_a_port_in_use(free_port: Callable[[], int]) -> None:
    port = free_port()
    check_port("127.0.0.1", port)
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        with pytest.raises(UsageError) as caught:
            check_port("127.0.0.1", port)
    assert str(caught.value) == (
        f"port {port} of 127.0.0.1 cannot be used (Address already in use); choose another with"
        f" --port, such as {port + 1}"
    )


@pytest.mark.parametrize("address", ["no.such.host.invalid", "203.0.113.7", "a b"])
def test_addresses_that_are_not_here(address: str, free_port: Callable[[], int]) -> None:
    with pytest.raises(UsageError, match="address"):
        check_port(address, free_port())


@pytest.mark.parametrize(
    ("address", "found"),
    [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::", "::1"), ("host", "host")],
)
def test_where_a_browser_finds_it(address: str, found: str) -> None:
    assert reachable(address) == found
