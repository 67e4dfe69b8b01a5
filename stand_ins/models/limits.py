"""What a model's server refuses."""

from collections.abc import Mapping
from typing import Any

from stand_ins.models.request import ChatRequest
from stand_ins.models.responses import Refused
from stand_ins.models.script import Model
from stand_ins.models.tool_calls import check_tools

_KNOWN = frozenset(
    {
        "audio",
        "frequency_penalty",
        "function_call",
        "functions",
        "logit_bias",
        "logprobs",
        "max_completion_tokens",
        "max_tokens",
        "metadata",
        "modalities",
        "n",
        "parallel_tool_calls",
        "prediction",
        "presence_penalty",
        "prompt_cache_key",
        "reasoning_effort",
        "response_format",
        "safety_identifier",
        "seed",
        "service_tier",
        "stop",
        "store",
        "stream",
        "stream_options",
        "temperature",
        "tool_choice",
        "tools",
        "top_logprobs",
        "top_p",
        "user",
        "verbosity",
    }
)


def check(request: ChatRequest, model: Model, tokens: int) -> None:
    """Raise Refused for what the model does not take; ``tokens`` are those of the prompt."""
    _check_fields(request.parameters, model)
    _check_logprobs(request.parameters, model)
    _check_structure(request.parameters, model)
    check_tools(request.messages, request.parameters, model)
    _check_pictures(request, model)
    if model.context is not None and tokens > model.context:
        message = f"the context is {model.context} tokens long; the messages have {tokens}"
        raise Refused(400, message, code="context_length_exceeded", param="messages")


def structure_of(parameters: Mapping[str, Any]) -> tuple[str, Any] | None:
    """Return ``json_schema`` and its schema, or ``json_object`` and null, where one is asked for.

    Raises Refused (400) for a response_format that is none.
    """
    said = parameters.get("response_format")
    if said is None:
        return None
    kind = said.get("type") if isinstance(said, dict) else None
    if kind == "text":
        return None
    if kind == "json_object":
        return kind, None
    held = said.get("json_schema") if kind == "json_schema" else None
    if isinstance(held, dict) and isinstance(held.get("name"), str):
        return "json_schema", held.get("schema", {})
    raise Refused(400, "response_format is none that is known", param="response_format")


def _check_fields(parameters: Mapping[str, Any], model: Model) -> None:
    if parameters.get("stream"):
        raise Refused(400, "answers are not streamed here", param="stream")
    if parameters.get("n", 1) not in (1, None):
        raise Refused(400, "one choice is given at a time", param="n")
    unknown = sorted(set(parameters) - _KNOWN)
    if unknown and model.unknown_fields == "rejected":
        raise Refused(422, f"unknown fields: {', '.join(unknown)}", param=unknown[0])
    if model.cap == "completion" and parameters.get("max_tokens") is not None:
        message = "max_tokens is not taken by this model; use max_completion_tokens"
        raise Refused(400, message, code="unsupported_parameter", param="max_tokens")
    for name in ("max_tokens", "max_completion_tokens"):
        cap = parameters.get(name)
        if cap is not None and (isinstance(cap, bool) or not isinstance(cap, int) or cap < 1):
            raise Refused(400, f"{name} wants a whole number above 0", param=name)


def _check_logprobs(parameters: Mapping[str, Any], model: Model) -> None:
    asked, top = parameters.get("logprobs"), parameters.get("top_logprobs")
    if model.logprobs == "rejected" and (asked or top is not None):
        raise Refused(400, "this model gives no logprobs", param="logprobs")
    if top is None:
        return
    if isinstance(top, bool) or not isinstance(top, int) or not 0 <= top <= 20:
        raise Refused(400, "top_logprobs wants 0 to 20", param="top_logprobs")
    if asked is not True:
        raise Refused(400, "top_logprobs wants logprobs", param="top_logprobs")


def _check_structure(parameters: Mapping[str, Any], model: Model) -> None:
    wanted = structure_of(parameters)
    way = getattr(model, wanted[0]) if wanted else "enforced"
    if wanted and way == "rejected":
        message = f"response_format {wanted[0]} is not supported"
        raise Refused(400, message, code="unsupported_parameter", param="response_format")
    if wanted and way == "failing":
        raise Refused(500, "the server failed at the response format")


def _check_pictures(request: ChatRequest, model: Model) -> None:
    pictures = request.pictures
    if pictures and model.sees == "refuses":
        raise Refused(400, f"{model.name} is no multimodal model", param="messages")
    most = model.pictures_at_most
    if most is not None and len(pictures) > most:
        raise Refused(400, f"at most {most} image(s) may be given in one prompt", param="messages")
    longest = max((max(seen.width, seen.height) for seen in pictures), default=0)
    if model.longest_side is not None and longest > model.longest_side:
        message = f"a side of {longest} pixels is over the limit of {model.longest_side}"
        raise Refused(400, message, code="context_length_exceeded", param="messages")
