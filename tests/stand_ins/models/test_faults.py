"""Every fault, met by the real client."""

import email.utils
import json
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import httpx
import openai
import pytest
from openai import OpenAI

from stand_ins.models import Fault, Model, Question, Script, ScriptedServer, Turn

Connect = Callable[..., OpenAI]
Ask = Callable[..., Any]


def brain(question: Question) -> Turn:
    return Turn(text="Yes, so it is.", answer="yes", p_yes=0.9)


def once(kind: str, **more: Any) -> ScriptedServer:
    """Return a server with a fault at the first request only."""
    return ScriptedServer(Script(faults=(Fault(kind=kind, ordinals=(0,), **more),)), brain=brain)


def text_of(completion: Any) -> Any:
    return completion.choices[0].message.content


@pytest.mark.parametrize(
    ("kind", "more", "error", "code", "header"),
    [
        ("rate_limit", {}, openai.RateLimitError, None, None),
        ("rate_limit", {"retry_after": 2}, openai.RateLimitError, None, "2"),
        ("rate_limit", {"retry_after": 0.5}, openai.RateLimitError, None, "0.5"),
        ("quota", {}, openai.RateLimitError, "insufficient_quota", None),
        ("server_error", {}, openai.InternalServerError, None, None),
        ("unavailable", {}, openai.InternalServerError, None, None),
        ("unavailable", {"retry_after": 90}, openai.InternalServerError, None, "90"),
    ],
)
def test_errors(
    connect: Connect,
    ask: Ask,
    kind: str,
    more: dict[str, Any],
    error: type[openai.APIStatusError],
    code: str | None,
    header: str | None,
) -> None:
    client = connect(once(kind, **more))
    with pytest.raises(error) as caught:
        ask(client, "x")
    status = {"server_error": 500, "unavailable": 503}.get(kind, 429)
    assert caught.value.status_code == status
    assert caught.value.code == code
    assert caught.value.response.headers.get("retry-after") == header
    assert text_of(ask(client, "x")) == "Yes, so it is."


def test_retry_after_as_a_date(connect: Connect, ask: Ask) -> None:
    client = connect(once("rate_limit", retry_after=60, retry_after_as="date"))
    with pytest.raises(openai.RateLimitError) as caught:
        ask(client, "x")
    until = email.utils.parsedate_to_datetime(caught.value.response.headers["retry-after"])
    assert 55 < until.timestamp() - time.time() <= 61


def test_a_reset_before_the_answer(connect: Connect, ask: Ask) -> None:
    server = once("reset")
    client = connect(server)
    with pytest.raises(openai.APIConnectionError) as caught:
        ask(client, "x")
    assert "reset by peer" in str(caught.value.__cause__)
    assert text_of(ask(client, "x")) == "Yes, so it is."
    assert server.counts.statuses == {0: 1, 200: 1}


def test_a_reset_in_the_middle(connect: Connect) -> None:
    server = once("reset_in_body")
    connect(server)
    body = {"model": "scripted", "messages": [{"role": "user", "content": "x"}]}
    got: list[bytes] = []
    with httpx.stream("POST", f"{server.base_url}/chat/completions", json=body) as response:
        assert response.status_code == 200
        with pytest.raises(httpx.ReadError):
            got.extend(response.iter_bytes())
    assert b"".join(got).startswith(b'{"id"')
    assert len(b"".join(got)) < int(response.headers["content-length"])


def test_slow(connect: Connect, ask: Ask) -> None:
    client = connect(once("slow", seconds=0.3))
    with pytest.raises(openai.APITimeoutError):
        ask(client, "x", timeout=0.1)
    start = time.monotonic()
    assert text_of(ask(client, "x")) == "Yes, so it is."
    assert time.monotonic() - start < 0.3


def test_slow_and_then_another_fault(connect: Connect, ask: Ask) -> None:
    faults = (Fault(kind="slow", rate=1, seconds=0.2), Fault(kind="server_error", rate=1))
    client = connect(ScriptedServer(Script(faults=faults)))
    start = time.monotonic()
    with pytest.raises(openai.InternalServerError):
        ask(client, "x")
    assert time.monotonic() - start >= 0.2


@pytest.mark.parametrize(
    ("kind", "content", "reason", "refuses"),
    [
        ("truncated", "Yes, so", "length", False),
        ("truncated_null", None, "length", False),
        ("refusal", None, "stop", True),
        ("content_filter", None, "content_filter", False),
    ],
)
def test_answers_that_are_none(
    connect: Connect, ask: Ask, kind: str, content: str | None, reason: str, refuses: bool
) -> None:
    client = connect(once(kind))
    choice = ask(client, "x", logprobs=True, top_logprobs=2).choices[0]
    assert (choice.message.content, choice.finish_reason) == (content, reason)
    assert (choice.message.refusal is not None) == refuses
    assert choice.logprobs is None
    assert text_of(ask(client, "x")) == "Yes, so it is."


def test_a_body_that_is_no_json(connect: Connect, ask: Ask) -> None:
    client = connect(once("broken_json"))
    with pytest.raises(json.JSONDecodeError):
        ask(client, "x")
    assert text_of(ask(client, "x")) == "Yes, so it is."


def test_json_without_choices(connect: Connect, ask: Ask) -> None:
    client = connect(once("no_choices"))
    assert ask(client, "x").choices is None
    assert text_of(ask(client, "x")) == "Yes, so it is."


def test_a_wrong_structure(connect: Connect, ask: Ask) -> None:
    client = connect(once("wrong_structure"))
    wanted = {"type": "json_object"}
    assert json.loads(text_of(ask(client, "x", response_format=wanted))) == {
        "verdict": ["unasked", 3]
    }
    assert json.loads(text_of(ask(client, "x", response_format=wanted))) == {"answer": "yes"}


def statuses(server: ScriptedServer, client: OpenAI, ask: Ask, texts: list[str]) -> list[int]:
    found = []
    for text in texts:
        try:
            ask(client, text)
            found.append(200)
        except openai.APIStatusError as error:
            found.append(error.status_code)
    return found


def test_a_rate_is_drawn_by_what_is_asked_not_by_when(connect: Connect, ask: Ask) -> None:
    script = Script(faults=(Fault(kind="server_error", rate=0.4),))
    texts = [f"{number}" for number in range(60)]
    found = []
    for order in (texts, texts[::-1]):
        server = ScriptedServer(script)
        client = connect(server)
        first = dict(zip(order, statuses(server, client, ask, order), strict=True))
        again = dict(zip(order, statuses(server, client, ask, order), strict=True))
        found.append((first, again))
    assert found[0] == found[1]
    first, again = found[0]
    assert 10 <= Counter(first.values())[500] <= 38  # five standard deviations about 24
    assert first != again  # a retry is drawn anew


def test_ordinals_count_the_requests_of_the_models_that_are_named(
    connect: Connect, ask: Ask
) -> None:
    faults = (
        Fault(kind="server_error", ordinals=(1,), models=("two",)),
        Fault(kind="quota", ordinals=(4,)),
    )
    models = (Model(name="one"), Model(name="two"))
    client = connect(ScriptedServer(Script(models=models, faults=faults)))
    found = []
    for model in ("one", "one", "two", "two", "two"):
        try:
            ask(client, "x", model=model)
            found.append(200)
        except openai.APIStatusError as error:
            found.append(error.status_code)
    assert found == [200, 200, 200, 500, 429]
