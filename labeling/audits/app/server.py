"""The App server of one auditor: started, waited for, started again when it dies, stopped."""

import http.client
import logging
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from benchwright.errors import UsageError, WorkspaceError
from benchwright.plain_text import excerpt

_log = logging.getLogger(__name__)
_PATIENCE = 180.0  # seconds; it takes ten, on a busy machine far more
_GRACE = 8.0
_DEATHS = 3  # in a row, each before it answered


class AppServer:
    """A server on an address and a port, with a log of what it said; ``start`` it first."""

    def __init__(self, address: str, port: int, environment: Mapping[str, str], log: Path) -> None:
        self.address = address
        self.port = port
        self._environment = environment
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        self._output: IO[bytes] | None = None
        self._deaths = 0

    @property
    def process_id(self) -> int:
        """Return the id of its process."""
        if self._process is None:
            raise RuntimeError("the server was not started")
        return self._process.pid

    def start(self) -> None:
        """Start it; raises UsageError where address and port cannot be had."""
        check_port(self.address, self.port)
        self._output = self._log.open("ab")
        command = [sys.executable, "-m", "labeling.audits.app.serving"]
        self._process = subprocess.Popen(  # noqa: S603
            [*command, "--address", self.address, "--port", str(self.port)],
            stdin=subprocess.PIPE,  # it ends when this is closed
            stdout=self._output,
            stderr=subprocess.STDOUT,
            env=dict(self._environment),
            start_new_session=True,  # Ctrl-C is for us: the server ends before the database
        )

    def wait(self) -> None:
        """Wait until it answers; raises WorkspaceError, with its last line, when it does not."""
        deadline = time.monotonic() + _PATIENCE
        while not self._answers():
            if self._is_dead() or time.monotonic() > deadline:
                said = self._log.read_text("utf-8", "replace").split("\n")
                last = next((line for line in reversed(said) if line.strip()), "it said nothing")
                raise WorkspaceError(
                    f"the App server did not start: {excerpt(last, 300)}; {self._log} says more"
                )
            time.sleep(0.1)
        self._deaths = 0

    def mend(self) -> None:
        """Start it again if it died; after three deaths at once it is let be, and that is told."""
        if not self._is_dead() or self._deaths >= _DEATHS:
            return
        code = self._process.returncode if self._process else None
        self._deaths += 1
        self._close()
        if self._deaths == _DEATHS:
            _log.warning("the App server does not stay up; %s says why", self._log)
            return
        _log.warning("the App server died (exit code %s); it is started again", code)
        try:
            self.start()
            self.wait()
        except (UsageError, WorkspaceError) as error:
            _log.warning("%s", error)

    def stop(self) -> None:
        """Stop it; what it stored is stored."""
        process = self._process
        if process is None:
            return
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(_GRACE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._close()
        self._process = None

    def _close(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
        if self._output is not None:
            self._output.close()

    def _is_dead(self) -> bool:
        return self._process is not None and self._process.poll() is not None

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection(reachable(self.address), self.port, timeout=5)
        try:
            connection.request("GET", "/fiftyone")
            return connection.getresponse().status == http.client.OK
        except OSError:
            return False
        finally:
            connection.close()


def reachable(address: str) -> str:
    """Return where a browser on this machine finds a server that listens on an address."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address, address)  # noqa: S104


def check_port(address: str, port: int) -> None:
    """Raise UsageError, with the remedy, unless a server could listen there."""
    try:
        found = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)
        family, kind, protocol, _, where = found[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(where)
    except socket.gaierror as error:
        raise UsageError(f"--address {address}: no such address here; use 127.0.0.1") from error
    except OSError as error:
        raise UsageError(
            f"port {port} of {address} cannot be used ({error.strerror}); choose another with"
            f" --port, such as {port + 1}"
        ) from error
