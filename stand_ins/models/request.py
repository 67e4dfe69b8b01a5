"""Reading the body of a chat request: what is asked, and a hash of it."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from stand_ins.models.question import Seen
from stand_ins.models.responses import Refused

_ROLES = frozenset({"system", "developer", "user", "assistant", "tool"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """A chat request that holds what the protocol wants; ``digest`` is a hash of all of it.

    In the digest a picture stands for its pixels, not for its bytes.
    """

    model: str
    messages: tuple[Mapping[str, Any], ...]
    text: str
    pictures: tuple[Seen, ...]
    parameters: Mapping[str, Any]
    digest: str
    length: int  # of all texts, in characters


def parsed(body: bytes) -> dict[str, Any]:
    """Return a body that is a JSON object; raises Refused (400)."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Refused(400, f"the body is no JSON: {error}") from error
    if not isinstance(said, dict):
        raise Refused(400, "the body is no JSON object")
    return said


def digest_of(said: Any) -> str:
    """Return a short hash of any JSON."""
    text = json.dumps(said, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def chat_request(said: Mapping[str, Any], decode: Callable[[str], Seen]) -> ChatRequest:
    """Return the request of a body.

    Raises Refused (400) for messages that are none.
    """
    model, messages = said.get("model"), said.get("messages")
    if not isinstance(model, str):
        raise Refused(400, "model is missing", param="model")
    if not isinstance(messages, list) or not messages:
        raise Refused(400, "messages wants a list that is not empty", param="messages")
    pictures: list[Seen] = []
    plain, length, text = [], 0, ""
    for number, message in enumerate(messages):
        if not isinstance(message, dict) or message.get("role") not in _ROLES:
            raise Refused(400, f"message {number} has no role", param="messages")
        said_here, shown, content = _content(message.get("content"), number, decode)
        plain.append({**message, "content": content})
        pictures += shown
        length += len(said_here)
        if message["role"] == "user":
            text = said_here
    parameters = {key: value for key, value in said.items() if key not in ("model", "messages")}
    return ChatRequest(
        model=model,
        messages=tuple(messages),
        text=text,
        pictures=tuple(pictures),
        parameters=parameters,
        digest=digest_of([model, plain, parameters]),
        length=length,
    )


def _content(
    content: Any, number: int, decode: Callable[[str], Seen]
) -> tuple[str, list[Seen], Any]:
    """Return the texts joined, the pictures, and the content with pixels instead of bytes."""
    if content is None or isinstance(content, str):
        return content or "", [], content
    if not isinstance(content, list):
        raise Refused(400, f"the content of message {number} is no text", param="messages")
    texts: list[str] = []
    pictures: list[Seen] = []
    plain: list[Any] = []
    for part in content:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind == "text" and isinstance(part.get("text"), str):
            texts.append(part["text"])
            plain.append(part)
        elif kind == "image_url" and isinstance(url := _url(part), str):
            pictures.append(decode(url))
            plain.append({**part, "image_url": {**part["image_url"], "url": pictures[-1].pixels}})
        else:
            raise Refused(400, f"a part of message {number} is no text or picture: {kind!r:.40}")
    return "\n".join(texts), pictures, plain


def _url(part: Mapping[str, Any]) -> Any:
    held = part.get("image_url")
    return held.get("url") if isinstance(held, dict) else None
