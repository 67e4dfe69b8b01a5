"""Asking from the nodes of a Ray cluster beside asking from here: requests and CPU.

    python -m benchmarks.labels_on_ray

A scripted server in a process of its own answers at once, so that what is measured is our part of
a call. Three kinds of call: a text; a view of a picture that was encoded before; a view that has
to be decoded, scaled and encoded. Contestants take turns; the first round, in which processes
start, does not count. Nodes are processes of one machine here: what two of them gain on one is
bounded by its processors.
"""

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.contest import Disagreement, draw, ratios
from benchwright.asking.answers import AnswerStore
from benchwright.asking.askers import Askers
from benchwright.asking.client import Client
from benchwright.asking.requests import Request, View
from benchwright.asking.sending import Connect, LocalSender
from benchwright.asking.several import ask_each
from benchwright.asking.views import Encoder, part_of
from benchwright.asking.voters import Voter
from benchwright.engines.engine import Engine
from benchwright.engines.ray_cluster import connected
from benchwright.workspace import Workspace
from stand_ins.models import served
from stand_ins.processes import with_all_under

REPEATS, CONCURRENCY = 3, 32
KINDS = {"a text": 300, "a small view, encoded before": 300, "a view to be encoded": 90}
SMALL, LARGE, PICTURES = (512, 384), (2_000, 1_500), 30


@dataclass(frozen=True, kw_only=True)
class Took:
    """Seconds of the clock, CPU seconds of this process and of the processes that ask."""

    seconds: float
    here: float
    there: float


def requests_of(kind: str, round_: int, small: list[Path], large: list[Path]) -> Iterator[Request]:
    """Yield the requests of a round; no two rounds have one in common."""
    for number in range(KINDS[kind]):
        text = f"Is the picture mostly red? ({round_} {number})"
        if kind == "a text":
            yield Request.of(text, max_tokens=16)
            continue
        paths = small if "small" in kind else large
        view = View() if "small" in kind else View(long_side=700 + 10 * round_ + number // PICTURES)
        yield Request.of(part_of(paths[number % PICTURES], view), text, max_tokens=16)


def askers_cpu() -> float:
    """Return the CPU-seconds of the askers that this process has started."""
    ours = with_all_under(os.getpid())
    return sum(one.seconds for one in ours if one.name.startswith("ray::Asker"))


async def ask(url: str, connect: Connect, requests: list[Request], folder: Path) -> Took:
    voter = Voter(name="v", model="scripted", base_url=url, concurrency=CONCURRENCY)
    with AnswerStore(folder / "answers.sqlite") as store:
        async with Client(voter, store, Encoder(), connect=connect) as client:
            there, here, began = askers_cpu(), time.process_time(), time.perf_counter()
            async for _, reply in ask_each(client.ask, requests, CONCURRENCY):
                if reply.status != "ok":
                    raise Disagreement(f"a call got no answer: {reply}")
            return Took(
                seconds=time.perf_counter() - began,
                here=time.process_time() - here,
                there=askers_cpu() - there,
            )


@contextmanager
def cluster_of(nodes: int, folder: Path) -> Iterator[Connect]:
    from ray.cluster_utils import Cluster  # noqa: PLC0415  # it must find settings that connect makes

    node = {"num_cpus": 1, "object_store_memory": 100 * 2**20, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=node)
    try:
        for _ in range(nodes - 1):
            cluster.add_node(num_cpus=1, object_store_memory=100 * 2**20)
        engine = Engine(name="ray", address=cluster.address)
        with connected(engine, Workspace(folder)) as connected_to:
            askers = Askers(connected_to)
            yield askers.sender
            askers.close()
    finally:
        cluster.shutdown()  # type: ignore[no-untyped-call]


def measure(url: str, folder: Path, nodes: int) -> None:
    """Print what calls of each kind take, from here and from so many nodes in turns."""
    small, large = draw(folder, PICTURES, SMALL), draw(folder, PICTURES, LARGE)
    with cluster_of(nodes, folder) as there:
        for kind, number in KINDS.items():
            found: dict[str, list[Took]] = {"here": [], "ray": []}
            for round_ in range(1 + REPEATS):
                for name, connect in (("here", LocalSender), ("ray", there)):
                    requests = [*requests_of(kind, round_, small, large)]
                    with tempfile.TemporaryDirectory() as own:
                        took = asyncio.run(ask(url, connect, requests, Path(own)))
                    if round_:
                        found[name].append(took)
            print(f"{nodes} node(s), {kind}: {line(number, found)}", flush=True)


def line(number: int, found: dict[str, list[Took]]) -> str:
    here, ray = found["here"], found["ray"]
    faster = ratios((one.seconds for one in here), (one.seconds for one in ray))
    dearer = ratios((one.here + one.there for one in ray), (one.here + one.there for one in here))
    each = 1000 / number
    return (
        f"{number / statistics.median(one.seconds for one in ray):.0f} calls/s"
        f" (here {number / statistics.median(one.seconds for one in here):.0f});"
        f" rate to that of here {faster};"
        f" CPU-ms each: command {statistics.median(one.here for one in ray) * each:.2f} and askers"
        f" {statistics.median(one.there for one in ray) * each:.2f}, here"
        f" {statistics.median(one.here for one in here) * each:.2f}, ratio {dearer}"
    )


def main() -> None:
    os.environ |= {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
    with tempfile.TemporaryDirectory() as folder, served() as server:
        for nodes in (1, 2):
            measure(server.base_url, Path(folder), nodes)


if __name__ == "__main__":
    main()
