"""What a failed call means, as the real ``openai`` client raises it."""

import asyncio
from typing import Any

import httpx2
import openai
import pytest

from benchwright.asking.failures import Failure, failure_of


def raised(answer: httpx2.Response | Exception) -> Exception:
    """Return what the client raises where the server does this."""

    async def serve(request: httpx2.Request) -> httpx2.Response:
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def call() -> None:
        transport = httpx2.MockTransport(serve)
        async with openai.AsyncOpenAI(
            api_key="k",
            base_url="http://h/v1",
            max_retries=0,
            http_client=httpx2.AsyncClient(transport=transport),
        ) as client:
            await client.post("/chat/completions", cast_to=httpx2.Response, content=b"{}")

    try:
        asyncio.run(call())
    except openai.OpenAIError as error:
        return error
    raise AssertionError("nothing was raised")


def failed(answer: httpx2.Response | Exception) -> Failure:
    failure = failure_of(raised(answer))
    assert failure is not None
    return failure


def status(http: int, message: Any = "no", headers: Any = None, **more: Any) -> httpx2.Response:
    error = {"error": {"message": message, **more}}
    return httpx2.Response(http, json=error, headers=headers)


CASES = [
    # final for the request: asking again changes nothing
    (status(400, "At most 1 image(s) may be provided in one request."), "rejected"),
    (status(400, "maximum context length is 4096 tokens"), "rejected"),
    (status(413, "Request Entity Too Large"), "rejected"),
    (status(422, "unexpected field"), "rejected"),
    # a filter, not the form of the request
    (status(400, "The response was filtered", code="content_filter"), "refused"),
    (status(400, "rejected by our safety system", code="content_policy_violation"), "refused"),
    (status(403, "input flagged", code="moderation"), "refused"),
    # no request of this voter will go well
    (status(401, "Incorrect API key provided"), "stop"),
    (status(402, "Insufficient Balance"), "stop"),
    (status(403, "Project not allowed"), "stop"),
    (status(404, "The model `x` does not exist."), "stop"),
    (status(405, "Method Not Allowed"), "stop"),
    (status(429, "You exceeded your current quota", code="insufficient_quota"), "stop"),
    # a pause for all
    (status(429, "Rate limit reached"), "throttled"),
    (status(503, "overloaded", {"Retry-After": "3"}), "throttled"),
    # worth another try, of this request
    (status(408, "timeout"), "again"),
    (status(409, "conflict"), "again"),
    (status(500, "CUDA error"), "again"),
    (status(504, "gateway timeout"), "again"),
    (status(529, "overloaded"), "again"),
    (httpx2.ReadTimeout("slow"), "again"),
    # nobody there, or what stands before it says so
    (status(502, "bad gateway"), "down"),
    (status(503, "no healthy upstream"), "down"),
    (httpx2.ConnectError("refused"), "down"),
    (httpx2.ReadError("reset"), "down"),
    (httpx2.RemoteProtocolError("closed without a complete message"), "down"),
]


@pytest.mark.parametrize(("answer", "kind"), CASES)
def test_kind(answer: httpx2.Response | Exception, kind: str) -> None:
    assert failed(answer).kind == kind


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "7200"}, 7200.0),  # as long as the server says
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "x", "Retry-After": "2"}, 2.0),
        ({"Retry-After": "Mon, 01 Jan 1990 00:00:00 GMT"}, 0.0),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert failed(status(429, "wait", headers)).retry_after == seconds


@pytest.mark.parametrize(
    ("response", "said"),
    [
        (status(400, "At most 1 image"), "HTTP 400: At most 1 image"),
        (status(400, "two\n lines"), "HTTP 400: two lines"),
        (httpx2.Response(400, json={"message": "bare"}), "HTTP 400: bare"),
        (httpx2.Response(400, json={"detail": "fastapi"}), "HTTP 400: fastapi"),
        (httpx2.Response(400, json={"error": "flat"}), "HTTP 400: flat"),
        (httpx2.Response(400, json=[1]), "HTTP 400: [1]"),  # no object at all
        (
            httpx2.Response(502, text="<html>Bad Gateway</html>"),
            "HTTP 502: <html>Bad Gateway</html>",
        ),
        (httpx2.Response(500, text=""), "HTTP 500: "),
    ],
)
def test_message_is_the_server_s(response: httpx2.Response, said: str) -> None:
    assert failed(response).message.startswith(said)


def test_message_is_bounded() -> None:
    assert len(failed(status(400, "x" * 10_000)).message) == 300


@pytest.mark.parametrize(
    ("answer", "is_counted", "may_be_billed"),
    [
        (status(400), False, False),  # final anyway
        (status(429), False, False),  # the request is as good as before
        (status(500), True, True),
        (status(502), False, True),
        (httpx2.ConnectError("refused"), False, False),  # the server never had it
        (httpx2.ReadError("reset"), True, True),  # it may be what killed the server
        (httpx2.ReadTimeout("slow"), True, True),
    ],
)
def test_whose_fault(answer: Any, is_counted: bool, may_be_billed: bool) -> None:
    failure = failed(answer)
    assert (failure.is_counted, failure.may_be_billed) == (is_counted, may_be_billed)


@pytest.mark.parametrize("error", [ZeroDivisionError(), KeyError("x"), OSError("disk")])
def test_a_bug_is_no_failure(error: Exception) -> None:
    assert failure_of(error) is None


def test_own_deadline() -> None:
    failure = failure_of(TimeoutError())
    assert failure is not None
    assert (failure.kind, failure.message) == ("again", "no answer in time")
