"""Lines of answers: what each says, and that no line stops a collection."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchwright.asking.answers import AnswerStore
from benchwright.asking.batch_answers import BatchAnswers, reply_of_line
from benchwright.asking.batch_ledger import BatchLedger
from benchwright.asking.voters import Voter

KEY = "ab" * 32
VOTER = Voter(name="v", model="m", base_url="http://localhost/v1")


def said(status: Any, body: Any = None, error: Any = None) -> dict[str, Any]:
    return {"response": {"status_code": status, "body": body}, "error": error}


def completion(**more: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"content": "Yes."}, "finish_reason": "stop", **more}]}


def refusal(message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, **more}}


@pytest.mark.parametrize(
    ("line", "status", "text"),
    [
        (said(200, completion()), "ok", "Yes."),
        (said(200, completion(finish_reason="length")), "truncated", "Yes."),
        (said(200, completion(finish_reason="content_filter")), "refused", "Yes."),
        (said(200, {}), "failed", "the server answered 200 with no choices: {}"),
        (said(200), "failed", "the server answered 200 with no choices: None"),
        # the error file of OpenAI: a status and a body with an error
        (said(400, refusal("At most 1 image")), "rejected", "HTTP 400: At most 1 image"),
        (said(422, {"detail": "no such field"}), "rejected", "HTTP 422: no such field"),
        (said(400, refusal("no", code="content_filter")), "refused", "HTTP 400: no"),
        (said(429, refusal("slow down")), "failed", "HTTP 429: slow down"),
        (said(500, refusal("oops")), "failed", "HTTP 500: oops"),
        (said(503, "<html>"), "failed", "HTTP 503: <html>"),
        (said(404, refusal("no model m")), "failed", "HTTP 404: no model m"),
        # no status: the batch ended before the request was run
        (
            {"response": None, "error": {"code": "batch_expired", "message": "too\nlate"}},
            "failed",
            "batch_expired: too late",
        ),
        ({"error": "too late"}, "failed", "too late"),
        ({}, "failed", "the server gave no answer and no reason"),
        # a status that is none
        (said("200", completion()), "failed", "the server gave no answer and no reason"),
        (said(True, completion()), "failed", "the server gave no answer and no reason"),
        (said(10**30, completion()), "failed", "the server gave no answer and no reason"),
        ({"response": [200], "error": [1]}, "failed", "[1]"),
    ],
)
def test_line(line: dict[str, Any], status: str, text: str) -> None:
    reply = reply_of_line(line, KEY)
    assert (reply.status, reply.text or reply.error) == (status, text)
    assert reply.key == KEY


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AnswerStore]:
    path: Path = tmp_path_factory.mktemp("store") / "answers.sqlite"
    with AnswerStore(path) as store:
        yield store


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "choices",
                    "message",
                    "content",
                    "usage",
                    "prompt_tokens",
                    "error",
                    "code",
                    "model",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(response=JSON | st.fixed_dictionaries({"status_code": JSON, "body": JSON}), error=JSON)
def test_any_json_is_one_reply(store: AnswerStore, response: Any, error: Any) -> None:
    ledger = BatchLedger(store, "v", VOTER.base_url)
    batch = ledger.prepare({KEY: "what was asked"}, 0.0)
    answers = BatchAnswers(batch, ledger, store, VOTER)
    line = json.dumps({"custom_id": KEY, "response": response, "error": error})
    answers.read(line)
    answers.read(line)
    assert answers.statuses.total() == 1
    assert ledger.waiting(batch) == 0
    ledger.close(batch, "collected", None)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(
    line=st.text() | JSON.map(json.dumps) | JSON.map(lambda said: json.dumps({"custom_id": said}))
)
def test_any_line_is_survived(store: AnswerStore, line: str) -> None:
    ledger = BatchLedger(store, "v", VOTER.base_url)
    batch = ledger.prepare({KEY: "what was asked"}, 0.0)
    answers = BatchAnswers(batch, ledger, store, VOTER)
    answers.read(line)
    notes = [*answers.notes()]
    assert len(notes) == bool(line.strip())
    assert all(len(note) < 400 and len(note.splitlines()) == 1 for note in notes)
    assert ledger.waiting(batch) == 1
    ledger.close(batch, "failed", None)


@pytest.mark.parametrize(
    "body",
    [
        completion() | {"model": "\ud800", "system_fingerprint": "\ud800"},  # half a pair
        completion() | {"usage": {"prompt_tokens": 10**30}},  # more than SQLite holds
        completion(finish_reason="\ud800"),
        completion(
            message={"content": "\ud800", "refusal": "\ud800", "tool_calls": [{"a": "\ud800"}]}
        ),
    ],
)
def test_what_sqlite_cannot_hold(store: AnswerStore, body: dict[str, Any]) -> None:
    ledger = BatchLedger(store, "v", VOTER.base_url)
    batch = ledger.prepare({KEY: "\ud800"}, 0.0)
    answers = BatchAnswers(batch, ledger, store, VOTER)
    answers.read(json.dumps({"custom_id": KEY, **said(200, body)}))
    assert answers.statuses.total() == 1
    ledger.close(batch, "collected", None)
