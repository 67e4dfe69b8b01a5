"""Reading an answer that was to be JSON of a given shape."""

from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, RootModel

from benchwright.asking.reading import read_structured
from benchwright.asking.replies import Reply, ReplyStatus


class Verdict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    answer: Literal["yes", "no"]
    confidence: Annotated[float, Field(ge=0, le=1)] = 0.5
    box: tuple[int, int] | None = None


class Names(RootModel[list[str]]):
    pass


def reply(text: str, status: ReplyStatus = "ok", **fields: Any) -> Reply:
    return Reply(key="k", status=status, text=text, **fields)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # as asked for
        ('{"answer": "yes"}', Verdict(answer="yes")),
        # fenced, with text around, as Python
        ('Here:\n```json\n{"answer": "no"}\n```\nBye', Verdict(answer="no")),
        ("{'answer': 'no', 'confidence': 1}", Verdict(answer="no", confidence=1.0)),
        # a strict model takes JSON's list for a tuple
        ('{"answer": "no", "box": [1, 2]}', Verdict(answer="no", box=(1, 2))),
        # a draft first, another draft in the reasoning
        ('{"answer": "no"}\nBetter:\n{"answer": "yes"}', Verdict(answer="yes")),
        ('<think>{"answer": "no"}</think>{"answer": "yes"}', Verdict(answer="yes")),
        # a value of another shape after it does not matter
        ('{"answer": "yes"}\n{"usage": 3}', Verdict(answer="yes")),
        # in a list of its own
        ('[{"answer": "yes"}]', Verdict(answer="yes")),
    ],
)
def test_values(text: str, expected: Verdict) -> None:
    assert read_structured(reply(text), Verdict).value == expected


@pytest.mark.parametrize("text", ["\ud83d", '{"answer": "\ud83d"}', '{"answer": "\\ud83d"}'])
@pytest.mark.parametrize("status", ["ok", "refused"])
def test_a_fault_can_be_sent_back(text: str, status: ReplyStatus) -> None:
    read = read_structured(reply(text, status, refusal=text), Verdict)
    assert read.fault is not None
    assert read.fault.encode("utf-8")  # half a surrogate pair would raise


def test_a_list_may_be_what_is_wanted() -> None:
    read = read_structured(reply('The names: ["a", "b"]'), Names)
    assert read.value == Names(["a", "b"])
    assert read.fault is None


@pytest.mark.parametrize(
    ("said", "status", "fault"),
    [
        # faults that a model can mend: where, what was wanted, what came
        (
            reply('{"answer": "maybe"}'),
            "unparsed",
            "at answer: Input should be 'yes' or 'no', got \"maybe\"",
        ),
        (reply('{"confidence": 0.1}'), "unparsed", "at answer: is missing"),
        (
            reply('{"answer": "no", "confidence": 7, "why": "\\n"}'),
            "unparsed",
            "at confidence: Input should be less than or equal to 1, got 7; "
            'at why: Extra inputs are not permitted, got "\\n"',
        ),
        # the fault is that of the last value
        (
            reply('{"answer": 1} {"answer": 2}'),
            "unparsed",
            "at answer: Input should be 'yes' or 'no', got 2",
        ),
        # no JSON, none that is whole, nothing
        (reply("Yes."), "unparsed", "the answer holds no complete JSON value"),
        (reply('{"answer": "no'), "unparsed", "the answer holds no complete JSON value"),
        (reply(""), "unparsed", "the answer is empty"),
        (reply("<think>hm"), "unparsed", "the answer is empty"),
        # not an object
        (reply("7"), "unparsed", "at the top: Input should be an object, got 7"),
        # cut off
        (
            reply('{"answer": "no', "truncated"),
            "truncated",
            "the answer was cut off before its JSON ended",
        ),
        # declined in prose, in the field, by a filter; blind
        (
            reply("I'm sorry, but I can't assist with that."),
            "refused",
            "declined: I'm sorry, but I can't assist with that.",
        ),
        (reply("", "refused", refusal="No.\nNever."), "refused", "refused: No. Never."),
        (
            reply("", "refused", finish_reason="content_filter"),
            "refused",
            "refused: content_filter",
        ),
        (reply("I cannot see the image"), "refused", "declined: I cannot see the image"),
        # the server
        (
            reply("", "rejected", error="too many pictures"),
            "refused",
            "rejected: too many pictures",
        ),
        (reply('{"answer": "no"}', "failed"), "failed", "failed: no answer came"),
    ],
)
def test_faults(said: Reply, status: str, fault: str) -> None:
    read = read_structured(said, Verdict)
    assert (read.status, read.value, read.fault) == (status, None, fault)


def test_an_answer_that_was_cut_after_its_json_is_one() -> None:
    read = read_structured(reply('{"answer": "no"} Because', "truncated"), Verdict)
    assert (read.status, read.value) == ("ok", Verdict(answer="no"))


def test_faults_are_short() -> None:
    many = "{" + ", ".join(f'"k{number}": "{"x" * 999}"' for number in range(50)) + "}"
    fault = read_structured(reply(many), Verdict).fault
    assert fault is not None
    assert len(fault) < 500
    assert fault.endswith("; and 48 more")


trees = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(st.characters(exclude_categories=())),
    ),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
)


@given(st.one_of(st.text(st.characters(exclude_categories=())), trees.map(str)))
def test_any_text_is_survived(text: str) -> None:
    read = read_structured(reply(text), Verdict)
    assert (read.value is None) == (read.status != "ok")
    assert (read.fault is None) == (read.status == "ok")
    assert read.fault is None or "\n" not in read.fault
