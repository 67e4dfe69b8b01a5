"""A Ray cluster of two nodes on this machine, which all tests of a run share."""

import importlib.util
import os
from collections.abc import Iterator
from typing import Any

import pytest

# read by Ray when it is imported; no test may phone home, and no token is written to the home
os.environ |= {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "disabled",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_DEDUP_LOGS": "1",
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",
}
STORE = 80 * 2**20  # bytes of a node's store of objects: about the least that Ray takes


@pytest.fixture(scope="session")
def ray_cluster() -> Iterator[Any]:
    """A ``ray.cluster_utils.Cluster`` of two nodes with a processor each and little memory."""
    if importlib.util.find_spec("ray") is None:
        pytest.skip("needs the extra ray")
    from ray.cluster_utils import Cluster  # noqa: PLC0415  # an extra

    node = {"num_cpus": 1, "object_store_memory": STORE, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=node)
    try:
        cluster.add_node(num_cpus=1, object_store_memory=STORE)
        yield cluster
    finally:
        cluster.shutdown()
