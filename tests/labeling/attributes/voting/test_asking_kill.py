"""kill -9 while an ensemble is asked: the same command goes on, and nothing is bought twice.

Real processes ask a real server. They are killed at seeded moments: when an answer has come and
is not stored, when it is stored, and at the n-th time that the stage touches a file.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stand_ins.models import ErrorRate, Model, served

KILLS, CONCURRENCY, BLOCK = 6, 4, 6

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
                "--noun", "garment", "--workspace", root]
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        try:
            main()
        except SystemExit as stop:
            os._exit(stop.code if isinstance(stop.code, int) else 0)


chance = random.Random(job["seed"])
for root in job["roots"]:
    died = 0
    while run(root, chance.randrange(*job["moments"])) == -signal.SIGKILL:
        died += 1
    print(died, flush=True)
    assert run(root, -1) == 0
"""


@pytest.mark.heavy
def test_nothing_is_bought_twice(
    shop_at: Callable[[Path], Any], kit: Any, tmp_path: Path
) -> None:
    models = (
        Model(name="good", errors=(ErrorRate(on_yes=0.1, on_no=0.1),), seconds=0.001),
        Model(name="bad", errors=(ErrorRate(on_yes=0.3, on_no=0.2),), seconds=0.001),
    )
    with served(kit.script(*models)) as server:
        shops = [shop_at(tmp_path / f"w{number}") for number in range(2)]
        for number, each in enumerate(shops):
            # other wordings, so that the server can tell the workspaces apart
            path = each.workspace.vocabulary
            text = path.read_text("utf-8").replace("{noun}", f"{{noun}} of shop {number}")
            path.write_text(text, "utf-8")
            voters = [kit.model(server.base_url, model.name) for model in models]
            voters = [voter | {"concurrency": CONCURRENCY} for voter in voters]
            each.ensemble(*voters, templates=2)
        job = {
            "roots": [str(each.root) for each in shops],
            "seed": 5,
            "moments": [5, 420],
            "block": BLOCK,
        }
        ran = subprocess.run(
            [sys.executable, "-c", LAUNCHER, json.dumps(job)],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ,
        )
        assert ran.returncode == 0, ran.stderr
        died = [int(line) for line in ran.stdout.splitlines()]
        counts = server.counts()
        print(died, counts["chats"], calls) ; assert sum(died) >= KILLS
        calls = sum(each.manifest()["counts"]["calls"] for each in shops)
        asked = counts["requests"]
        assert len(asked) == calls  # no question that an undisturbed run would not ask
        in_flight = 2 * CONCURRENCY * sum(died)
        assert calls <= counts["chats"] <= calls + in_flight
        # what an undisturbed run makes
        whole = shop_at(tmp_path / "whole")
        whole.workspace.vocabulary.write_text(
            shops[0].workspace.vocabulary.read_text("utf-8"), "utf-8"
        )
        (whole.root / "e.yaml").write_text((shops[0].root / "e.yaml").read_text("utf-8"), "utf-8")
        whole.ask(whole.root / "e.yaml")
    # the blocks of the killed runs were smaller: their shards hold the same votes
    assert whole.votes() == shops[0].votes()
    assert len(shops[0].vote_bytes()) == 4
    assert whole.manifest()["content"] == shops[0].manifest()["content"]
