"""Work on a cluster of two nodes: the contract of the local pool, and what a cluster adds."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchwright.engines.engine import Engine
from benchwright.engines.ray_cluster import connected
from benchwright.engines.ray_pool import RayPool
from benchwright.errors import BenchwrightError, PictureError
from benchwright.workspace import Workspace

ray = pytest.importorskip("ray")
pytestmark = pytest.mark.timeout(300)  # a busy machine starts processes slowly


@pytest.fixture(scope="module", autouse=True)
def _sent_whole() -> Iterator[None]:
    """Workers cannot import this file: its functions are sent to them whole."""
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    yield
    ray.cloudpickle.unregister_pickle_by_value(sys.modules[__name__])


@pytest.fixture(scope="module")
def workers(ray_cluster: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RayPool]:
    workspace = Workspace(tmp_path_factory.mktemp("ray"))
    with connected(Engine(name="ray", address=ray_cluster.address), workspace) as cluster:
        yield RayPool(cluster=cluster)


def square(value: int) -> int:
    return value**2


def fail(value: int) -> int:
    if value == 3:
        raise PictureError("broken", f"item {value}")
    return value


def fault(value: int) -> int:
    return {0: 0, 1: 1}[value]


def meet(folder: Path, value: int) -> str:
    """Return the folder that a task works in, when tasks of two nodes have met."""
    (folder / ray.get_runtime_context().get_node_id()).touch()
    for _ in range(400):
        if len(list(folder.iterdir())) == 2:
            return str(Path.cwd())
        time.sleep(0.05)
    raise TimeoutError("only one node was given tasks")


def die_once(folder: Path, value: int) -> int:
    if value == 5:
        try:
            (folder / "died").touch(exist_ok=False)
        except FileExistsError:
            return value
        os.kill(os.getpid(), signal.SIGKILL)
    return value


def die(value: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return value


def wait_for(folder: Path, value: int) -> int:
    (folder / ray.get_runtime_context().get_node_id()).touch()
    while not (folder / "go").exists():
        time.sleep(0.05)
    return value


def large(value: int) -> np.ndarray:
    return np.full(30 * 2**20, value, np.uint8)


def entry(shared: Callable[[], np.ndarray], place: int) -> tuple[int, bool]:
    return int(shared()[place]), shared().flags.writeable


@pytest.mark.parametrize("batch", [1, 7, 100])
def test_results_come_in_the_order_of_the_items(workers: RayPool, batch: int) -> None:
    found = workers.map_ordered(square, range(40), batch=batch)
    assert list(found) == [value**2 for value in range(40)]
    assert list(workers.map_ordered(square, [], batch=batch)) == []


@pytest.mark.parametrize("batch", [1, 4])
def test_exceptions_travel_whole(workers: RayPool, batch: int) -> None:
    results = workers.map_ordered(fail, range(9), batch=batch)
    assert list(islice(results, 3)) == [0, 1, 2]
    with pytest.raises(PictureError, match="item 3") as caught:
        next(results)
    assert caught.value.reason == "broken"


def test_a_fault_says_where_it_happened(workers: RayPool) -> None:
    with pytest.raises(KeyError) as caught:
        list(workers.map_ordered(fault, range(3)))
    assert "in fault" in caught.value.__notes__[0]


def test_endless_items_are_taken_as_they_are_needed(workers: RayPool) -> None:
    taken: list[int] = []

    def endless() -> Iterator[int]:
        for value in count():
            taken.append(value)
            yield value

    results = workers.map_ordered(square, endless())
    assert list(islice(results, 5)) == [0, 1, 4, 9, 16]
    assert len(taken) <= 5 + 4 * 2
    results.close()
    assert list(workers.map_ordered(square, [7])) == [49]


def test_both_nodes_work_where_relative_paths_start(workers: RayPool, tmp_path: Path) -> None:
    assert workers.count == 2
    found = workers.map_ordered(partial(meet, tmp_path), range(4))
    assert set(found) == {str(Path.cwd())}
    nodes = {node.node_id for node in workers.cluster.nodes}
    assert {path.name for path in tmp_path.iterdir()} == nodes


def test_a_shared_value_is_sent_once_and_read_where_it_lies(workers: RayPool) -> None:
    shared = workers.share(np.arange(2**20))
    assert list(workers.map_ordered(partial(entry, shared), [0, 5, 2**20 - 1])) == [
        (0, False),
        (5, False),
        (2**20 - 1, False),
    ]


def test_a_worker_that_is_killed_is_replaced(workers: RayPool, tmp_path: Path) -> None:
    found = workers.map_ordered(partial(die_once, tmp_path), range(12), batch=3)
    assert list(found) == list(range(12))
    assert (tmp_path / "died").exists()


def test_what_always_dies_is_one_line(
    workers: RayPool, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("benchwright.engines.ray_pool._RETRIES", 1)
    with pytest.raises(BenchwrightError, match=r"tried 2 times \(WorkerCrashedError") as caught:
        list(workers.map_ordered(die, [0]))
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_a_node_is_lost_in_the_middle(workers: RayPool, ray_cluster: Any, tmp_path: Path) -> None:
    doomed = ray_cluster.add_node(num_cpus=1, object_store_memory=80 * 2**20)
    found: list[int] = []
    work = partial(wait_for, tmp_path)
    thread = threading.Thread(target=lambda: found.extend(workers.map_ordered(work, range(6))))
    thread.start()
    for _ in range(600):
        if (tmp_path / doomed.node_id).exists():
            break
        time.sleep(0.05)
    else:
        pytest.fail("the third node was given nothing")
    ray_cluster.remove_node(doomed, allow_graceful=False)
    (tmp_path / "go").touch()
    thread.join(60)
    assert found == list(range(6))


def test_results_larger_than_the_store_are_spilled(workers: RayPool, ray_cluster: Any) -> None:
    found = []
    spilled = 0
    for result in workers.map_ordered(large, range(16)):
        session = Path(ray_cluster.head_node.get_session_dir_path())
        spilled = max(spilled, len(list(session.glob("ray_spilled_objects*/*"))))
        found.append((int(result[0]), int(result[-1]), len(result)))
        time.sleep(0.1)
    assert found == [(value, value, 30 * 2**20) for value in range(16)]
    assert spilled > 0
