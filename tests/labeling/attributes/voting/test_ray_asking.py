"""An ensemble asked from two nodes of a Ray cluster: as from one machine, whatever dies."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from stand_ins.models import ErrorRate, Fault, Model, ScriptedServer
from stand_ins.processes import with_all_under

pytest.importorskip("ray")
pytestmark = pytest.mark.timeout(300)  # a busy machine starts processes slowly

Serve = Callable[..., ScriptedServer]
MODELS = ("good", "bad")
SECRET = "sk-of-a-cluster-0123456789"


def models(seconds: float = 0.0) -> tuple[Model, ...]:
    return (
        Model(name="good", errors=(ErrorRate(on_yes=0.1, on_no=0.1),), seconds=seconds),
        Model(name="bad", errors=(ErrorRate(on_yes=0.3, on_no=0.2),), seconds=seconds),
    )


def voters(kit: Any, server: ScriptedServer, **more: Any) -> list[dict[str, Any]]:
    return [kit.model(server, name, **more) for name in MODELS]


def stored(shop: Any) -> tuple[list[Any], list[Any]]:
    """Return the requests and the answers that are stored; not when they came, nor how fast."""
    connection = sqlite3.connect(shop.root / "answers.sqlite")
    requests = connection.execute("SELECT * FROM requests ORDER BY key").fetchall()
    told = "key, voter, status, text, finish_reason, tokens, prompt_tokens, completion_tokens"
    answers = connection.execute(
        f"SELECT {told}, model, build, http_status, error FROM attempts"
        " WHERE status != 'failed' ORDER BY key, id"
    ).fetchall()
    connection.close()
    return requests, answers


def lost(shop: Any) -> int:
    connection = sqlite3.connect(shop.root / "answers.sqlite")
    (count,) = connection.execute(
        "SELECT count(*) FROM attempts WHERE status = 'failed' AND error LIKE 'what asked on node%'"
    ).fetchone()
    connection.close()
    return int(count)


@pytest.fixture
def two(shop_at: Callable[[Path], Any], tmp_path: Path) -> tuple[Any, Any]:
    """One workspace to ask from here, and the same to ask from the cluster."""
    return shop_at(tmp_path / "here"), shop_at(tmp_path / "there")


def ask(shop: Any, path: Path, cluster: Any, *more: str, **settings: Any) -> Any:
    return shop.ask(path, "--engine", "ray", "--address", cluster.address, *more, **settings)


def assert_same(here: Any, there: Any) -> None:
    assert there.vote_bytes() == here.vote_bytes()
    assert there.manifest()["content"] == here.manifest()["content"]
    assert stored(there) == stored(here)


@contextmanager
def once(is_time: Callable[[], bool], act: Callable[[], None]) -> Iterator[list[str]]:
    """Do something as soon as it is time, while what is within goes on."""
    done: list[str] = []
    ended = threading.Event()

    def watch() -> None:
        while not ended.is_set():
            if is_time():
                act()
                done.append("acted")
                return
            time.sleep(0.005)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield done
    finally:
        ended.set()
        thread.join()


def kill_askers() -> None:
    for one in with_all_under(os.getpid()):
        if one.name.startswith("ray::Asker"):
            os.kill(one.number, signal.SIGKILL)


def test_same_bytes_and_same_calls(
    two: tuple[Any, Any], kit: Any, serve: Serve, ray_cluster: Any
) -> None:
    """What a call may take must be known before it, so that nodes tell the sizes of pictures."""
    more = {"price": {"input": 1, "output": 2}, "tokens_per_minute": 10_000_000}
    counts = []
    for shop, engine in zip(two, ("local", "ray"), strict=True):
        server = serve(kit.script(*models()))
        path = shop.ensemble(*voters(kit, server, **more), templates=2)
        address = ("--address", ray_cluster.address) if engine == "ray" else ()
        shop.ask(path, "--engine", engine, *address, probe=True)
        counts.append((server.counts.requests, server.counts.statuses))
    assert counts[0] == counts[1]
    assert_same(*two)


def test_one_limiter_for_the_whole_cluster(
    two: tuple[Any, Any], kit: Any, serve: Serve, ray_cluster: Any
) -> None:
    here, there = two
    throttled = Fault(kind="rate_limit", ordinals=(30,), retry_after=0.6)
    server = serve(kit.script(*models(0.02), faults=(throttled,)))
    path = there.ensemble(kit.model(server, "good", concurrency=3), templates=2)
    ask(there, path, ray_cluster)
    assert server.counts.most_in_flight == 3
    assert sorted(server.counts.statuses) == [200, 429]
    arrivals = server.counts.arrivals["good"]
    pause = max(after - before for before, after in pairwise(arrivals))
    assert pause >= 0.5  # the other node, too, heard of it
    plain = serve(kit.script(*models()))
    here.ask(here.ensemble(kit.model(plain, "good"), templates=2))
    assert_same(here, there)


@pytest.mark.heavy
def test_a_process_that_dies_is_replaced(
    two: tuple[Any, Any], kit: Any, serve: Serve, ray_cluster: Any
) -> None:
    here, there = two
    server = serve(kit.script(*models(0.02)))

    path = there.ensemble(*voters(kit, server, concurrency=4), templates=2)
    with once(lambda: server.counts.chats >= 40, kill_askers) as acted:
        ask(there, path, ray_cluster)
    assert acted
    # those in flight, and those that were handed to the other before it was known to be dead
    assert 1 <= lost(there) <= 2 * 2 * 4
    calls = there.manifest()["counts"]["calls"]
    assert len(server.counts.requests) == calls
    assert calls <= server.counts.chats <= calls + 2 * 4  # no more were bought than in flight
    here.ask(here.ensemble(*voters(kit, serve(kit.script(*models()))), templates=2))
    assert_same(here, there)


@pytest.mark.heavy
def test_a_node_that_is_lost(
    two: tuple[Any, Any], kit: Any, serve: Serve, ray_cluster: Any, caplog: Any
) -> None:
    here, there = two
    server = serve(kit.script(*models(0.02)))
    node = ray_cluster.add_node(num_cpus=1, object_store_memory=80 * 2**20)
    path = there.ensemble(*voters(kit, server, concurrency=6), templates=2)
    leave = lambda: ray_cluster.remove_node(node, allow_graceful=False)  # noqa: E731
    with once(lambda: server.counts.chats >= 60, leave) as acted:
        ask(there, path, ray_cluster)
    assert acted
    assert "it is lost; the others take over" in caplog.text
    assert 1 <= lost(there) <= 2 * 6
    assert server.counts.chats <= there.manifest()["counts"]["calls"] + lost(there)
    here.ask(here.ensemble(*voters(kit, serve(kit.script(*models()))), templates=2))
    assert_same(here, there)


def test_no_key_is_written(
    shop: Any, kit: Any, serve: Serve, ray_cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLUSTER_KEY", SECRET)
    server = serve(kit.script(*models(), keys=(SECRET,)))
    path = shop.ensemble(*voters(kit, server, api_key_env="CLUSTER_KEY"), templates=1)
    ask(shop, path, ray_cluster)
    assert set(server.counts.authorizations) == {f"Bearer {SECRET}"}
    session = Path(ray_cluster.head_node.get_session_dir_path())  # logs, spilled objects, sockets
    written = [each for each in session.rglob("*") if each.is_file()]
    assert len(written) > 5
    assert [each for each in written if SECRET.encode() in each.read_bytes()] == []
    held = [each for each in shop.root.rglob("*") if each.is_file()]
    assert [each for each in held if SECRET.encode() in each.read_bytes()] == []


LAUNCHER = "import sys; from labeling.attributes.cli import main; sys.argv[0] = 'x'; main()"


@pytest.mark.heavy
def test_a_driver_that_is_stopped_goes_on(
    two: tuple[Any, Any], kit: Any, serve: Serve, ray_cluster: Any
) -> None:
    here, there = two
    server = serve(kit.script(*models(0.02)))
    path = there.ensemble(*voters(kit, server, concurrency=4), templates=2)
    given = [
        *("ask", "--ensemble", path, "--noun", "garment", "--no-probe", "--workspace", there.root),
        *("--engine", "ray", "--address", ray_cluster.address),
    ]
    command = [sys.executable, "-c", LAUNCHER, *map(str, given)]
    for number, at in ((signal.SIGKILL, 40), (signal.SIGINT, 90)):
        run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
        with run as it:
            while server.counts.chats < at and it.poll() is None:
                time.sleep(0.005)
            os.killpg(it.pid, number)  # as a terminal does, to all that it started
            said = it.communicate(timeout=30)[1]
        assert "Traceback" not in said
        assert len(stored(there)[1]) >= at - 2 * 2 * 4  # what was answered is there
    ask(there, path, ray_cluster)
    calls = there.manifest()["counts"]["calls"]
    assert calls <= server.counts.chats <= calls + 2 * 2 * 4
    here.ask(here.ensemble(*voters(kit, serve(kit.script(*models()))), templates=2))
    assert_same(here, there)
