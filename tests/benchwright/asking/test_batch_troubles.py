"""A server in trouble: what was lost is asked for again, what was made is not made twice."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Callable
from typing import Any

import httpx2
import pytest

from benchwright.asking.batch_ledger import Batch
from benchwright.asking.batch_service import BatchService
from benchwright.asking.limiter import Limiter
from benchwright.asking.requests import Request
from benchwright.asking.voters import Voter
from benchwright.errors import ServerError
from stand_ins.between import Between

Start = Callable[..., Any]
CONTENT = "GET /v1/files/"
SECRET = "sk-very-secret-1234567890"


def questions(number: int, start: int = 0) -> list[Request]:
    return [Request.of(f"question {start + n}?", max_tokens=16) for n in range(number)]


@pytest.mark.parametrize(
    "outcome",
    [
        httpx2.Response(500, text="<html>oops</html>"),
        httpx2.Response(503, headers={"Retry-After": "0"}),
        httpx2.Response(429, json={"error": {"message": "slow down"}}),
        httpx2.ReadError("reset"),
        httpx2.ReadTimeout("slow"),
    ],
)
@pytest.mark.parametrize("happens", ["not_sent", "answer_lost"])
@pytest.mark.parametrize("call", ["POST /v1/files", "POST /v1/batches", "GET /v1/batches", CONTENT])
def test_repeated(bench: Start, between: Between, outcome: Any, happens: Any, call: str) -> None:
    one = bench()
    between.trouble(call, happens, outcome, times=2)
    assert one.run(questions(3)).collected == 3
    one.server.stop()
    one.server.start()
    # whatever the server made of the calls whose answers were lost, it made it once
    made = asyncio.run(listed(one))
    assert made == [1, 1]
    assert max(one.server.counts.requests.values()) == 1


async def listed(bench: Any) -> list[int]:
    """Return how many files of requests, and how many batches, the server holds."""
    async with httpx2.AsyncClient() as client:
        found = []
        for path in ("files", "batches"):
            said = (await client.get(f"{bench.server.base_url}/{path}")).json()["data"]
            found.append(sum(each.get("purpose", "batch") == "batch" for each in said))
        return found


def test_download_breaks_in_the_middle(
    bench: Start, between: Between, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Breaking(httpx2.AsyncByteStream):
        def __init__(self, body: bytes) -> None:
            self.body = body

        async def __aiter__(self) -> Any:
            yield self.body[: len(self.body) * 2 // 3]
            raise httpx2.ReadError("reset")

    one = bench()
    passed, broken = between.pass_on, []

    async def breaking(request: httpx2.Request, transport: Any) -> httpx2.Response:
        answer = await passed(request, transport)
        if "/content" not in request.url.path or broken:
            return answer
        broken.append(await answer.aread())
        return httpx2.Response(200, stream=Breaking(broken[0]))

    monkeypatch.setattr(Between, "pass_on", lambda _, *call: breaking(*call))
    outcome = one.run(questions(4))
    assert broken
    assert (outcome.collected, outcome.notes) == (4, ())
    assert one.statuses() == {"ok": 4}


def test_server_gone_for_good(bench: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "benchwright.asking.batch_service.Limiter", lambda voter: Limiter(voter, first_patience=0.0)
    )
    one = bench()
    one.server.stop()
    with pytest.raises(ServerError, match="nobody answers at"):
        one.run(questions(1))


@pytest.mark.parametrize(
    ("status", "said", "wanted"),
    [
        (401, f"Incorrect API key provided: {SECRET}.", "put its key into BATCH_KEY"),
        (404, "Not Found", "ask without batches, or mend base_url"),  # a server without batches
        (413, "File is too large", "does not take the upload of a batch (HTTP 413: File is too"),
    ],
)
def test_not_taken(
    bench: Start,
    between: Between,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    status: int,
    said: str,
    wanted: str,
) -> None:
    monkeypatch.setenv("BATCH_KEY", SECRET)
    one = bench()
    one.voter = one.voter.model_copy(update={"api_key_env": "BATCH_KEY"})
    body = {"error": {"message": said}}
    between.trouble("POST /v1/files", "not_sent", httpx2.Response(status, json=body))
    with caplog.at_level(logging.DEBUG), pytest.raises(ServerError) as raised:
        one.run(questions(1))
    assert wanted in str(raised.value)
    left = [path.name for path in (one.folder / "batches").rglob("*") if path.is_file()]
    assert left == [".lock"]
    assert "\n" not in str(raised.value)
    assert SECRET not in str(raised.value)
    assert one.run(questions(1)).collected == 1  # mended, it goes on


def test_key_is_nowhere(
    bench: Start,
    between: Between,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("BATCH_KEY", SECRET)
    one = bench(keys=(SECRET,))
    one.voter = one.voter.model_copy(update={"api_key_env": "BATCH_KEY"})

    def repeating(body: bytes) -> bytes:
        changed = body.replace(b"to question", f"{SECRET} question".encode())
        return changed + json.dumps({"custom_id": SECRET}).encode() + b"\n{" + SECRET.encode()

    between.trouble(CONTENT, "answer_changed", repeating)
    with caplog.at_level(logging.DEBUG):
        outcome = one.run(questions(2))
    assert outcome.collected == 2
    assert SECRET not in caplog.text + str(outcome)
    written = [path.read_bytes() for path in one.folder.rglob("*") if path.is_file()]
    assert all(SECRET.encode() not in data for data in written)
    assert set(one.texts().values()) == {"[key] question 0?", "[key] question 1?"}


def test_errors_are_one_printable_line_without_half_a_key(
    bench: Start, between: Between, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BATCH_KEY", SECRET)
    one = bench(keys=(SECRET,))
    one.voter = one.voter.model_copy(update={"api_key_env": "BATCH_KEY"})
    for before in (0, 190, 284):
        page = f"<html>\n\x1b[2J{'x' * before}{SECRET}"
        for answer in (httpx2.Response(200, text=page), httpx2.Response(400, text=page)):
            between.trouble("POST /v1/files", "not_sent", answer)
            with pytest.raises(ServerError) as raised:
                one.run(questions(1))
            assert str(raised.value).isprintable()
            assert "sk-" not in str(raised.value)


ODD = [
    b"",
    b"null",
    b"[]",
    b"7",
    b'"x"',
    b"{}",
    b'{"id": 7}',
    b'{"id": "", "data": 3}',
    b"{",
    b"<p>",
]


@pytest.mark.parametrize("body", ODD)
@pytest.mark.parametrize("call", ["POST /v1/files", "POST /v1/batches"])
def test_no_id(bench: Start, between: Between, call: str, body: bytes) -> None:
    one = bench()
    between.trouble(call, "answer_lost", httpx2.Response(200, content=body))
    with pytest.raises(ServerError, match="answered no id of the"):
        one.run(questions(2))
    assert one.run(questions(2)).collected == 2
    assert max(one.server.counts.requests.values()) == 1


@pytest.mark.parametrize("body", [*ODD, b'{"status": {}}', b'{"status": "paused", "errors": 3}'])
def test_odd_look(bench: Start, between: Between, body: bytes) -> None:
    one = bench()
    between.trouble("GET /v1/batches/", "answer_lost", httpx2.Response(200, content=body))
    assert one.run(questions(2)).collected == 2  # it is looked at again


@pytest.mark.parametrize("body", ODD)
def test_odd_list_is_not_an_empty_one(bench: Start, between: Between, body: bytes) -> None:
    one = bench()
    between.trouble("POST /v1/batches", "answer_lost", httpx2.Response(500))
    between.trouble("GET /v1/batches", "answer_lost", httpx2.Response(200, content=body))
    with pytest.raises(ServerError, match="answered no list"):
        one.run(questions(2))
    assert one.run(questions(2)).collected == 2
    assert max(one.server.counts.requests.values()) == 1


def test_a_list_that_is_not_read_to_its_end_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []

    class Odd(dict[str, Any]):
        def get(self, *_: Any) -> Any:
            raise ZeroDivisionError

    async def pages(*_: Any, **__: Any) -> AsyncGenerator[Odd, None]:
        try:
            yield Odd()
        finally:
            closed.append("closed")

    async def main() -> None:
        voter = Voter(name="v", model="m", base_url="http://localhost:9/v1")
        batch = Batch(
            id=1, name="b", state="prepared", base_url=voter.base_url, requests=1, highest=0.0
        )
        async with BatchService(voter) as service:
            for look in (service.discard_files, service.find):
                try:
                    await look(batch)
                except ZeroDivisionError:
                    closed.append("raised")

    monkeypatch.setattr(BatchService, "_pages", pages)
    asyncio.run(main())
    assert closed == ["closed", "raised"] * 2  # no page is left open when the error arrives
