"""kill -9 while boxes are proposed: the same command goes on, and nothing is bought twice.

Real processes ask a real server. They are killed at seeded moments: when an answer has come and
is not stored, when it is stored, and when a file is written and has no name yet.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchwright.asking.session import Spending
from benchwright.workspace import Workspace
from labeling.dialogues.candidate_set.proposing.propose import propose

KILLS, CONCURRENCY = 3, 4

# Imports once, then forks a process for each run: one that dies at its moment, one that ends.
LAUNCHER = """
import contextlib, json, os, random, signal, sys

from benchwright.asking import answers
from benchwright.commands import entry_point
from labeling.dialogues.candidate_set.proposing.cli import propose_command
from labeling.dialogues.candidate_set.proposing import propose  # before the forks

job = json.loads(sys.argv[1])
moment, seen = -1, 0
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
    step()  # a picture or a table is written, and has no name yet
    replace(*paths)
    step()


answers.AnswerStore.add, os.replace = adding, replacing


def run(at):
    global moment, seen
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    moment, seen = at, 0
    sys.argv = ["propose", "--voters", job["voters"], "--workspace", job["root"]]
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        try:
            entry_point(propose_command)()
        except SystemExit as stop:
            os._exit(stop.code if isinstance(stop.code, int) else 0)


chance = random.Random(job["seed"])
died = 0
while run(chance.randrange(*job["moments"])) == -signal.SIGKILL:
    died += 1
assert run(-1) == 0
print(died)
"""


@pytest.mark.heavy
def test_nothing_is_bought_twice(
    spoken: Workspace, look: Any, looker: Any, tmp_path: Path, holdings: Any
) -> None:
    killed = Workspace(Path(shutil.copytree(spoken.root, tmp_path / "killed")))
    with look({"ann": looker(), "ben": looker()}, concurrency=CONCURRENCY) as lookers:
        propose(spoken, lookers.voters, Spending())
        undisturbed = lookers.calls()
    with look({"ann": looker(), "ben": looker()}, concurrency=CONCURRENCY) as lookers:
        path = tmp_path / "voters.yaml"
        path.write_text(json.dumps({"voters": [v.model_dump(mode="json") for v in lookers.voters]}))
        job = {"seed": 3, "moments": [5, 60], "root": str(killed.root), "voters": str(path)}
        ran = subprocess.run(
            [sys.executable, "-c", LAUNCHER, json.dumps(job)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        died = int(ran.stdout)
        assert died >= KILLS
        assert undisturbed <= lookers.calls() <= undisturbed + 2 * CONCURRENCY * died
        assert len(lookers.server.counts.requests) == undisturbed  # none but those
    proposals, whole = (one.root / "dialogues" / "candidate-set" for one in (killed, spoken))
    assert holdings(proposals) == holdings(whole)
