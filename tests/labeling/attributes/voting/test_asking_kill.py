"""kill -9 while an ensemble is asked: the same command goes on, and nothing is bought twice.

Real processes ask a real server. They are killed at seeded moments: when an answer has come and
is not stored, when it is stored, and when a part or a shard is written and has no name yet.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stand_ins.models import ErrorRate, Model, served

KILLS, CONCURRENCY, BLOCK = 3, 4, 6

# Imports once, then forks a process for each run: one that dies at its moment, one that ends.
LAUNCHER = """
import contextlib, json, os, random, signal, sys

from benchwright.asking import answers
from labeling.attributes.cli import main
from labeling.attributes.voting import asking

job = json.loads(sys.argv[1])
moment, seen = -1, 0
asking._BLOCK = job["block"]
add, replace = answers.AnswerStore.add, os.replace


def step():
    global seen
    if seen == moment:
        os.kill(os.getpid(), signal.SIGKILL)
    seen += 1


def adding(self, *row):
    step()  # answered, not yet written
    add(self, *row)
    step()  # written, nobody has seen it


def replacing(*paths):
    step()  # a part or a shard is written, and has no name yet
    replace(*paths)
    step()


answers.AnswerStore.add, os.replace = adding, replacing


def run(root, at):
    global moment, seen
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    moment, seen = at, 0
    sys.argv = ["label-attributes", "ask", "--ensemble", os.path.join(root, "e.yaml"),
                "--noun", "garment", "--no-probe", "--workspace", root]
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        try:
            main()
        except SystemExit as stop:
            os._exit(stop.code if isinstance(stop.code, int) else 0)


chance = random.Random(job["seed"])
died = 0
while run(job["root"], chance.randrange(*job["moments"])) == -signal.SIGKILL:
    died += 1
assert run(job["root"], -1) == 0
print(died)
"""


@pytest.mark.heavy
def test_nothing_is_bought_twice(shop_at: Callable[[Path], Any], kit: Any, tmp_path: Path) -> None:
    models = (
        Model(name="good", errors=(ErrorRate(on_yes=0.1, on_no=0.1),), seconds=0.001),
        Model(name="bad", errors=(ErrorRate(on_yes=0.3, on_no=0.2),), seconds=0.001),
    )
    killed, whole = shop_at(tmp_path / "killed"), shop_at(tmp_path / "whole")
    with served(kit.script(*models)) as server:
        voters = [kit.model(server.base_url, each.name, concurrency=CONCURRENCY) for each in models]
        job = {"seed": 5, "moments": [60, 300], "block": BLOCK, "root": str(killed.root)}
        killed.ensemble(*voters, templates=2)
        ran = subprocess.run(
            [sys.executable, "-c", LAUNCHER, json.dumps(job)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        died, counts = int(ran.stdout), server.counts()
        assert died >= KILLS
        calls = killed.manifest()["counts"]["calls"]
        assert len(counts["requests"]) == calls  # none that an undisturbed run would not ask
        in_flight = 2 * CONCURRENCY * died
        assert calls <= counts["chats"] <= calls + in_flight
        whole.ask(whole.ensemble(*voters, templates=2))
    # the blocks of the killed runs were smaller: their shards hold the same votes
    assert len(killed.vote_bytes()) == -(-len(killed.truths) // BLOCK)
    assert whole.votes() == killed.votes()
    assert whole.manifest()["content"] == killed.manifest()["content"]
