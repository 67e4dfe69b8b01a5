"""What came back from a model."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

# ok: an answer; refused: the model or a filter declined; truncated: cut off at the cap, the text
# may still say enough; rejected: the server will never take this request; failed: nothing came,
# worth asking again. All but failed are final: no rerun asks them again.
ReplyStatus = Literal["ok", "refused", "truncated", "rejected", "failed"]


_TOO_MANY = 10**12  # tokens of a call that no server can mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One token of an answer and its likeliest alternatives with their natural logarithms.

    ``alternatives`` holds the token itself where the server lists it; a value that is missing,
    NaN or infinite is left out.
    """

    text: str
    logprob: float | None
    alternatives: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of a call; ``cached`` are those of the prompt that the server had already read."""

    prompt: int = 0
    completion: int = 0
    cached: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One attempt at a request, as it is stored.

    ``text`` is the content, '' where there is none; reasoning that a server gives in a field of
    its own is not part of it. ``tokens`` is null where the server gave no logprobs. ``build`` is
    what the server says of itself (model, fingerprint). ``is_stored`` tells that no call was made.
    """

    key: str
    status: ReplyStatus
    text: str = ""
    refusal: str | None = None
    finish_reason: str | None = None
    tool_calls: tuple[Mapping[str, Any], ...] = ()
    tokens: tuple[Token, ...] | None = None
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    model: str | None = None
    build: str | None = None
    http_status: int | None = None
    error: str | None = None
    is_stored: bool = False


def reply_of(
    body: Any, *, key: str, seconds: float, server: str | None = None, http_status: int = 200
) -> Reply:
    """Return the reply that a body of chat.completions says; survives any JSON.

    A body that is none of the protocol gives ``failed`` with what came.
    """
    choice = _first_choice(body)
    if choice is None:
        what = f"the server answered {http_status} with no choices: {str(body)[:200]}"
        return Reply(key=key, status="failed", seconds=seconds, http_status=http_status, error=what)
    message = _mapping(choice.get("message"))
    text, refusal = _text(message.get("content")), _text(message.get("refusal")) or None
    reason = choice.get("finish_reason")
    fingerprint = body.get("system_fingerprint")
    return Reply(
        key=key,
        status=_status(reason, refusal),
        text=text,
        refusal=refusal,
        finish_reason=reason if isinstance(reason, str) else None,
        tool_calls=tuple(
            call for call in _list(message.get("tool_calls")) if isinstance(call, Mapping)
        ),
        tokens=_tokens(choice.get("logprobs")),
        usage=_usage(body.get("usage")),
        seconds=seconds,
        model=body.get("model") if isinstance(body.get("model"), str) else None,
        build=" ".join(str(part) for part in (fingerprint, server) if part) or None,
        http_status=http_status,
    )


def _first_choice(body: Any) -> Mapping[str, Any] | None:
    choices = _list(_mapping(body).get("choices"))
    return choices[0] if choices and isinstance(choices[0], Mapping) else None


def _status(reason: Any, refusal: str | None) -> ReplyStatus:
    if refusal is not None or reason == "content_filter":
        return "refused"
    return "truncated" if reason == "length" else "ok"


def _text(content: Any) -> str:
    """Return the text of a content, which some servers give as a list of parts."""
    if isinstance(content, str):
        return content
    parts = [_mapping(part).get("text") for part in _list(content)]
    return "".join(part for part in parts if isinstance(part, str))


def _tokens(logprobs: Any) -> tuple[Token, ...] | None:
    content = _list(_mapping(logprobs).get("content"))
    tokens = tuple(_token(entry) for entry in content if isinstance(entry, Mapping))
    return tokens or None


def _token(entry: Mapping[str, Any]) -> Token:
    found = []
    for other in _list(entry.get("top_logprobs")):
        named = _mapping(other)
        value = _finite(named.get("logprob"))
        if value is not None and isinstance(named.get("token"), str):
            found.append((named["token"], value))
    text = entry.get("token")
    return Token(
        text=text if isinstance(text, str) else "",
        logprob=_finite(entry.get("logprob")),
        alternatives=tuple(found),
    )


def _finite(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None


def _usage(usage: Any) -> Usage:
    said = _mapping(usage)
    details = _mapping(said.get("prompt_tokens_details"))
    return Usage(
        prompt=_count(said.get("prompt_tokens")),
        completion=_count(said.get("completion_tokens")),
        cached=_count(details.get("cached_tokens")),
    )


def _count(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        return 0
    return value if 0 < value < _TOO_MANY else 0


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else []
