"""What is refused before a cluster is connected to; needs no Ray."""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.engines.engine import Engine
from benchwright.engines.ray_address import check_address
from benchwright.engines.ray_cluster import connected
from benchwright.engines.ray_nodes import Ready, token_in, unfit
from benchwright.errors import UsageError
from benchwright.workspace import Workspace


@pytest.fixture
def ready(tmp_path: Path) -> Iterator[Ready]:
    with token_in(Workspace(tmp_path)) as found:
        yield found


def test_a_fit_machine(ready: Ready, tmp_path: Path) -> None:
    assert len(list(tmp_path.iterdir())) == 1
    assert unfit(ready) is None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        # another folder lies there under this path, or none
        ({"folder": "/nowhere"}, "does not see the workspace /nowhere"),
        ({"file": "other"}, "does not see the workspace"),
        # another run's token
        ({"token": "0" * 32}, "does not see the workspace"),
        # what makes the bytes has another version
        ({"versions": (("benchwright", "0.0.1"),)}, "not 0.0.1"),
        ({"versions": (("pillow", "1.0"),)}, "it has pillow"),
    ],
)
def test_machines_that_are_not_fit(ready: Ready, changes: dict[str, Any], said: str) -> None:
    assert said in str(unfit(replace(ready, **changes)))


def test_the_token_is_removed(tmp_path: Path) -> None:
    with token_in(Workspace(tmp_path / "new")):
        assert list((tmp_path / "new").iterdir())
    assert list((tmp_path / "new").iterdir()) == []


def test_tokens_of_the_killed_are_removed(ready: Ready, tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    ours = tmp_path / ready.file
    left = ours.with_name(ours.name.replace(str(os.getpid()), str(ended.pid)))
    other = tmp_path / f".engine-0123abcd-{ended.pid}"  # of another machine
    odd = ours.with_name(f"{ours.name}x")
    for path in (left, other, odd):
        path.touch()
    with token_in(Workspace(tmp_path)):
        assert set(tmp_path.iterdir()) == {ours, other, odd}


def test_ray_is_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with (
        pytest.raises(UsageError, match=r"pip install 'benchwright\[ray\]'"),
        connected(Engine(name="ray"), Workspace(tmp_path)),
    ):
        pass


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("somewhere", "wanted HOST:PORT"),
        ("ray://127.0.0.1:10001", "wanted HOST:PORT"),
        ("127.0.0.1:x", "wanted HOST:PORT"),
        ("127.0.0.1:99999", "nobody answers"),
        ("no-such-host.invalid:6379", "nobody answers"),
    ],
)
def test_addresses_of_nobody(address: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        check_address(address)
    assert str(caught.value).startswith(f"--address {address}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("address", ["auto", "127.0.0.1:99999"])
def test_an_address_of_the_environment_is_named_as_such(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", address)
    with pytest.raises(UsageError) as caught:
        check_address(address)
    assert str(caught.value).startswith(f"RAY_ADDRESS={address}: ")


@pytest.mark.parametrize(
    "error",
    [
        # what Ray raises in a temporary folder whose path is too long, or that cannot be written
        OSError("validate_socket_filename failed: AF_UNIX path length cannot exceed 107 bytes: /x"),
        FileNotFoundError(2, "No such file or directory", "/x"),
        # a full /dev/shm
        RuntimeError("The raylet exited\nand pages of its log"),
    ],
)
def test_ray_that_does_not_start_here_is_one_line(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def init(*_: object, **__: object) -> None:
        raise error

    ray = SimpleNamespace(is_initialized=lambda: False, init=init, shutdown=lambda: None)
    monkeypatch.setitem(sys.modules, "ray", ray)
    with (
        pytest.raises(UsageError, match="Ray does not start on this machine") as caught,
        connected(Engine(name="ray"), Workspace(tmp_path)),
    ):
        pass
    assert str(error).splitlines()[0] in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_port_where_nobody_listens() -> None:
    with closing(socket.socket()) as one:
        one.bind(("127.0.0.1", 0))
        with pytest.raises(UsageError, match="nobody answers"):
            check_address(f"127.0.0.1:{one.getsockname()[1]}")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"HTTP/1.0 400 Bad Request\r\n\r\n", "not the head of a Ray cluster"),  # a web server
        (b"", "not the head of a Ray cluster"),  # whoever hangs up
        (None, "nobody answers"),  # whoever listens and says nothing
    ],
)
def test_other_servers(answer: bytes | None, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchwright.engines.ray_address._PATIENCE", 0.3)

    def serve() -> None:
        found, _ = server.accept()
        with found:
            found.recv(100)
            if answer is None:
                done.wait(20)
            else:
                found.sendall(answer)

    done = threading.Event()
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(UsageError, match=said):
            check_address(f"127.0.0.1:{server.getsockname()[1]}")
        done.set()
        thread.join()
