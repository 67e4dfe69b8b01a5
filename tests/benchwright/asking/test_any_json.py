"""JSON that nobody promised anything about, and the key that must not be in it."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.asking.any_json import (
    cleaned,
    list_of,
    mapping_of,
    parsed,
    storable,
    text_of,
    without_secret,
)

SECRET = 'sk-ab/c"d\\e.1'


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1]}', {"a": [1]}),
        (b"[]", []),
        ("", None),
        ("<html>", None),
        ("[" * 100_000, None),  # deeper than the stack
        ("1" * 5_000, None),  # a number that Python does not read
        (b"\xff", None),
    ],
)
def test_parsed(text: str | bytes, value: Any) -> None:
    assert parsed(text) == value


def test_what_is_of_another_kind_is_empty() -> None:
    assert (mapping_of([1]), list_of({"a": 1}), text_of(7), text_of("")) == ({}, [], None, None)
    assert (mapping_of({"a": 1}), list_of([1]), text_of("x")) == ({"a": 1}, [1], "x")


def test_half_a_surrogate_pair() -> None:
    assert storable("τ\ud83d\U0001f600") == "τ?\U0001f600"


@pytest.mark.parametrize(
    "form",
    [
        SECRET,
        json.dumps(SECRET)[1:-1],
        json.dumps(json.dumps(SECRET)[1:-1])[1:-1],  # JSON within JSON
        json.dumps(SECRET)[1:-1].replace("/", "\\/"),
        "".join(f"\\u{ord(letter):04x}" for letter in SECRET),
        "".join(f"\\u{ord(letter):04X}" for letter in SECRET),
    ],
)
def test_key_in_each_spelling(form: str) -> None:
    assert without_secret(f"a {form} b", SECRET) == "a [key] b"
    assert cleaned({form: [form]}, SECRET) == {"[key]": ["[key]"]}


@pytest.mark.parametrize(
    "word",
    [
        "message",  # a name within every answer
        "No",  # an answer
        "ollama",  # what Ollama's documentation sets
        "placeholder",  # 11 characters, the longest that is no secret
    ],
)
def test_a_short_key_is_no_secret(word: str) -> None:
    said = {word: [f"{word}.", f"fp_{word}"]}
    assert cleaned(said, word) == said
    assert without_secret(f"{word}.", word) == f"{word}."


def test_the_shortest_secret() -> None:
    assert without_secret("it is sk-012345678", "sk-012345678") == "it is [key]"


@given(
    text=st.text(st.sampled_from('sk-ab/c"d\\e.1u0\n'), max_size=40),
    ascii_only=st.booleans(),
)
def test_text_without_the_key_stays_as_it_is(text: str, ascii_only: bool) -> None:
    written = json.dumps({"x": text}, ensure_ascii=ascii_only)
    if without_secret(text, SECRET) == text:
        assert cleaned(json.loads(written), SECRET) == {"x": text}
    assert without_secret(text, None) == text


def test_time_is_linear_in_backslashes() -> None:
    started = time.perf_counter()
    without_secret("\\" * 300_000, SECRET)
    assert time.perf_counter() - started < 5


def test_what_is_too_deep_is_left_out() -> None:
    deep: Any = "x"
    for _ in range(900):
        deep = [deep]
    assert len(repr(cleaned({"a": deep, "b": "y"}))) < 300
    assert cleaned({"b": ["y", {"c": 1}]}) == {"b": ["y", {"c": 1}]}
