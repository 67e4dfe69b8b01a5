"""The client before servers that answer what no protocol has: its money, its keys, its patience."""

import asyncio
import sqlite3
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest

from benchwright.asking.answers import AnswerStore
from benchwright.asking.budget import Budget
from benchwright.asking.client import Client
from benchwright.asking.limiter import Limiter
from benchwright.asking.replies import Reply
from benchwright.asking.requests import Request
from benchwright.asking.sending import LocalSender, timeout_of
from benchwright.asking.views import Encoder
from benchwright.asking.voters import Price, Voter
from benchwright.errors import ServerError


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchwright.asking.limiter._FIRST_PAUSE", 0.01)
    monkeypatch.setattr("benchwright.asking.failures._FIRST_WAIT", 0.005)


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


def asked(path: Path, who: Voter, connection: openai.AsyncOpenAI, **settings: Any) -> Reply:
    async def main() -> Reply:
        with AnswerStore(path) as store:
            async with Client(
                who, store, Encoder(), connect=partial(LocalSender, server=connection), **settings
            ) as client:
                return await client.ask(question(1))

    return asyncio.run(main())


COMPLETION = {"choices": [{"message": {"content": "Yes."}, "finish_reason": "stop"}]}


def answering(*answers: httpx2.Response | Exception) -> openai.AsyncOpenAI:
    """Return a connection to a server that gives these answers, the last one for ever."""
    left = list(answers)

    async def serve(_: httpx2.Request) -> httpx2.Response:
        answer = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(answer, Exception):
            raise answer
        return httpx2.Response(answer.status_code, headers=answer.headers, content=answer.content)

    return openai.AsyncOpenAI(
        api_key="k",
        base_url="http://h/v1",
        max_retries=0,
        http_client=httpx2.AsyncClient(transport=httpx2.MockTransport(serve)),
    )


SOMEBODY = Voter(name="v", model="m", base_url="http://h/v1")


def test_escaped_key_is_nowhere(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THE_KEY", "ab/cd-0123456789")
    who = SOMEBODY.model_copy(update={"api_key_env": "THE_KEY"})
    said = r'"choices": [{"message": {"content": "it is ab\/cd-0123456789"}}]'
    body = rf'{{{said}, "model": "\u0061b/cd-0123456789"}}'
    broken = httpx2.Response(200, content=rb"{ab\/cd-0123456789")
    good = httpx2.Response(200, content=body.encode(), headers={"server": "ab/cd-0123456789"})
    reply = asked(path, who, answering(broken, good))
    assert (reply.text, reply.model, reply.build) == ("it is [key]", "[key]", "[key]")
    kept = b"".join(each.read_bytes() for each in path.parent.iterdir())
    assert b"cd-0123" not in kept


def test_page_of_another_server_is_one_line(path: Path) -> None:
    """As it comes where base_url lacks its /v1."""
    page = httpx2.Response(200, text="<html>\n<h1>\x1b[2JHello</h1>\n</html>")
    reply = asked(path, SOMEBODY, answering(page))
    assert (
        reply.error == "the server answered 200 with no choices: <html> <h1> [2JHello</h1> </html>"
    )


@pytest.mark.parametrize(
    ("answer", "cost"),
    [
        ({"usage": {"prompt_tokens": 10, "completion_tokens": 2}}, 2.0),
        ({}, 16.0),  # nobody counted: the cap
        ({"usage": {"prompt_tokens": 10}}, 16.0),
    ],
)
def test_cost_without_usage_is_the_highest(path: Path, answer: Any, cost: float) -> None:
    who = SOMEBODY.model_copy(update={"price": Price(input=0, output=1_000_000)})
    budget = Budget(max_cost=100)
    good = httpx2.Response(200, json=COMPLETION | answer)
    asked(path, who, answering(good), budget=budget)
    assert budget.cost == pytest.approx(cost)


@pytest.mark.parametrize(
    "failure",
    [
        httpx2.ConnectTimeout("nobody there"),
        httpx2.Response(502),
        httpx2.Response(503),
        httpx2.Response(429),
        httpx2.Response(529),
    ],
)
def test_what_reached_nobody_costs_nothing_and_is_tried_on(path: Path, failure: Any) -> None:
    who = SOMEBODY.model_copy(update={"price": Price(input=0, output=1_000_000)})
    good = httpx2.Response(
        200, json=COMPLETION | {"usage": {"prompt_tokens": 10, "completion_tokens": 2}}
    )
    budget = Budget(max_cost=17)  # the cap of one call
    failures = [failure] * 6
    reply = asked(path, who, answering(*failures, good), budget=budget)
    assert reply.status == "ok"
    assert budget.cost == pytest.approx(2.0)


def test_error_that_names_a_pause_each_time_is_counted(path: Path) -> None:
    """A request that breaks the server would be asked for ever."""
    failure = httpx2.Response(500, headers={"Retry-After": "0"})
    reply = asked(path, SOMEBODY, answering(failure))
    assert (reply.status, attempts(path)) == ("failed", ["failed"] * 5)


def test_server_that_throttles_from_the_start_is_given_up(path: Path) -> None:
    pace = Limiter(SOMEBODY.model_copy(update={"patience": 0.1}))
    with pytest.raises(ServerError, match="wants pauses and answers nothing"):
        asked(path, SOMEBODY, answering(httpx2.Response(429)), limiter=pace)


def test_unreachable_is_told_from_slow() -> None:
    """The bound of reaching a server ends before that of the call: its error is heard."""
    bounds = timeout_of(SOMEBODY.model_copy(update={"timeout": 4.0}), 4.0)
    assert (bounds.connect, bounds.read) == (2.0, 4.0)
