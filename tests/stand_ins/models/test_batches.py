"""Files and batches, by the real client."""

import json
from collections.abc import Callable
from typing import Any

import openai
import pytest
from openai import OpenAI

from stand_ins.models import BatchRules, Fault, Model, Question, Script, ScriptedServer, Turn

Connect = Callable[..., OpenAI]
IDS = [f"q{number}" for number in range(20)]


def brain(question: Question) -> Turn:
    return Turn(text=f"about {question.text}")


def line(custom_id: str, **changed: Any) -> dict[str, Any]:
    message = {"role": "user", "content": f"{custom_id} \r\n é"}
    body = {"model": "scripted", "messages": [message]}
    said = {"custom_id": custom_id, "method": "POST", "url": "/v1/chat/completions", "body": body}
    return said | changed


def jsonl(*lines: Any) -> bytes:
    return "".join(json.dumps(said, ensure_ascii=False) + "\n" for said in lines).encode()


def start(client: OpenAI, data: bytes) -> Any:
    file = client.files.create(file=("in.jsonl", data), purpose="batch")
    return client.batches.create(
        input_file_id=file.id,
        endpoint="/v1/chat/completions",
        completion_window="24h",
        metadata={"run": "1"},
    )


def content(client: OpenAI, file_id: str | None) -> dict[str, Any]:
    """Return the lines of a file by custom id, in its order."""
    if file_id is None:
        return {}
    lines = client.files.content(file_id).text.splitlines()
    return {said["custom_id"]: said for said in map(json.loads, lines)}


def server(faults: tuple[Fault, ...] = (), **rules: Any) -> ScriptedServer:
    script = Script(batches=BatchRules(**rules), faults=faults, models=(Model(),))
    return ScriptedServer(script, brain=brain)


def test_a_batch_is_answered_in_another_order(connect: Connect) -> None:
    scripted = server(polls=3)
    client = connect(scripted)
    batch = start(client, jsonl(*map(line, IDS)))
    assert batch.status == "validating"
    seen = [client.batches.retrieve(batch.id).status for _ in range(3)]
    assert seen == ["in_progress", "in_progress", "completed"]
    assert scripted.counts.chats == 20
    done = client.batches.retrieve(batch.id)
    assert done.request_counts is not None
    assert (done.request_counts.total, done.request_counts.completed) == (20, 20)
    assert done.metadata == {"run": "1"}
    assert done.error_file_id is None
    found = content(client, done.output_file_id)
    assert sorted(found) == sorted(IDS)
    assert list(found) != IDS
    for custom_id, said in found.items():
        assert said["response"]["status_code"] == 200
        message = said["response"]["body"]["choices"][0]["message"]
        assert message["content"] == f"about {custom_id} \r\n é"
    assert scripted.counts.chats == 20  # looking again asks nothing


def test_lines_that_fail_are_in_the_other_file(connect: Connect) -> None:
    faults = (Fault(kind="server_error", ordinals=(2,)), Fault(kind="reset", ordinals=(3,)))
    client = connect(server(faults))
    wrong = line("wrong", body={"model": "none", "messages": [{"role": "user", "content": "x"}]})
    batch = start(client, jsonl(line("a"), wrong, line("b"), line("c"), line("d")))
    done = client.batches.retrieve(batch.id)
    assert done.status == "completed"
    assert done.request_counts is not None
    assert (done.request_counts.completed, done.request_counts.failed) == (2, 3)
    assert set(content(client, done.output_file_id)) == {"a", "b"}
    failed = content(client, done.error_file_id)
    statuses = {name: said["response"]["status_code"] for name, said in failed.items()}
    assert statuses == {"wrong": 404, "c": 500, "d": 500}
    assert failed["wrong"]["response"]["body"]["error"]["code"] == "model_not_found"


@pytest.mark.parametrize(
    ("end", "code"), [("expired", "batch_expired"), ("cancelled", "batch_cancelled")]
)
def test_half_a_batch(connect: Connect, end: str, code: str) -> None:
    scripted = server(outcome="expired" if end == "expired" else "completed", polls=2)
    client = connect(scripted)
    batch = start(client, jsonl(*map(line, IDS)))
    assert client.batches.retrieve(batch.id).status == "in_progress"
    if end == "cancelled":
        assert client.batches.cancel(batch.id).status == "cancelling"
    done = client.batches.retrieve(batch.id)
    assert done.status == end
    answered, missing = (
        content(client, name) for name in (done.output_file_id, done.error_file_id)
    )
    assert (len(answered), len(missing), scripted.counts.chats) == (10, 10, 10)
    assert {*answered, *missing} == set(IDS)
    assert {said["error"]["code"] for said in missing.values()} == {code}
    with pytest.raises(openai.BadRequestError, match="cannot be cancelled"):
        client.batches.cancel(batch.id)


@pytest.mark.parametrize(
    ("lines", "rules", "code", "number"),
    [
        ([line("a"), line("a")], {}, "duplicate_custom_id", 2),
        ([line("a"), line("")], {}, "invalid_line", 2),
        ([line("a", url="/v1/embeddings")], {}, "invalid_line", 1),
        ([line("a", method="GET")], {}, "invalid_line", 1),
        ([line("a", body=[])], {}, "invalid_line", 1),
        ([3], {}, "invalid_line", 1),
        ([], {}, "invalid_file", None),
        ([line("a"), line("b")], {"max_lines": 1}, "invalid_file", None),
        ([line("a")], {"outcome": "failed"}, "invalid_request", None),
    ],
)
def test_a_batch_that_fails_its_validation(
    connect: Connect, lines: list[Any], rules: dict[str, Any], code: str, number: int | None
) -> None:
    scripted = server(**rules)
    client = connect(scripted)
    done = client.batches.retrieve(start(client, jsonl(*lines)).id)
    assert done.status == "failed"
    assert done.errors is not None
    assert done.errors.data is not None
    assert [(error.code, error.line) for error in done.errors.data] == [(code, number)]
    assert (done.output_file_id, done.error_file_id, scripted.counts.chats) == (None, None, 0)


def test_a_file_that_is_too_large(connect: Connect) -> None:
    client = connect(server(max_bytes=100))
    with pytest.raises(openai.APIStatusError, match="at most 100") as caught:
        client.files.create(file=("in.jsonl", b"x" * 101), purpose="batch")
    assert caught.value.status_code == 413
    assert client.files.create(file=("in.jsonl", b"x" * 100), purpose="batch").bytes == 100


def test_files(connect: Connect) -> None:
    client = connect(server())
    data = b'\r\n--x\r\n{"a": "\xc3\xa9"}\n\n\r'
    made = client.files.create(file=("é.jsonl", data), purpose="batch")
    assert client.files.retrieve(made.id).filename == "é.jsonl"
    assert client.files.content(made.id).content == data
    assert [file.id for file in client.files.list()] == [made.id]
    assert client.files.delete(made.id).deleted
    with pytest.raises(openai.NotFoundError):
        client.files.content(made.id)


def test_batches_are_listed_by_pages(connect: Connect) -> None:
    client = connect(server())
    made = [start(client, jsonl(line("a"))).id for _ in range(5)]
    assert [batch.id for batch in client.batches.list(limit=2)] == made[::-1]


def test_what_no_batch_is_made_of(connect: Connect) -> None:
    client = connect(server())
    with pytest.raises(openai.NotFoundError):
        client.batches.create(
            input_file_id="none", endpoint="/v1/chat/completions", completion_window="24h"
        )
    file = client.files.create(file=("a", b"x"), purpose="vision")
    with pytest.raises(openai.BadRequestError, match="not for batch"):
        client.batches.create(
            input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h"
        )
    with pytest.raises(openai.BadRequestError, match="only batches of"):
        client.batches.create(
            input_file_id=file.id, endpoint="/v1/embeddings", completion_window="24h"
        )
    with pytest.raises(openai.NotFoundError):
        client.batches.retrieve("none")
