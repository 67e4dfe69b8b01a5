"""Function calling on the scripted server: what a brain gets, what a server refuses."""

from collections.abc import Callable
from typing import Any

import openai
import pytest
from openai import OpenAI

from stand_ins.models import Model, Question, Script, ScriptedServer, Turn, tool_call

Connect = Callable[..., OpenAI]
TOOLS = [{"type": "function", "function": {"name": "zoom", "parameters": {"type": "object"}}}]
ASKED: Any = {"role": "user", "content": "Is it so?"}


def zooms_first(question: Question) -> Turn:
    """Call the tool where there is one and nothing came of it yet; then say what came."""
    came = [said["content"] for said in question.messages if said["role"] == "tool"]
    if question.parameters.get("tools") and not came:
        return Turn(
            text=None, finish_reason="tool_calls", tool_calls=(tool_call("zoom", {"x": 1}),)
        )
    return Turn(text=f"came: {came}")


def server(**model: Any) -> ScriptedServer:
    return ScriptedServer(Script(models=(Model(**model),)), brain=zooms_first)


def call(number: int = 1, **function: Any) -> dict[str, Any]:
    return {
        "id": f"call_{number}",
        "type": "function",
        "function": {"name": "zoom", "arguments": "{}", **function},
    }


def calling(*calls: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(calls)}


def came(number: int = 1, content: Any = "done") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": f"call_{number}", "content": content}


def test_a_tool_is_called_and_its_outcome_heard(connect: Connect) -> None:
    client = connect(server())
    messages: list[Any] = [ASKED]
    asked: Any = {"model": "scripted", "tools": TOOLS}
    first = client.chat.completions.create(messages=messages, **asked).choices[0]
    assert first.finish_reason == "tool_calls"
    assert first.message.tool_calls is not None
    made = first.message.tool_calls[0]
    assert made.type == "function"
    assert (made.function.name, made.function.arguments) == ("zoom", '{"x": 1}')
    messages += [first.message, {"role": "tool", "tool_call_id": made.id, "content": "a bow"}]
    then = client.chat.completions.create(messages=messages, **asked).choices[0]
    assert then.message.content == "came: ['a bow']"


def test_tools_may_be_ignored_or_refused(connect: Connect) -> None:
    asked: Any = {"model": "scripted", "messages": [ASKED], "tools": TOOLS}
    ignored = connect(server(tools="ignored")).chat.completions.create(**asked)
    assert ignored.choices[0].message.content == "came: []"
    with pytest.raises(openai.BadRequestError, match="does not support tools"):
        connect(server(tools="rejected")).chat.completions.create(**asked)


@pytest.mark.parametrize(
    "tools",
    [
        [],
        {},
        "zoom",
        [{"type": "function"}],
        [{"function": {"name": "zoom"}}],
        [{"type": "function", "function": {"name": "zoom in"}}],
        [{"type": "function", "function": {"name": "zoom", "parameters": []}}],
    ],
)
def test_tools_that_are_none_are_refused(connect: Connect, tools: Any) -> None:
    client = connect(server())
    with pytest.raises(openai.BadRequestError, match="tools wants functions"):
        client.chat.completions.create(model="scripted", messages=[ASKED], tools=tools)


@pytest.mark.parametrize(
    ("messages", "fault"),
    [
        ([ASKED, calling(call())], "is missing"),
        ([ASKED, calling(call(), call(2)), came(1)], "call_2.* is missing"),
        ([ASKED, calling(call()), ASKED, came()], "message 2 comes before"),
        ([ASKED, came()], "message 1 is what no tool call came to"),
        ([ASKED, calling(call()), came(2)], "no tool call came to"),
        ([ASKED, calling(call()), {"role": "tool", "content": "x"}], "no tool call came to"),
        ([ASKED, calling(call()), came(), came()], "message 3 is what no tool call came to"),
        ([ASKED, calling(call()), came(content=[{"type": "text", "text": "x"}])], "is no text"),
        ([ASKED, calling(call(), call()), came()], "a tool call of message 1 is none"),
        ([ASKED, calling("zoom"), came()], "a tool call of message 1 is none"),
        ([ASKED, calling(call(arguments="{")), came()], "is none"),  # vLLM reads it
        ([ASKED, calling(call(arguments="[]")), came()], "is none"),  # so does SGLang
        ([ASKED, calling(call(arguments={})), came()], "is none"),
        ([ASKED, calling(call(name="zoom in")), came()], "is none"),
        ([{**ASKED, "tool_calls": [call()]}, came()], "a tool call of message 0 is none"),
    ],
)
def test_conversations_that_are_broken_are_refused(
    connect: Connect, messages: Any, fault: str
) -> None:
    client = connect(server())
    with pytest.raises(openai.BadRequestError, match=fault):
        client.chat.completions.create(model="scripted", messages=messages)


def test_outcomes_may_come_in_any_order(connect: Connect) -> None:
    messages: Any = [ASKED, calling(call(), call(2)), came(2, "b"), came(1, "a"), ASKED]
    came_back = connect(server()).chat.completions.create(model="scripted", messages=messages)
    assert came_back.choices[0].message.content == "came: ['b', 'a']"
