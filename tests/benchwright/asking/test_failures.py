"""What a failed call means, as the real ``openai`` client raises it."""

import asyncio
from typing import Any

import httpx2
import openai
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.asking.failures import Failure, failure_of, failure_of_status, wait_before


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


def said(http: int, body: Any) -> httpx2.Response:
    return httpx2.Response(http, json=body)


GEMINI_KEY = {"code": 400, "message": "API key not valid. Please pass a valid API key."}
SAFETY_PAGE = "<html><body>Blocked for your safety by the proxy</body></html>"
NO_PICTURES = "image input is not supported - hint: you may need to provide the mmproj"

CASES = [
    # final for the request: asking again changes nothing
    (status(400, "At most 1 image(s) may be provided in one request."), "rejected"),
    (status(400, "maximum context length is 4096 tokens"), "rejected"),
    (status(413, "Request Entity Too Large"), "rejected"),
    (status(422, "unexpected field"), "rejected"),
    # tools that the server, or no server behind it, takes
    (status(500, "tools param requires --jinja flag"), "rejected"),
    (status(500, "Unsupported param: tools"), "rejected"),
    (status(404, "No endpoints found that support tool use."), "rejected"),
    (status(400, "Unknown parameter: 'safety_identifier'"), "rejected"),
    (status(400, "cannot read: is that a safety pin, or a flagged one?"), "rejected"),  # an echo
    (status(400, "odd", code=[1], type={"a": 1}, details=[7], innererror="x"), "rejected"),
    (status(500, NO_PICTURES, code=500, type="server_error"), "rejected"),  # llama.cpp
    # a filter, not the form of the request
    (status(400, "The response was filtered", code="content_filter"), "refused"),
    (status(400, "rejected by our safety system", code="content_policy_violation"), "refused"),
    (status(403, "input flagged", code="moderation"), "refused"),
    (status(403, 'x requires moderation. Your input was flagged for "violence"'), "refused"),
    (status(400, "may be inappropriate", code="data_inspection_failed"), "refused"),  # DashScope
    (status(400, "unsafe", code="1301"), "refused"),  # Zhipu
    (
        said(403, {"code": "The caller may not", "error": "Content violates usage guidelines."}),
        "refused",
    ),  # xAI
    (status(400, "no", innererror={"code": "ResponsibleAIPolicyViolation"}), "refused"),  # Azure
    # no request of this voter will go well
    (status(401, "Incorrect API key provided"), "stop"),
    (status(402, "Insufficient Balance"), "stop"),
    (status(403, "Project not allowed"), "stop"),
    (status(404, "The model `x` does not exist."), "stop"),
    (status(405, "Method Not Allowed"), "stop"),
    (status(429, "You exceeded your current quota", code="insufficient_quota"), "stop"),
    (said(400, [{"error": GEMINI_KEY}]), "stop"),  # a list
    (status(400, "no", details=[{"reason": "API_KEY_INVALID"}]), "stop"),  # Gemini
    (said(400, {"code": "invalid", "error": "Incorrect API key provided: x"}), "stop"),  # xAI
    (status(400, "Access denied", code="Arrearage"), "stop"),  # DashScope
    (status(400, "Billing hard limit", code="billing_hard_limit_reached"), "stop"),
    (status(429, "suspended", type="exceeded_current_quota_error"), "stop"),  # Moonshot
    (status(429, "recharge", code="1113"), "stop"),  # Zhipu
    (status(429, "recharge", code=1113), "stop"),
    (httpx2.Response(403, text=SAFETY_PAGE), "stop"),
    # a pause for all
    (status(429, "Rate limit reached"), "throttled"),
    (status(429, "You exceeded your current quota", status="RESOURCE_EXHAUSTED"), "throttled"),
    *[
        (status(http, "overloaded", {"Retry-After": "3"}), "throttled")
        for http in (408, 500, 502, 503, 504, 529)
    ],
    (status(529, "overloaded"), "throttled"),
    # worth another try, of this request
    (status(408, "timeout"), "again"),
    (status(409, "conflict"), "again"),
    (status(500, "CUDA error"), "again"),
    (status(504, "gateway timeout"), "again"),
    (httpx2.ReadTimeout("slow"), "again"),
    # nobody there, or what stands before it says so
    (status(502, "bad gateway"), "down"),
    (status(503, "no healthy upstream"), "down"),
    (httpx2.ConnectError("refused"), "down"),
    (httpx2.ConnectTimeout("nobody there"), "down"),
    (httpx2.PoolTimeout("no connection was free"), "down"),
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
        (httpx2.Response(500, text=""), "HTTP 500: no message"),
        (status(400, "\x1b[31mred\x07\u202e"), "HTTP 400:  [31mred"),  # steers no terminal
    ],
)
def test_message_is_the_server_s(response: httpx2.Response, said: str) -> None:
    assert failed(response).message.startswith(said)


SECRET = "sk-abc/def.1234567890"


@pytest.mark.parametrize("before", range(0, 330, 3))
def test_key_at_any_place_is_gone_before_the_message_is_cut(before: int) -> None:
    """Of a key that is cut in half, half would stay."""
    for form in (SECRET, SECRET.replace("/", "\\/")):
        body = httpx2.Response(400, text="x" * before + form)
        failure = failure_of(raised(body), SECRET)
        assert failure is not None
        assert "sk-" not in failure.message


def test_key_within_json_is_gone() -> None:
    body = httpx2.Response(400, text='{"error": {"message": "no sk-abc\\/def.1234567890"}}')
    failure = failure_of(raised(body), SECRET)
    assert failure is not None
    assert failure.message == "HTTP 400: no [key]"


@pytest.mark.parametrize(
    ("answer", "is_of_key"),
    [
        (status(401), True),
        (status(403), True),
        (said(400, [{"error": GEMINI_KEY}]), True),
        (status(402), False),
        (status(403, "no", code="insufficient_user_quota"), False),  # the key is right
        (status(429, "no", code="insufficient_quota"), False),
    ],
)
def test_whose_key(answer: httpx2.Response, is_of_key: bool) -> None:
    assert failed(answer).is_of_key is is_of_key


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["error", "message", "code", "type", "details", "innererror"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(http=st.integers(400, 599), body=JSON)
def test_any_body_is_survived(http: int, body: Any) -> None:
    failure = failure_of_status(http, body)
    assert failure.message.isprintable()
    assert len(failure.message) <= 300


def test_waits_grow_to_a_bound() -> None:
    assert [wait_before(tries) for tries in (1, 2, 3, 50)] == [0.25, 1.0, 4.0, 60.0]


def test_message_is_bounded() -> None:
    assert len(failed(status(400, "x" * 10_000)).message) == 300


@pytest.mark.parametrize(
    ("answer", "is_counted", "may_be_billed"),
    [
        (status(400), False, False),  # final anyway
        (status(429), False, False),  # the request is as good as before
        (status(500), True, True),
        (status(500, "no", {"Retry-After": "1"}), True, True),  # it may fail each time
        (status(500, NO_PICTURES), False, False),
        (status(504), True, True),
        (status(502), False, False),  # nobody behind the proxy had it
        (status(503), False, False),
        (status(529), False, False),
        (httpx2.ConnectError("refused"), False, False),  # the server never had it
        (httpx2.ConnectTimeout("nobody there"), False, False),
        (httpx2.PoolTimeout("no connection was free"), False, False),
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
