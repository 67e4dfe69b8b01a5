"""A reply of whatever JSON a server sends."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.asking.answers import AnswerStore
from benchwright.asking.replies import Reply, Token, Usage, reply_of


def body(message: Any = None, **choice: Any) -> dict[str, Any]:
    said = {"role": "assistant", "content": "Yes"} if message is None else message
    return {"choices": [{"message": said, "finish_reason": "stop", **choice}]}


CASES = [
    (body(), "ok", "Yes"),
    (body(finish_reason="length"), "truncated", "Yes"),  # may still say enough
    (body({"content": None}, finish_reason="length"), "truncated", ""),  # never a no
    (body({"content": None, "refusal": "I will not."}), "refused", ""),
    (body({"content": "x"}, finish_reason="content_filter"), "refused", "x"),
    (body({"content": [{"type": "text", "text": "Y"}, {"text": "es"}]}), "ok", "Yes"),  # parts
    (body({"content": None, "reasoning_content": "yes"}), "ok", ""),  # no part of the answer
    (body({"content": 7}), "ok", ""),  # no text
    (body(finish_reason="end_turn"), "ok", "Yes"),  # xAI
    (body(finish_reason=None), "ok", "Yes"),
    (body(error={"message": "odd"}), "ok", "Yes"),  # it ended well all the same
    # what servers say for an answer that is none
    (body(finish_reason="error", error={"message": "upstream"}), "failed", "Yes"),  # OpenRouter
    (body(finish_reason=None, error={"message": "upstream"}), "failed", "Yes"),
    (body(finish_reason="error", error=7), "failed", "Yes"),
    (body(finish_reason="abort"), "failed", "Yes"),  # vLLM, SGLang
    (body(finish_reason="insufficient_system_resource"), "failed", "Yes"),  # DeepSeek
    (body(finish_reason="network_error"), "failed", "Yes"),  # Zhipu
    (body(finish_reason="sensitive"), "refused", "Yes"),  # Zhipu
    (body(finish_reason="content_filter: SAFETY"), "refused", "Yes"),  # Gemini
    (body(finish_reason="SAFETY"), "refused", "Yes"),
    (body(finish_reason="PROHIBITED_CONTENT"), "refused", "Yes"),
    (body(finish_reason="refusal"), "refused", "Yes"),
    (body(finish_reason="model_length"), "truncated", "Yes"),  # Mistral
    (body(finish_reason="max_tokens"), "truncated", "Yes"),
    (body(finish_reason="MAX_TOKENS"), "truncated", "Yes"),  # Gemini
    (body(finish_reason="model_context_window_exceeded"), "truncated", "Yes"),  # Zhipu
    (body([]), "ok", ""),  # no message
    ({"choices": []}, "failed", ""),
    ({"error": {"message": "busy"}}, "failed", ""),  # 200 with an error inside
    ("<html>", "failed", ""),  # a proxy's page
    (None, "failed", ""),
]


@pytest.mark.parametrize(("said", "status", "text"), CASES)
def test_status_and_text(said: Any, status: str, text: str) -> None:
    reply = reply_of(said, key="k", seconds=0.1)
    assert (reply.status, reply.text) == (status, text)


def test_failed_says_what_came() -> None:
    reply = reply_of({"error": {"message": "busy"}}, key="k", seconds=0.1)
    assert "busy" in (reply.error or "")


@pytest.mark.parametrize(
    ("said", "error"),
    [
        (
            body(finish_reason="error", error={"message": "up\nstream"}),
            "the answer ended with error: up stream",
        ),
        (body(finish_reason="abort"), "the answer ended with abort: no more is said"),
        (body(finish_reason="error", error=[7]), "the answer ended with error: [7]"),
        ("<html>\n<h1>\x1b[2J", "the server answered 200 with no choices: <html> <h1> [2J"),
    ],
)
def test_error_is_one_printable_line(said: Any, error: str) -> None:
    assert reply_of(said, key="k", seconds=0.1).error == error


SECRET = "ab/cd-ef-0123"


def test_key_is_in_no_field() -> None:
    said = {
        "model": SECRET,
        "system_fingerprint": SECRET,
        "choices": [
            {
                "finish_reason": SECRET,
                "message": {
                    "content": [{"text": "your key is ab/"}, {"text": "cd-ef-0123"}],
                    "refusal": SECRET,
                    "tool_calls": [{SECRET: {"x": [SECRET, r"ab\/cd-ef-0123"]}}],
                },
                "logprobs": {
                    "content": [
                        {"token": SECRET, "top_logprobs": [{"token": SECRET, "logprob": -1}]}
                    ]
                },
            }
        ],
    }
    reply = reply_of(said, key="k", seconds=0.1, server=SECRET, secret=SECRET)
    assert "cd-ef" not in repr(reply)
    assert reply.text == "your key is [key]"
    for odd in (SECRET, {"error": {"message": SECRET}}, "x" * 195 + SECRET):
        failed = reply_of(odd, key="k", seconds=0.1, secret=SECRET)
        assert "ab/" not in repr(failed)


@pytest.mark.parametrize("key", ["message", "content", "No", "ollama"])
def test_a_key_that_is_an_ordinary_word_changes_no_answer(key: str) -> None:
    said = body(message={"content": "No."}) | {"system_fingerprint": "fp_ollama"}
    reply = reply_of(said, key="k", seconds=0.1, secret=key)
    assert (reply.status, reply.text, reply.build) == ("ok", "No.", "fp_ollama")


def test_stored_reply_is_the_fresh_one(tmp_path: Path) -> None:
    """Or what follows from its text would be another request, and be bought twice."""
    half = "a\ud83d"
    message = {"content": half, "refusal": half, "tool_calls": [{half: [half, {"x": half}]}]}
    logprobs = {"content": [{"token": half, "top_logprobs": [{"token": half, "logprob": -1}]}]}
    said = body(message, finish_reason=half, logprobs=logprobs)
    said |= {"model": half, "system_fingerprint": half}
    fresh = reply_of(said, key="ab" * 32, seconds=0.1, server=half)
    with AnswerStore(tmp_path / "answers.sqlite") as store:
        store.add(fresh, "{}", "v")
        assert store.final(fresh.key) == replace(fresh, is_stored=True)
    assert fresh.text == "a?"


def test_numbers_of_hundreds_of_digits_are_none() -> None:
    entry = {
        "token": "Yes",
        "logprob": 10**400,
        "top_logprobs": [{"token": "Y", "logprob": -(10**400)}],
    }
    reply = reply_of(body(logprobs={"content": [entry]}), key="k", seconds=0.1)
    assert reply.tokens == (Token(text="Yes", logprob=None),)


def test_tokens_without_numbers_are_missing() -> None:
    entry = {
        "token": "Yes",
        "logprob": float("-inf"),
        "top_logprobs": [
            {"token": "Yes", "logprob": -0.1},
            {"token": "No", "logprob": float("nan")},  # not a number
            {"token": "no", "logprob": float("-inf")},
            {"token": None, "logprob": -1.0},  # no token
            "rubbish",
        ],
    }
    reply = reply_of(body(logprobs={"content": [entry]}), key="k", seconds=0.1)
    assert reply.tokens == (Token(text="Yes", logprob=None, alternatives=(("Yes", -0.1),)),)


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        (None, Usage()),
        ({"prompt_tokens": 5, "completion_tokens": 2}, Usage(prompt=5, completion=2)),
        (
            {"prompt_tokens": 5, "prompt_tokens_details": {"cached_tokens": 4}},
            Usage(prompt=5, cached=4),
        ),
        ({"prompt_tokens": "5", "completion_tokens": -1}, Usage()),  # no counts
        ({"prompt_tokens": True, "prompt_tokens_details": None}, Usage()),
    ],
)
def test_usage(usage: Any, counted: Usage) -> None:
    assert reply_of({**body(), "usage": usage}, key="k", seconds=0.1).usage == counted


@pytest.mark.parametrize(
    ("usage", "text", "tells"),
    [
        (Usage(prompt=5, completion=2), "Yes", True),
        (Usage(prompt=5), "", True),  # nothing was written
        (Usage(prompt=5), "Yes", False),
        (Usage(), "", False),
        (Usage(completion=2), "Yes", False),
    ],
)
def test_usage_that_is_told(usage: Usage, text: str, tells: bool) -> None:
    assert Reply(key="k", status="ok", text=text, usage=usage).tells_usage is tells


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "choices",
                    "message",
                    "content",
                    "logprobs",
                    "logprob",
                    "usage",
                    "top_logprobs",
                    "token",
                    "finish_reason",
                    "error",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=15,
)


@given(value=json_values)
def test_any_json_is_survived(value: Any) -> None:
    reply_of(value, key="k", seconds=0.1, secret=SECRET)
    reply_of({"choices": [value]}, key="k", seconds=0.1)
    reply_of(
        {"choices": [{"message": value, "logprobs": value}], "usage": value}, key="k", seconds=0
    )
