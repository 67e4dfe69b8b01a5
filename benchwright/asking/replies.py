"""What came back from a model."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from benchwright.asking.any_json import cleaned, list_of, mapping_of, text_of, without_secret
from benchwright.plain_text import plain

# ok: an answer; refused: the model or a filter declined; truncated: cut off at the cap, the text
# may still say enough; rejected: the server will never take this request; failed: nothing came,
# worth asking again. All but failed are final: no rerun asks them again.
ReplyStatus = Literal["ok", "refused", "truncated", "rejected", "failed"]

_TOO_MANY = 10**12  # tokens of a call that no server can mean
_SHOWN = 200  # characters of what came instead of an answer
# what a finish reason tells apart from an answer, in small letters; of "content_filter: SAFETY"
# the first word counts
_REASONS: Mapping[str, ReplyStatus] = {
    "length": "truncated",
    "max_tokens": "truncated",  # Gemini
    "model_length": "truncated",  # Mistral: the context is full
    "model_context_window_exceeded": "truncated",  # Zhipu
    "content_filter": "refused",
    "refusal": "refused",
    "sensitive": "refused",  # Zhipu
    "safety": "refused",  # Gemini, as all that follow
    "prohibited_content": "refused",
    "blocklist": "refused",
    "recitation": "refused",
    "spii": "refused",
    "image_safety": "refused",
    "image_prohibited_content": "refused",
    "image_recitation": "refused",
    "error": "failed",  # OpenRouter: the server behind it failed
    "abort": "failed",  # vLLM, SGLang
    "insufficient_system_resource": "failed",  # DeepSeek
    "network_error": "failed",  # Zhipu
}


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

    @property
    def tells_usage(self) -> bool:
        """Whether the server counted the tokens: no call is without any of its prompt."""
        return self.usage.prompt > 0 and (self.usage.completion > 0 or not self.text)


def reply_of(
    body: Any,
    *,
    key: str,
    seconds: float,
    server: str | None = None,
    http_status: int = 200,
    secret: str | None = None,
) -> Reply:
    """Return the reply that a body of chat.completions says; survives any JSON.

    A body that is none of the protocol gives ``failed`` with what came. Nothing of it holds
    ``secret`` where that is one (see ``without_secret``), and a store gives it back as it is.
    """
    body = cleaned(body, secret)
    choice = _first_choice(body)
    if choice is None:
        said = plain(str(body))[:_SHOWN]
        what = f"the server answered {http_status} with no choices: {said}"
        return Reply(key=key, status="failed", seconds=seconds, http_status=http_status, error=what)
    message = mapping_of(choice.get("message"))
    text = without_secret(_text(message.get("content")), secret)
    refusal = _text(message.get("refusal")) or None
    reason = choice.get("finish_reason")
    status = _status(choice, refusal)
    told = (body.get("system_fingerprint"), cleaned(server, secret))
    return Reply(
        key=key,
        status=status,
        text=text,
        refusal=refusal,
        finish_reason=reason if isinstance(reason, str) else None,
        tool_calls=tuple(
            call for call in list_of(message.get("tool_calls")) if isinstance(call, Mapping)
        ),
        tokens=_tokens(choice.get("logprobs")),
        usage=_usage(body.get("usage")),
        seconds=seconds,
        model=body.get("model") if isinstance(body.get("model"), str) else None,
        build=" ".join(str(part) for part in told if part) or None,
        http_status=http_status,
        error=_error(choice) if status == "failed" else None,
    )


def _first_choice(body: Any) -> Mapping[str, Any] | None:
    choices = list_of(mapping_of(body).get("choices"))
    return choices[0] if choices and isinstance(choices[0], Mapping) else None


def _status(choice: Mapping[str, Any], refusal: str | None) -> ReplyStatus:
    if refusal is not None:
        return "refused"
    reason = choice.get("finish_reason")
    if isinstance(reason, str):
        return _REASONS.get(reason.partition(":")[0].strip().lower(), "ok")
    return "failed" if mapping_of(choice.get("error")) else "ok"


def _error(choice: Mapping[str, Any]) -> str:
    """Return why a choice failed, which some servers say beside what was written before."""
    error = choice.get("error")
    said = text_of(mapping_of(error).get("message")) or (error and str(error)) or "no more is said"
    return plain(f"the answer ended with {choice.get('finish_reason')}: {said}")[:_SHOWN]


def _text(content: Any) -> str:
    """Return the text of a content, which some servers give as a list of parts."""
    if isinstance(content, str):
        return content
    parts = [mapping_of(part).get("text") for part in list_of(content)]
    return "".join(part for part in parts if isinstance(part, str))


def _tokens(logprobs: Any) -> tuple[Token, ...] | None:
    content = list_of(mapping_of(logprobs).get("content"))
    tokens = tuple(_token(entry) for entry in content if isinstance(entry, Mapping))
    return tokens or None


def _token(entry: Mapping[str, Any]) -> Token:
    found = []
    for other in list_of(entry.get("top_logprobs")):
        named = mapping_of(other)
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
    try:
        number = float(value)
    except OverflowError:  # an integer of hundreds of digits
        return None
    return number if math.isfinite(number) else None


def _usage(usage: Any) -> Usage:
    said = mapping_of(usage)
    details = mapping_of(said.get("prompt_tokens_details"))
    return Usage(
        prompt=_count(said.get("prompt_tokens")),
        completion=_count(said.get("completion_tokens")),
        cached=_count(details.get("cached_tokens")),
    )


def _count(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        return 0
    return value if 0 < value < _TOO_MANY else 0
