"""Ctrl-C and SIGTERM while models are asked: the first one ends it, in order, in one line."""

import asyncio
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchwright.asking.running import run
from stand_ins.models import Fault, Model, Script, ScriptedServer

STOPPED = "error: stopped; nothing is half written: run the same command again to go on\n"

# a command as they all are; what it does stands in its first argument
COMMAND = """
import asyncio, os, signal, sys, time
from pathlib import Path

import click

from benchwright.asking.answers import AnswerStore
from benchwright.asking.client import Client
from benchwright.asking.requests import Request
from benchwright.asking.running import run
from benchwright.asking.several import ask_each
from benchwright.asking.views import Encoder
from benchwright.asking.voters import Voter
from benchwright.commands import entry_point


def kill():
    os.kill(os.getpid(), int(sys.argv[2]))


async def in_callback():
    asyncio.get_running_loop().call_soon(kill)
    await asyncio.sleep(60)


async def in_task():
    kill()
    await asyncio.sleep(60)


async def twice():
    try:
        asyncio.get_running_loop().call_soon(kill)
        await asyncio.sleep(60)
    finally:
        asyncio.get_running_loop().call_later(0.05, kill)
        await asyncio.sleep(60)


async def at_the_end():
    kill()


async def ask():
    voter = Voter(name="v", model="scripted", base_url=sys.argv[3], concurrency=4)
    requests = (Request.of(f"question {n}?", max_tokens=9) for n in range(10_000))
    with AnswerStore(Path(sys.argv[4])) as store:
        async with Client(voter, store, Encoder()) as client:
            async for _ in ask_each(client.ask, requests, 8):
                print("answered", flush=True)


def command():
    run(globals()[sys.argv[1]]())
    print("went on")


entry = click.command()(command)
entry.params.append(click.Argument(["given"], nargs=-1))
entry.callback = lambda given: command()
entry_point(entry)()
"""


def started(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("what", ["in_callback", "in_task", "at_the_end"])
def test_first_signal_ends_it(what: str, number: signal.Signals) -> None:
    with started(what, str(int(number))) as process:
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", STOPPED)


def test_second_signal_waits_for_nothing() -> None:
    began = time.monotonic()
    with started("twice", str(int(signal.SIGTERM))) as process:
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, STOPPED)
    assert time.monotonic() - began < 20


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    late = Fault(kind="slow", ordinals=(9,), seconds=60)  # of a connection that hangs
    with ScriptedServer(Script(models=(Model(seconds=0.15),), faults=(late,))) as server:
        yield server


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_answers_under_way_are_stored(
    tmp_path: Path, server: ScriptedServer, number: signal.Signals
) -> None:
    path = tmp_path / "answers.sqlite"
    with started("ask", "0", server.base_url, str(path)) as process:
        assert process.stdout is not None
        for _ in range(16):
            process.stdout.readline()
        time.sleep(0.05)
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, STOPPED)
    connection = sqlite3.connect(path)
    (stored,) = connection.execute("SELECT count(*) FROM attempts WHERE status = 'ok'").fetchone()
    connection.close()
    assert stored == server.counts.chats - 1  # all that were asked but the one that hangs


def test_result_and_errors_pass_through() -> None:
    async def answer() -> int:
        return 7

    async def fail() -> None:
        raise ZeroDivisionError

    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    assert run(answer()) == 7
    with pytest.raises(ZeroDivisionError):
        run(fail())
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_own_cancellation_is_none_by_a_signal() -> None:
    async def cancelled() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        run(cancelled())


def test_in_another_thread() -> None:
    found = []

    async def answer() -> int:
        return 7

    thread = threading.Thread(target=lambda: found.append(run(answer())))
    thread.start()
    thread.join()
    assert found == [7]
