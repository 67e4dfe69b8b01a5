"""kill -9 while models are asked: at most the calls in flight are lost, nothing is bought twice.

A real process asks a real server and is killed at twenty seeded moments: before a call, between
the answer and its commit, and after it. The same run again finishes the work; the server counts.
"""

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from stand_ins.models import Model, Script, served

KILLS, QUESTIONS, CONCURRENCY = 20, 60, 8

# Imports once, then forks a process for each run: one that dies at its moment, one that ends.
LAUNCHER = """
import asyncio, json, os, random, signal, sys
from pathlib import Path

from benchwright.asking.answers import AnswerStore
from benchwright.asking.client import Client
from benchwright.asking.requests import Request
from benchwright.asking.sending import LocalSender
from benchwright.asking.several import ask_each
from benchwright.asking.views import Encoder
from benchwright.asking.voters import Voter

job = json.loads(sys.argv[1])
moment = seen = 0


def step():
    global seen
    if seen == moment:
        os.kill(os.getpid(), signal.SIGKILL)
    seen += 1


class Store(AnswerStore):
    def add(self, *row):
        step()  # answered, not yet written
        super().add(*row)
        step()  # written, nobody has seen it


class Sender(LocalSender):
    async def post(self, *call):
        step()  # not asked yet
        return await super().post(*call)


async def main(kill):
    voter = Voter(
        name="v", model="scripted", base_url=job["url"], concurrency=job["concurrency"]
    )
    requests = [
        Request.of(f"run {kill}, question {n}?", max_tokens=9) for n in range(job["questions"])
    ]
    with Store(Path(job["folder"], f"{kill}.sqlite")) as store:
        async with Client(voter, store, Encoder(), connect=Sender) as client:
            async for _, reply in ask_each(client.ask, requests, 2 * job["concurrency"]):
                assert reply.status == "ok", reply


def run(kill, when):
    global moment
    pid = os.fork()
    if pid:
        return os.waitpid(pid, 0)[1]
    moment = when
    asyncio.run(main(kill))
    os._exit(0)


chance = random.Random(job["seed"])
for kill in range(job["kills"]):
    when = chance.randrange(3 * job["questions"])
    died = run(kill, when)
    assert os.WIFSIGNALED(died) and os.WTERMSIG(died) == signal.SIGKILL, (when, died)
    assert run(kill, -1) == 0
    print(kill, when, flush=True)
"""


@pytest.mark.heavy
def test_nothing_is_bought_twice(tmp_path: Path) -> None:
    with served(Script(models=(Model(seconds=0.005),))) as server:
        job = {
            "url": server.base_url,
            "folder": str(tmp_path),
            "seed": 4,
            "kills": KILLS,
            "questions": QUESTIONS,
            "concurrency": CONCURRENCY,
        }
        ran = subprocess.run(
            [sys.executable, "-c", LAUNCHER, json.dumps(job)],
            capture_output=True,
            text=True,
            check=False,
        )
        counts = server.counts()
    assert ran.returncode == 0, ran.stderr
    assert len(ran.stdout.splitlines()) == KILLS
    asked = counts["requests"]
    assert len(asked) == KILLS * QUESTIONS
    assert counts["chats"] <= KILLS * (QUESTIONS + CONCURRENCY)
    assert max(asked.values()) <= 2  # lost in flight once, and then bought
    for kill in range(KILLS):
        connection = sqlite3.connect(tmp_path / f"{kill}.sqlite")
        rows = connection.execute(
            "SELECT count(*), count(DISTINCT key) FROM attempts WHERE status = 'ok'"
        ).fetchone()
        connection.close()
        assert rows == (QUESTIONS, QUESTIONS)  # what was written is never asked again
