"""A Python function behind an OpenAI-compatible address."""

import json
import socket
import threading
import urllib.error
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from benchwright.asking.answers import AnswerStore
from benchwright.asking.client import Client
from benchwright.asking.function_server import Asked, FunctionServer
from benchwright.asking.questions import ask_yes_no, yes_no_request
from benchwright.asking.running import run
from benchwright.asking.views import Encoder, part_of
from benchwright.asking.voters import Voter


def posted(server: FunctionServer, body: bytes, path: str = "/chat/completions") -> Any:
    request = urllib.request.Request(server.base_url + path, data=body, method="POST")
    with urllib.request.urlopen(request, timeout=10) as reply:
        return json.load(reply)


def test_the_client_asks_it_like_any_model(tmp_path: Path) -> None:
    heard: list[Asked] = []

    def answer(asked: Asked) -> str:
        heard.append(asked)
        red, _, blue = asked.pictures[0].convert("RGB").getpixel((5, 5))  # type: ignore[misc]
        return "Yes." if red > blue else "No."

    path = tmp_path / "red.png"
    Image.new("RGB", (40, 30), (250, 10, 10)).save(path)

    async def asking(server: FunctionServer) -> Any:
        voter = Voter(name="own", model="ours", base_url=server.base_url)
        with AnswerStore(tmp_path / "answers.sqlite") as store:
            async with Client(voter, store, Encoder()) as client:
                return await ask_yes_no(client, yes_no_request(part_of(path), "Is it red?"))

    with FunctionServer(answer) as server:
        answered = run(asking(server))
    assert answered.reading.answer == "yes"
    (asked,) = heard
    assert asked.model == "ours"
    assert asked.text.startswith("Is it red?")
    assert [one.size for one in asked.pictures] == [(40, 30)]
    assert asked.earlier == ()


def test_a_conversation_comes_whole() -> None:
    messages = [
        {"role": "system", "content": "Be short."},
        {"role": "user", "content": [{"type": "text", "text": "One?"}]},
        {"role": "assistant", "content": None},  # said nothing
        {"role": "user", "content": "Two?"},
    ]
    with FunctionServer(lambda asked: "|".join((*asked.earlier, asked.text))) as server:
        said = posted(server, json.dumps({"model": "m", "messages": messages}).encode())
    assert said["choices"][0]["message"]["content"] == "Be short.|One?||Two?"


def broken(_: Asked) -> str:
    raise LookupError("no such scene")


@pytest.mark.parametrize(
    ("body", "path", "code", "told"),
    [
        # the function fails
        (b'{"messages": []}', "/chat/completions", 500, "LookupError: no such scene"),
        # no JSON comes
        (b"{", "/chat/completions", 500, "JSONDecodeError"),
        # a picture that would have to be fetched
        (
            b'{"messages": [{"content": [{"image_url": {"url": "http://x/a.png"}}]}]}',
            "/chat/completions",
            500,
            "wanted a picture as a data URI",
        ),
        (b"{}", "/embeddings", 404, "only chat completions"),
    ],
)
def test_what_goes_wrong_is_said(body: bytes, path: str, code: int, told: str) -> None:
    with FunctionServer(broken) as server:
        with pytest.raises(urllib.error.HTTPError) as raised:
            posted(server, body, path)
        with raised.value as reply:
            assert reply.code == code
            assert told in json.load(reply)["error"]["message"]


def test_many_callers_at_once_wait_and_none_is_turned_away(
    capsys: pytest.CaptureFixture[str],
) -> None:
    server = FunctionServer(lambda asked: "yes")
    address = ("127.0.0.1", int(server.base_url.split(":")[2].split("/")[0]))
    with ExitStack() as stack:
        # as many as three voters of 32 requests each, before one of them is let in
        callers = [
            stack.enter_context(socket.create_connection(address, timeout=2)) for _ in range(96)
        ]
        with server:
            for caller in callers:
                caller.sendall(b"POST /v1/embeddings HTTP/1.1\r\nContent-Length: 0\r\n\r\n")
            assert {caller.recv(12) for caller in callers} == {b"HTTP/1.1 404"}
            for caller in callers:
                caller.close()  # with the rest unread, which resets it
    assert capsys.readouterr() == ("", "")


def test_one_that_was_never_started_stops_at_once_and_frees_its_port() -> None:
    server = FunctionServer(lambda _: "yes")
    port = int(server.base_url.split(":")[2].split("/")[0])
    stopping = threading.Thread(target=server.stop, daemon=True)
    stopping.start()
    stopping.join(timeout=10)
    assert not stopping.is_alive()
    FunctionServer(lambda _: "yes", port=port).stop()


def test_a_port_that_is_taken() -> None:
    with FunctionServer(broken) as server:
        port = int(server.base_url.split(":")[2].split("/")[0])
        with pytest.raises(OSError, match="in use"):
            FunctionServer(broken, port=port)
