"""Connecting to a cluster, and what is refused before anything is done on it."""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchwright.engines.engine import Engine
from benchwright.engines.ray_address import check_address
from benchwright.engines.ray_cluster import connected
from benchwright.engines.ray_nodes import Ready, check_nodes, token_in, unfit
from benchwright.errors import UsageError
from benchwright.workspace import Workspace


def connect(address: str | None, root: Path) -> None:
    with connected(Engine(name="ray", address=address), Workspace(root)):
        pass


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
    with pytest.raises(UsageError, match=r"pip install 'benchwright\[ray\]'"):
        connect(None, tmp_path)


def test_both_nodes_are_found_and_nothing_is_left(ray_cluster: Any, tmp_path: Path) -> None:
    import ray  # noqa: PLC0415  # an extra

    with connected(Engine(name="ray", address=ray_cluster.address), Workspace(tmp_path)) as found:
        assert [node.cpus for node in found.nodes] == [1, 1]
        assert len({node.node_id for node in found.nodes}) == 2
    assert list(tmp_path.iterdir()) == []
    assert not ray.is_initialized()


def test_a_node_that_is_not_fit_is_named(ray_cluster: Any, tmp_path: Path) -> None:
    engine = Engine(name="ray", address=ray_cluster.address)
    with connected(engine, Workspace(tmp_path)) as found:
        names = {node.node_id: f"node {at}" for at, node in enumerate(found.nodes)}
        assert check_nodes(names, found.ready) == set(names)
        gone = {"ab" * 28: "one that has just gone"}
        assert check_nodes(names | gone, found.ready) == set(names)
        with pytest.raises(UsageError, match=r"node 0 of the Ray cluster: it does not see the w"):
            check_nodes(names, replace(found.ready, folder=str(tmp_path / "elsewhere")))


ADDRESSES = [
    ("somewhere", "wanted HOST:PORT"),
    ("ray://127.0.0.1:10001", "wanted HOST:PORT"),
    ("127.0.0.1:x", "wanted HOST:PORT"),
    ("127.0.0.1:99999", "nobody answers"),
    ("no-such-host.invalid:6379", "nobody answers"),
]


@pytest.mark.parametrize(("address", "said"), ADDRESSES)
def test_addresses_of_nobody(address: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        check_address(address)
    assert str(caught.value).startswith(f"--address {address}: ")
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


def test_it_is_asked_before_ray_is(ray_cluster: Any, tmp_path: Path) -> None:
    check_address(ray_cluster.address)
    with pytest.raises(UsageError, match="wanted HOST:PORT"):
        connect("somewhere", tmp_path)
