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
from benchwright.asking.voters import Price, Voter

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


SECRET = "ab/cd-0123456789"


@pytest.mark.parametrize(
    "line",
    [
        said(200, completion(message={"content": SECRET})),
        said(200, completion(message={"content": [{"text": "ab/cd-01"}, {"text": "23456789"}]})),
        said(200, SECRET),
        said(400, refusal("x" * 284 + SECRET)),  # cut in half it would stay
        said(400, refusal(r"ab\/cd-0123456789")),
        {"error": {"code": SECRET, "message": SECRET}},
    ],
)
def test_key_is_not_kept(line: dict[str, Any]) -> None:
    reply = reply_of_line(line, KEY, SECRET)
    assert "ab/cd" not in repr(reply)
    assert "ab\\" not in repr(reply)
    assert "6789" not in repr(reply)


def test_errors_are_one_printable_line() -> None:
    for line in ({"error": "two\nlines \x1b[2J"}, said(500, "two\nlines \x1b[2J")):
        assert (reply_of_line(line, KEY).error or "").endswith("two lines  [2J")


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


USAGE = {"usage": {"prompt_tokens": 10, "completion_tokens": 4}}


@pytest.mark.parametrize(
    ("line", "cost"),
    [
        (said(200, completion() | USAGE), 2.0),
        (said(200, completion()), 50.0),  # nobody counted: at most what the batch may cost
        (said(200, {}), 50.0),
        (said(400, refusal("no")), 0.0),  # not run, not billed
        ({"error": "batch_expired"}, 0.0),
    ],
)
def test_cost(store: AnswerStore, line: dict[str, Any], cost: float) -> None:
    voter = VOTER.model_copy(update={"price": Price(input=0, output=1_000_000, batch=0.5)})
    ledger = BatchLedger(store, "v", VOTER.base_url)
    batch = ledger.prepare({KEY: "what was asked"}, 50.0)
    answers = BatchAnswers(batch, ledger, store, voter)
    answers.read(json.dumps({"custom_id": KEY, **line}))
    assert answers.cost == pytest.approx(cost)
    ledger.close(batch, "collected", None)


def test_key_in_a_custom_id_is_not_noted(store: AnswerStore) -> None:
    ledger = BatchLedger(store, "v", VOTER.base_url)
    batch = ledger.prepare({KEY: "what was asked"}, 0.0)
    answers = BatchAnswers(batch, ledger, store, VOTER)
    answers.read(json.dumps({"custom_id": "x" * 70 + SECRET}), SECRET)
    assert "ab/cd" not in "".join(answers.notes())
    ledger.close(batch, "failed", None)


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
