"""Finding JSON in an answer."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.asking.reading import json_in
from benchwright.asking.reading.json_text import json_values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # plain, fenced, fenced without a language, fenced and never closed
        ('{"a": 1}', {"a": 1}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('```\n[{"a": 1}]\n```', [{"a": 1}]),
        ('```json\n{"a": 1}', {"a": 1}),
        # text around
        ('Sure! {"a": 1} Anything else?', {"a": 1}),
        # braces and brackets of prose go before it
        ('As {name} in [1] said: {"a": [2]}', {"a": [2]}),
        ('I saw it at [12, 30, 50, 60].\n{"a": 1}', {"a": 1}),
        # an apostrophe in braces of prose does not swallow the rest
        ('{it\'s fine} {"a": 1}', {"a": 1}),
        # a brace and a quote within a string
        ('{"a": "} \\" {"}', {"a": '} " {'}),
        # as Python spells it
        ("{'a': True, 'b': None, 'c': False}", {"a": True, "b": None, "c": False}),
        ("{'a': 'it\\'s \"red\"'}", {"a": 'it\'s "red"'}),
        # trailing commas, comments, no quotes
        ('{"a": [1, 2,],}', {"a": [1, 2]}),
        ('{"a": 1, // one\n"b": 2}', {"a": 1, "b": 2}),
        ("{a: yes, b: v-neck}", {"a": "yes", "b": "v-neck"}),
        # typographic quotes, full-width signs
        ("{“a”：“是”，“b”：1}", {"a": "是", "b": 1}),
        # a line break and a lone backslash within a string
        ('{"a": "x\ny"}', {"a": "x\ny"}),
        ('{"a": "\\d"}', {"a": "\\d"}),
        # the first of several
        ('{"a": 1}\n{"a": 2}', {"a": 1}),
        # reasoning is not looked at, closed or not
        ('<think>{"a": 1}</think>{"a": 2}', {"a": 2}),
        ('<think>{"a": 1}', None),
        # a list of plain values where there is no object; a plain value as the whole text
        ("The values are [1, 2].", [1, 2]),
        ("true", True),
        ('"yes"', "yes"),
        # empty ones are values
        ("{}", {}),
        ("[]", []),
        # no JSON, or not a whole one
        ("yes", None),
        ("", None),
        ("null", None),
        ('{"a": "b', None),
        ("{]", None),
        ('{"a" 1}', None),
        # numbers that are hostile
        ("{'a': " + "9" * 5000 + "}", None),
        ("[NaN]", ["NaN"]),
    ],
)
def test_json_in(text: str, expected: Any) -> None:
    assert json_in(text) == expected


def test_where_values_stand() -> None:
    text = 'a {"b": {"c": 1}} d [2]'
    found = [(one.value, text[one.start : one.end]) for one in json_values(text)]
    assert found == [({"b": {"c": 1}}, '{"b": {"c": 1}}'), ([2], "[2]")]


scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(),
)
trees = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), trees), st.booleans())
def test_what_json_writes_is_read_back(value: dict[str, Any], is_ascii: bool) -> None:
    text = json.dumps(value, ensure_ascii=is_ascii)
    assert [one.value for one in json_values(f"So: {text} Done.")] == [value]


@given(st.text(st.sampled_from("{}[]:,'\"\\ ax1“”\n/")))
def test_any_text_is_survived(text: str) -> None:
    for one in json_values(text):
        assert text[one.start] in "{["
        assert text[one.end - 1] in "}]"


def test_depth_is_bounded() -> None:
    assert json_in("[" * 40 + "]" * 40) is not None
    assert next(json_values("[" * 60 + "]" * 60)).start == 20
    assert list(json_values('{"a":' * 100_000)) == []


@pytest.mark.parametrize("unit", ["{", "[", '{"a":', "[1,", "[1] "])
def test_a_megabyte_is_searched_in_linear_time(unit: str) -> None:
    started = time.process_time()
    json_in(unit * (1_000_000 // len(unit)))
    assert time.process_time() - started < 12  # under two seconds here
