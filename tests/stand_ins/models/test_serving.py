"""The server in a thread and as a process: it starts, dies, comes back and counts."""

import asyncio
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import openai
import pytest
from openai import AsyncOpenAI, OpenAI
from PIL import Image

from benchwright.errors import UsageError
from stand_ins.models import (
    CodedPictures,
    Fault,
    Model,
    Question,
    Script,
    ScriptedServer,
    Turn,
    Value,
    served,
)
from stand_ins.models.script import read_script

Connect = Callable[..., OpenAI]
Ask = Callable[..., Any]
SCRIPT = Script(
    seed=3,
    models=(Model(name="one"), Model(name="two", seconds=0.2)),
    keys=("key",),
    values=(Value(type="trim", value="lace", aliases=("蕾丝",)),),
    eyes=CodedPictures(fine=(("trim", "lace"),), fine_side=100),
    faults=(Fault(kind="slow", ordinals=(7,), models=("one",)),),
)


def echo(question: Question) -> Turn:
    """A brain for another process."""
    return Turn(text=f"{question.ordinal} {question.text}")


def test_models_health_and_counts(connect: Connect, ask: Ask) -> None:
    server = ScriptedServer(SCRIPT)
    client = connect(server)
    assert [model.id for model in client.models.list()] == ["one", "two"]
    for text in ("lace?", "lace?", "other?"):
        ask(client, text, model="one")
    before = time.monotonic()
    ask(client, "lace?", model="two")
    root = server.base_url.removesuffix("/v1")
    with urlopen(f"{root}/health") as response:
        assert response.status == 200
    with urlopen(f"{root}/scripted/counts") as response:
        counts = json.load(response)
    assert counts["paths"] == {
        "/v1/models": 1,
        "/v1/chat/completions": 4,
        "/health": 1,
        "/scripted/counts": 1,
    }
    assert counts["statuses"] == {"200": 6}
    assert sorted(counts["requests"].values()) == [1, 1, 2]
    assert counts["chats"] == 4
    assert {model: len(times) for model, times in counts["arrivals"].items()} == {
        "one": 3,
        "two": 1,
    }
    assert 0 <= counts["arrivals"]["two"][0] - before < 0.2
    assert counts["authorizations"] == {"Bearer key": 5}
    assert (counts["in_flight"], counts["most_in_flight"]) == (0, 1)


def test_a_request_is_counted_by_its_pixels(
    connect: Connect, ask: Ask, data_uri: Callable[..., str]
) -> None:
    server = ScriptedServer()
    client = connect(server)
    grey = Image.new("RGB", (40, 40), (128, 128, 128))
    ask(client, "x", data_uri(grey))
    ask(client, "x", data_uri(grey, "PNG"))  # the same pixels in other bytes
    assert list(server.counts.requests.values()) == [2]
    ask(client, "x", data_uri(Image.new("RGB", (40, 40), (129, 128, 128)), "PNG"))
    ask(client, "x", data_uri(grey.resize((20, 80)), "PNG"))
    ask(client, "x", data_uri(grey), temperature=0.5)
    ask(client, "x", data_uri(grey), data_uri(grey))
    assert list(server.counts.requests.values()) == [2, 1, 1, 1, 1]


@pytest.mark.parametrize(("key", "status"), [("key", 200), ("other", 401), ("", 401)])
def test_keys(connect: Connect, key: str, status: int) -> None:
    server = ScriptedServer(SCRIPT)
    client = connect(server, key or "x")
    headers = {} if key else {"Authorization": openai.omit}
    if status == 200:
        assert client.models.list(extra_headers=headers).data
    else:
        with pytest.raises(openai.AuthenticationError, match="key is wrong"):
            client.models.list(extra_headers=headers)
    assert dict(server.counts.authorizations) == ({f"Bearer {key}": 1} if key else {})


def test_a_server_dies_and_comes_back(connect: Connect, ask: Ask) -> None:
    server = ScriptedServer(Script(faults=(Fault(kind="slow", ordinals=(1,), seconds=30),)))
    client = connect(server)
    address = server.base_url
    ask(client, "x")
    failed: list[Exception] = []

    def hang() -> None:
        try:
            ask(client, "x")
        except openai.APIConnectionError as error:
            failed.append(error)

    waiting = threading.Thread(target=hang)
    waiting.start()
    until = time.monotonic() + 60
    while server.counts.chats < 2 and time.monotonic() < until:
        time.sleep(0.01)
    assert server.counts.chats == 2  # else the next request would be the slow one
    stopped = time.monotonic()
    server.stop()
    assert time.monotonic() - stopped < 3
    waiting.join(5)
    assert len(failed) == 1  # the call in flight is lost, at once
    with pytest.raises(openai.APIConnectionError):
        ask(client, "x")
    server.start()
    assert server.base_url == address
    ask(client, "x")
    assert server.counts.chats == 3
    assert server.counts.in_flight == 0
    assert server.counts.statuses == {200: 2, 0: 1}


def test_calls_in_flight_are_counted() -> None:
    async def together(url: str) -> None:
        async with AsyncOpenAI(base_url=url, api_key="k", max_retries=0) as client:
            message: Any = {"role": "user", "content": "x"}
            calls = (
                client.chat.completions.create(model="scripted", messages=[message])
                for _ in range(5)
            )
            await asyncio.gather(*calls)

    with ScriptedServer(Script(models=(Model(seconds=0.3),))) as server:
        asyncio.run(together(server.base_url))
    assert (server.counts.in_flight, server.counts.most_in_flight) == (0, 5)


def test_a_brain_of_the_test(connect: Connect, ask: Ask) -> None:
    client = connect(ScriptedServer(brain=echo))
    assert ask(client, "first").choices[0].message.content == "0 first"
    assert ask(client, "then").choices[0].message.content == "1 then"


def test_a_brain_that_fails_fails_the_test(ask: Ask) -> None:
    def broken(question: Question) -> Turn:
        raise ZeroDivisionError(question.text)

    with (
        pytest.raises(ZeroDivisionError, match="what it was asked"),
        ScriptedServer(brain=broken) as server,
        OpenAI(base_url=server.base_url, api_key="k", max_retries=0) as client,
        pytest.raises(openai.InternalServerError, match="the brain failed"),
    ):
        ask(client, "what it was asked")


def test_another_process(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "brain_of_a_test.py").write_text(
        "from stand_ins.models import Turn\n\n\ndef answer(question):\n"
        "    return Turn(text=f'{question.ordinal} {question.text}')\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with (
        served(Script(brain="brain_of_a_test:answer")) as server,
        OpenAI(base_url=server.base_url, api_key="k", max_retries=0) as client,
    ):
        assert ask(client, "a").choices[0].message.content == "0 a"
        assert server.counts()["chats"] == 1
        assert server.process.poll() is None
    assert server.process.poll() is not None


@pytest.mark.parametrize("name", ["script.json", "script.yaml"])
def test_a_script_is_data(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(SCRIPT.model_dump_json(), "utf-8")  # JSON is YAML too
    assert read_script(path) == SCRIPT


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("models: []", "models"),
        ("sede: 3", "unknown key"),
        ("models: [{name: a}, {name: a}]", "the same name"),
        ("faults: [{kind: quota, models: [b]}]", "not there"),
        ("models: [{errors: [{value: lace, on_yes: 0.5}]}]", "values that are not there"),
        ("eyes: {kind: coded, fine: [[trim, lace]]}", "fine names values"),
        ("eyes: {kind: known, references: {}}", "references"),
        ("faults: [{kind: explosion}]", "kind"),
    ],
)
def test_a_script_that_is_none(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "script.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=message):
        read_script(path)
