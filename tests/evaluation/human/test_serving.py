"""The server of a desk: the real openai client on one side, a page on the other."""

import json
import socket
import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import httpx
import openai
import pytest

from benchwright.errors import UsageError
from evaluation.human.desk import messages_of
from evaluation.human.serving import Office, open_office

PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQAB"
    "h6FO1AAAAABJRU5ErkJggg=="
)


def asked(office: Office, *texts: str) -> tuple[threading.Thread, list[Any]]:
    """Ask as a run does, in a thread; the list gets the completion."""
    got: list[Any] = []

    def ask() -> None:
        with openai.OpenAI(base_url=office.base_url, api_key="none", max_retries=0) as client:
            messages: Any = [{"role": "user", "content": text} for text in texts]
            got.append(client.chat.completions.create(model="human:ana", messages=messages))

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    return thread, got


def until(found: Callable[[], Any]) -> Any:
    """Return what is found within ten seconds."""
    for _ in range(200):
        if value := found():
            return value
        time.sleep(0.05)
    raise AssertionError("nothing came")


def current(office: Office) -> Any:
    return httpx.get(f"{office.page}current").json()


def test_what_is_asked_waits_for_its_answer(office: Office) -> None:
    thread, got = asked(office, "Is the dog asleep?")
    sheet = until(lambda: current(office)["sheet"])
    assert sheet["messages"] == [{"role": "user", "parts": [{"text": "Is the dog asleep?"}]}]
    assert got == []
    sent = httpx.post(
        f"{office.page}answer", json={"number": sheet["number"], "text": "There is no dog."}
    )
    assert sent.status_code == HTTPStatus.OK
    thread.join(10)
    assert got[0].choices[0].message.content == "There is no dog."
    assert got[0].model == "human:ana"
    assert current(office)["sheet"] is None
    assert current(office)["answered"] == 1


def test_a_conversation_goes_on_before_another_one(office: Office) -> None:
    first, _ = asked(office, "one")
    number = until(lambda: current(office)["sheet"])["number"]
    other, _ = asked(office, "two")
    until(lambda: len(office.desk._waiting) == 2)
    office.desk.answer(number, "a")
    first.join(10)
    again, got = asked(office, "one", "more of one")
    until(lambda: len(office.desk._waiting) == 2)
    sheet = current(office)["sheet"]
    assert [message["parts"][0]["text"] for message in sheet["messages"]] == ["one", "more of one"]
    office.desk.answer(sheet["number"], "b")
    again.join(10)
    assert got[0].choices[0].message.content == "b"
    office.desk.answer(until(lambda: current(office)["sheet"])["number"], "c")
    other.join(10)


def test_who_hangs_up_is_forgotten(office: Office) -> None:
    port = int(office.page.rstrip("/").rpartition(":")[2])
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "x"}]}).encode()
    with socket.create_connection(("127.0.0.1", port)) as connection:
        head = (
            f"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        connection.sendall(head.encode() + body)
        until(lambda: current(office)["sheet"])
    until(lambda: current(office)["sheet"] is None)


def test_an_answer_counts_once(office: Office) -> None:
    thread, _ = asked(office, "x")
    number = until(lambda: current(office)["sheet"])["number"]
    codes = [
        httpx.post(f"{office.page}answer", json={"number": number, "text": text}).status_code
        for text in ("yes", "no")
    ]
    thread.join(10)
    assert codes == [HTTPStatus.OK, HTTPStatus.CONFLICT]
    assert current(office)["answered"] == 1


def test_only_pictures_within_the_request_are_shown(office: Office) -> None:
    content = [
        {"type": "text", "text": "<b>look</b>"},
        {"type": "image_url", "image_url": {"url": PIXEL}},
        {"type": "image_url", "image_url": {"url": "https://example.org/spy.png"}},
    ]
    body = {"model": "m", "messages": [{"role": "user", "content": content}]}
    office.desk.put(messages_of(body))
    sheet = current(office)["sheet"]
    assert sheet["messages"][0]["parts"] == [{"text": "<b>look</b>"}, {"picture": PIXEL}]


REFUSED = [
    # a form of another page, which a browser sends without asking
    ({"content": b"number=1&text=x", "headers": {"Content-Type": "text/plain"}}, 400),
    ({"json": {"number": "1", "text": "x"}}, 400),  # no number
    ({"json": {"number": 1, "text": "x" * 20_001}}, 400),  # longer than the field takes
    ({"json": {"number": 1, "text": "x"}}, 409),  # nothing waits
    ({"json": ["x"]}, 400),  # no object
    ({"content": b"{", "headers": {"Content-Type": "application/json"}}, 400),  # no JSON
    # nested deeper than it can be read
    (
        {"content": b"[" * 200_000, "headers": {"Content-Type": "application/json"}},
        400,
    ),
    # reached by another name, which somebody lets lead here
    ({"json": {"number": 1, "text": "x"}, "headers": {"Host": "evil.example:80"}}, 403),
]


@pytest.mark.parametrize(("request_", "status"), REFUSED)
def test_what_is_no_answer(office: Office, request_: dict[str, Any], status: int) -> None:
    assert httpx.post(f"{office.page}answer", **request_).status_code == status


def test_what_is_no_request(office: Office) -> None:
    for body in ({}, {"messages": "x"}):
        assert httpx.post(f"{office.base_url}/chat/completions", json=body).status_code == 400
    assert httpx.get(f"{office.page}../etc/passwd").status_code == 404


@pytest.mark.parametrize(
    "content", [7, None, ["x"], [{"type": "text"}], [{"type": "image_url", "image_url": "x"}]]
)
def test_parts_that_are_none_are_left_out(content: Any) -> None:
    (message,) = messages_of({"messages": [{"role": "user", "content": content}, "x"]})
    assert message.parts == ()


def test_a_length_that_is_none(office: Office) -> None:
    port = int(office.page.rstrip("/").rpartition(":")[2])
    for length in ("-1", "9" * 5000, "²"):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            head = (
                f"POST /answer HTTP/1.1\r\nHost: localhost:{port}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
            )
            connection.sendall(head.encode())
            assert connection.recv(100).startswith(b"HTTP/1.0 400")


def test_nobody_else_may_frame_the_page_or_load_into_it(office: Office) -> None:
    policy = httpx.get(office.page).headers["Content-Security-Policy"]
    wanted = {
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    }
    assert wanted <= set(policy.split("; "))


def test_a_port_that_is_taken(office: Office) -> None:
    port = int(office.page.rstrip("/").rpartition(":")[2])
    wanted = pytest.raises(UsageError, match=f"--port {port}: cannot listen there")
    with wanted, open_office(port, "", "again"):
        pass
