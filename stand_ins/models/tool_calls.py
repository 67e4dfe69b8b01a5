"""Function calling: what of it a server refuses, and a call as a model makes it."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from stand_ins.models.responses import Refused
from stand_ins.models.script import Model

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def tool_call(name: str, arguments: Any, *, number: int = 1) -> Mapping[str, Any]:
    """Return a call of a tool; ``arguments`` that are a text are sent as they are."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    function = {"name": name, "arguments": text}
    return {"id": f"call_{number}", "type": "function", "function": function}


def check_tools(
    messages: Sequence[Mapping[str, Any]], parameters: Mapping[str, Any], model: Model
) -> None:
    """Raise Refused for tools, calls and their outcomes that servers do not take.

    Each call of an assistant message wants a name, arguments that are a JSON object, and its
    outcome, a text, in the tool messages that follow at once.
    """
    tools = parameters.get("tools")
    if tools is not None:
        if model.tools == "rejected":
            raise Refused(400, f"{model.name} does not support tools", param="tools")
        if not isinstance(tools, list) or not tools or not all(map(_is_tool, tools)):
            raise Refused(400, "tools wants functions with a name and a schema", param="tools")
    open_calls: set[str] = set()
    for number, message in enumerate(messages):
        if message["role"] == "tool":
            _close(message, number, open_calls)
            continue
        if open_calls:
            raise _broken(f"message {number} comes before what {sorted(open_calls)} came to")
        for call in message.get("tool_calls") or ():
            if message["role"] != "assistant" or not _is_call(call) or call["id"] in open_calls:
                raise _broken(f"a tool call of message {number} is none")
            open_calls.add(call["id"])
    if open_calls:
        raise _broken(f"what {sorted(open_calls)} came to is missing")


def _close(message: Mapping[str, Any], number: int, open_calls: set[str]) -> None:
    if str(message.get("tool_call_id")) not in open_calls:
        raise _broken(f"message {number} is what no tool call came to")
    if not isinstance(message.get("content"), str):
        raise _broken(f"message {number} of a tool is no text")
    open_calls.remove(str(message["tool_call_id"]))


def _broken(what: str) -> Refused:
    return Refused(400, what, param="messages")


def _is_tool(said: Any) -> bool:
    function = said.get("function") if isinstance(said, dict) else None
    if not isinstance(function, dict) or said.get("type") != "function":
        return False
    return _is_name(function.get("name")) and isinstance(function.get("parameters", {}), dict)


def _is_call(said: Any) -> bool:
    function = said.get("function") if isinstance(said, dict) else None
    if not isinstance(function, dict) or said.get("type") != "function":
        return False
    return (
        isinstance(said.get("id"), str)
        and _is_name(function.get("name"))
        and _is_object(function.get("arguments"))
    )


def _is_name(said: Any) -> bool:
    return isinstance(said, str) and _NAME.fullmatch(said) is not None


def _is_object(said: Any) -> bool:
    try:
        return isinstance(json.loads(said), dict)
    except (TypeError, ValueError, RecursionError):
        return False
