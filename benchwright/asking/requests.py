"""What is asked of a model, and the key under which its answer is kept.

The key is made of everything that changes the answer: the pictures by the hash of their bytes,
what of them is shown and how it is encoded, the messages, the model and its revision, the
parameters, the number of the sample. It does not hold where the server stands, where a file lies,
nor anything about pace: a run that moves to another port finds its answers again. The order of the
fields of a body changes nothing and is not in it; that within a field is: a model fills a schema
in the order of its properties, and one that reasons first answers otherwise.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Self

from benchwright.asking.voters import Voter
from benchwright.boxes import Box

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What of a picture is shown; boxes are [x, y, w, h] in pixels of the upright picture.

    ``crop`` is cut out (what lies outside the picture is left away), ``outline`` is drawn as a
    red frame, and the longer side is then brought to at most ``long_side`` pixels.
    """

    crop: Box | None = None
    outline: Box | None = None
    long_side: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PicturePart:
    """A picture within a message: ``path`` holds the bytes whose hash is ``sha256``."""

    sha256: str
    path: Path
    view: View = field(default_factory=View)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message: texts and pictures in order; ``fields`` holds tool calls and the like."""

    role: Role
    parts: tuple[str | PicturePart, ...]
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One call of a model.

    ``max_tokens`` caps the answer; a voter that reasons first may ask for more. ``parameters``
    are further fields of the body (temperature, response_format, tools); those that the voter's
    file names win. ``sample`` tells apart several answers to the same question.
    """

    messages: tuple[Message, ...]
    max_tokens: int
    parameters: Mapping[str, Any] = field(default_factory=dict)
    sample: int = 0

    @classmethod
    def of(cls, *parts: str | PicturePart, max_tokens: int, **parameters: Any) -> Self:
        """Return a request of one user message."""
        message = Message(role="user", parts=parts)
        return cls(messages=(message,), max_tokens=max_tokens, parameters=parameters)

    def pictures(self) -> Iterator[PicturePart]:
        """Yield the pictures of all messages in order."""
        for message in self.messages:
            for part in message.parts:
                if isinstance(part, PicturePart):
                    yield part

    def with_cap(self, max_tokens: int) -> Self:
        """Return the same request with another cap."""
        return replace(self, max_tokens=max_tokens)


def parameters_of(request: Request, voter: Voter) -> dict[str, Any]:
    """Return the fields of the body apart from model and messages.

    What the voter's file names wins; a null there takes a field away.
    """
    return voter.fields(request.max_tokens, request.parameters)


def cap_of(request: Request, voter: Voter) -> int:
    """Return how many tokens the answer may have at most."""
    return voter.cap_for(request.max_tokens)


def description(request: Request, voter: Voter) -> str:
    """Return all that changes the answer as JSON: what the key is the hash of.

    Equal bodies have one description, however their texts are cut and their numbers written.
    """
    said: dict[str, Any] = {
        "model": voter.model,
        "revision": voter.revision,
        "parameters": _sorted(parameters_of(request, voter)),
        "messages": [_described(message) for message in request.messages],
        "sample": request.sample,
    }
    if any(True for _ in request.pictures()):
        said["encoding"] = _sorted(voter.pictures.encoding())
    return json.dumps(_sorted(said), ensure_ascii=False, separators=(",", ":"))


def key_of(described: str) -> str:
    """Return the key of a ``description``: sha256 in hex."""
    return hashlib.sha256(described.encode("utf-8", "surrogatepass")).hexdigest()


def _described(message: Message) -> dict[str, Any]:
    parts = [part if isinstance(part, str) else _picture(part) for part in message.parts]
    if all(isinstance(part, str) for part in message.parts):  # they are sent as one text
        parts = ["".join(map(str, message.parts))]
    return _sorted({"role": message.role, "parts": parts, **message.fields})


def _picture(part: PicturePart) -> dict[str, Any]:
    return {"picture": part.sha256, "view": described_view(part.view)}


def described_view(view: View) -> dict[str, Any]:
    """Return all that a view changes, as JSON has it: equal views are described alike."""
    shown: dict[str, Any] = {
        "crop": None if view.crop is None else [float(side) for side in view.crop],
        "long_side": view.long_side,
        "outline": None if view.outline is None else [float(side) for side in view.outline],
    }
    return {name: value for name, value in shown.items() if value is not None}


def _sorted(said: Mapping[str, Any]) -> dict[str, Any]:
    return dict(sorted(said.items()))
