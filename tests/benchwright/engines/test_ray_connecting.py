"""Connecting to a cluster of two nodes, each of which is looked at."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchwright.engines.engine import Engine
from benchwright.engines.ray_address import check_address
from benchwright.engines.ray_cluster import connected
from benchwright.engines.ray_nodes import check_nodes
from benchwright.errors import UsageError
from benchwright.workspace import Workspace

ray = pytest.importorskip("ray")
pytestmark = pytest.mark.timeout(300)  # a busy machine starts processes slowly


def test_both_nodes_are_found_and_nothing_is_left(ray_cluster: Any, tmp_path: Path) -> None:
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


def test_it_is_asked_before_ray_is(ray_cluster: Any, tmp_path: Path) -> None:
    check_address(ray_cluster.address)
    with (
        pytest.raises(UsageError, match="wanted HOST:PORT"),
        connected(Engine(name="ray", address="somewhere"), Workspace(tmp_path)),
    ):
        pass
