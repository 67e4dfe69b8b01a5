"""Several callers of one request: what one of them does, the others do not feel."""

import asyncio
import gc
import sqlite3
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest

from benchwright.asking.answers import AnswerStore
from benchwright.asking.client import Client
from benchwright.asking.replies import Reply
from benchwright.asking.requests import Request
from benchwright.asking.sending import LocalSender
from benchwright.asking.views import Encoder
from benchwright.asking.voters import Voter
from stand_ins.models import Model, Question, Script, ScriptedServer, Turn

SOMEBODY = Voter(name="v", model="m", base_url="http://h/v1")


def echo(question: Question) -> Turn:
    return Turn(text=f"to {question.text}")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "answers.sqlite"


def question(number: int) -> Request:
    return Request.of(f"question {number}?", max_tokens=16)


def attempts(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT status FROM attempts ORDER BY id").fetchall()
    connection.close()
    return [status for (status,) in rows]


def voter(server: ScriptedServer, **settings: Any) -> Voter:
    return Voter(name="v", model="scripted", base_url=server.base_url, **settings)


@pytest.fixture
def slow() -> Iterator[ScriptedServer]:
    with ScriptedServer(Script(models=(Model(seconds=0.2),)), brain=echo) as server:
        yield server


@pytest.mark.parametrize("gone", [(0,), (1,), (0, 1)])
def test_caller_that_is_cancelled_takes_nothing_from_others(
    path: Path, slow: ScriptedServer, gone: tuple[int, ...]
) -> None:
    async def main() -> list[Any]:
        with AnswerStore(path) as store:
            async with Client(voter(slow), store, Encoder()) as client:
                callers = [asyncio.create_task(client.ask(question(1))) for _ in range(3)]
                await asyncio.sleep(0.1)
                for number in gone:
                    callers[number].cancel()
                return await asyncio.gather(*callers, return_exceptions=True)

    outcomes = asyncio.run(main())
    for number, outcome in enumerate(outcomes):
        is_gone = isinstance(outcome, asyncio.CancelledError)
        assert is_gone is (number in gone)
        assert is_gone or outcome.text == "to question 1?"
    assert slow.counts.chats == 1


@pytest.mark.parametrize(
    ("stays", "stored"),
    [
        (0.4, ["ok"]),  # it comes while others are asked
        (0.0, ["ok"]),  # it comes while the client closes
    ],
)
def test_answer_that_nobody_waits_for_is_stored(
    path: Path, slow: ScriptedServer, stays: float, stored: list[str]
) -> None:
    async def main() -> None:
        with AnswerStore(path) as store:
            async with Client(voter(slow), store, Encoder()) as client:
                caller = asyncio.create_task(client.ask(question(1)))
                await asyncio.sleep(0.1)
                caller.cancel()
                await asyncio.sleep(stays)

    asyncio.run(main())
    assert attempts(path) == stored


def test_a_client_that_closes_waits_for_no_late_answer(path: Path) -> None:
    with ScriptedServer(Script(models=(Model(seconds=20),)), brain=echo) as server:

        async def main() -> float:
            with AnswerStore(path) as store:
                async with Client(voter(server), store, Encoder()) as client:
                    caller = asyncio.create_task(client.ask(question(1)))
                    await asyncio.sleep(0.1)
                    caller.cancel()
                    started = time.monotonic()
            assert not [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            return time.monotonic() - started

        assert asyncio.run(main()) < 5


def test_nobody_waits_for_what_is_not_under_way(path: Path, slow: ScriptedServer) -> None:
    """The second waits for the slot of the first; nobody wants it any more: it is not bought."""

    async def main() -> Reply:
        with AnswerStore(path) as store:
            async with Client(voter(slow, concurrency=1), store, Encoder()) as client:
                first = asyncio.create_task(client.ask(question(1)))
                second = asyncio.create_task(client.ask(question(2)))
                await asyncio.sleep(0.1)
                second.cancel()
                await first
                await asyncio.sleep(0.1)
                assert slow.counts.chats == 1
                return await client.ask(question(2))  # and can be asked again

    assert asyncio.run(main()).text == "to question 2?"


@pytest.mark.parametrize("answer", [httpx2.Response(401), httpx2.Response(500)])
def test_error_that_nobody_waits_for_is_not_reported(
    path: Path, caplog: pytest.LogCaptureFixture, answer: httpx2.Response
) -> None:
    came = 0

    async def serve(_: httpx2.Request) -> httpx2.Response:
        nonlocal came
        came += 1
        await asyncio.sleep(0.1)
        return answer

    async def main() -> None:
        transport = httpx2.MockTransport(serve)
        connection = openai.AsyncOpenAI(
            api_key="k",
            base_url="http://h/v1",
            max_retries=0,
            http_client=httpx2.AsyncClient(transport=transport),
        )
        with AnswerStore(path) as store:
            async with Client(
                SOMEBODY, store, Encoder(), connect=partial(LocalSender, server=connection)
            ) as client:
                callers = [asyncio.create_task(client.ask(question(1))) for _ in range(2)]
                await asyncio.sleep(0.05)
                for caller in callers:
                    caller.cancel()
                await asyncio.sleep(0.3)
        gc.collect()

    asyncio.run(main())
    assert (came, attempts(path)) == (1, ["failed"])  # nor is it repeated
    assert "never retrieved" not in caplog.text
