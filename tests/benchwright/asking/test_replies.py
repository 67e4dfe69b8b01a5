"""A reply of whatever JSON a server sends."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.asking.replies import Token, Usage, reply_of


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


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["choices", "message", "content", "logprobs", "usage", "top_logprobs", "token"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=15,
)


@given(value=json_values)
def test_any_json_is_survived(value: Any) -> None:
    reply_of(value, key="k", seconds=0.1)
    reply_of({"choices": [value]}, key="k", seconds=0.1)
    reply_of(
        {"choices": [{"message": value, "logprobs": value}], "usage": value}, key="k", seconds=0
    )
