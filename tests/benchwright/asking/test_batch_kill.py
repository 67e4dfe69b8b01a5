"""A run by batches that is killed, and started again, buys nothing twice.

A process is killed with SIGKILL right before or after each kind of step: a call to the server, a
change of the ledger, a reply that is stored. It is started again, killed once more at any such
moment, and started a third time. Then all batches that the server ever got are run to their end,
those that nobody remembers too, and the server counts how often it was asked each request.
"""

import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest

from stand_ins.models import BatchRules, Script, served

REQUESTS = 9

# Lists the steps of a whole run, then, warm, forks processes that are killed at one of each kind.
LAUNCHER = """
import asyncio, json, os, pathlib, random, signal, sys

import httpx2

from benchwright.asking.answers import AnswerStore
from benchwright.asking.batch import BatchSettings, run_batch
from benchwright.asking.batch_ledger import BatchLedger
from benchwright.asking.budget import Budget
from benchwright.asking.requests import Request
from benchwright.asking.views import Encoder
from benchwright.asking.voters import Voter

job = json.loads(sys.argv[1])
moment, seen = -1, []


def step(name):
    if len(seen) == moment:
        os.kill(os.getpid(), signal.SIGKILL)
    seen.append(name)


def counted(owner, name):
    function = getattr(owner, name)

    def call(*given, **named):
        step(f"before {name}")
        done = function(*given, **named)
        step(f"after {name}")
        return done

    setattr(owner, name, call)


send = httpx2.AsyncHTTPTransport.handle_async_request


async def counted_send(self, request):
    name = f"{request.method} {request.url.path.rstrip('-0123456789')}"
    step(f"before {name}")
    answer = await send(self, request)
    step(f"after {name}")
    return answer


httpx2.AsyncHTTPTransport.handle_async_request = counted_send
for name in ("prepare", "uploaded", "created", "catch_up", "answered", "close"):
    counted(BatchLedger, name)
counted(AnswerStore, "add")


def run(folder):
    voter = Voter(name="v", model="scripted", base_url=job["base_url"])
    asked = (Request.of(f"{folder.name}: {n}?", max_tokens=9) for n in range(job["requests"]))
    settings = BatchSettings(poll_seconds=0.001, most_lines=4)
    with AnswerStore(folder / "answers.sqlite") as store:
        call = run_batch(
            voter, asked, store, Encoder(), Budget(), folder=folder / "batches", settings=settings
        )
        return asyncio.run(call)


def started(folder, at):
    global moment
    moment = at
    seen.clear()
    folder.mkdir(exist_ok=True)
    process = os.fork()
    if not process:
        run(folder)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


root = pathlib.Path(job["folder"])
(root / "whole").mkdir()
run(root / "whole")
steps, codes = [*seen], {}
for number, name in enumerate(sorted(set(steps))):
    dice = random.Random(number)
    first = dice.choice([place for place, other in enumerate(steps) if other == name])
    folder, second = root / f"killed-{number}", dice.randrange(len(steps))
    codes[name] = [started(folder, first), started(folder, second), started(folder, -1)]
print(json.dumps(codes))
"""


@pytest.mark.heavy
def test_twenty_kills(tmp_path: Path) -> None:
    script = Script(batches=BatchRules(polls=2))
    with served(script) as server:
        job = {"base_url": server.base_url, "folder": str(tmp_path), "requests": REQUESTS}
        ran = subprocess.run(
            [sys.executable, "-c", LAUNCHER, json.dumps(job)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        codes = json.loads(ran.stdout)
        batches = run_to_the_end(server.base_url)
        counts = server.counts()
        uploads = listed(server.base_url, "files")
    assert len(codes) >= 20, sorted(codes)
    assert {first for first, _, _ in codes.values()} == {-9}
    assert {last for _, _, last in codes.values()} == {0}
    assert set(counts["requests"].values()) == {1}
    assert len(counts["requests"]) == (len(codes) + 1) * REQUESTS
    uploaded = {each["id"] for each in uploads if each["purpose"] == "batch"}
    assert uploaded == {batch["input_file_id"] for batch in batches}  # none lies there unused
    for folder in tmp_path.iterdir():
        assert attempts(folder) == ["ok"] * REQUESTS, folder.name
        left = [path.name for path in (folder / "batches").rglob("*") if path.is_file()]
        assert left == [".lock"], folder.name


def listed(base_url: str, what: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while True:
        after = found[-1]["id"] if found else ""
        page = httpx2.get(f"{base_url}/{what}", params={"limit": 100, "after": after}).json()
        found += page["data"]
        if not page["has_more"]:
            return found


def run_to_the_end(base_url: str) -> list[dict[str, Any]]:
    """Let the server run all batches that it ever got, and return them."""
    batches = listed(base_url, "batches")
    for batch in batches:
        while httpx2.get(f"{base_url}/batches/{batch['id']}").json()["status"] != "completed":
            pass
    return batches


def attempts(folder: Path) -> list[str]:
    connection = sqlite3.connect(folder / "answers.sqlite")
    rows = connection.execute("SELECT status FROM attempts").fetchall()
    keys = connection.execute("SELECT DISTINCT key FROM attempts").fetchall()
    connection.close()
    assert len(keys) == REQUESTS, folder.name
    return [status for (status,) in rows]
