"""What passes between the parts of a scripted server: pictures, looks, questions and turns."""

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from PIL import Image

Answer = Literal["yes", "no", "unsure"]
Sight = Literal["seen", "unknown", "rotated", "mirrored", "too_small", "several"]
Truths = Mapping[tuple[str, str], bool]
Bounds = tuple[int, int, int, int]  # left, top, right, bottom in pixels


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A thing within a picture that eyes can tell: its code, where it is, what is true of it."""

    code: str
    bounds: Bounds
    truths: Truths


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What eyes made of a picture.

    ``code`` tells what the picture is about, null unless ``sight`` is ``seen``; ``truths`` holds
    what can be seen of it. ``parts`` are all things that were told apart, the largest first.
    """

    sight: Sight
    code: str | None = None
    truths: Truths = field(default_factory=dict)
    parts: tuple[Part, ...] = ()


class Eyes(Protocol):
    """A way to see: the same pixels always give the same look."""

    def look(self, image: Image.Image) -> Look:
        """Return what is in an RGB picture."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A picture as it came: the bytes that were sent, a hash of its pixels, and the look."""

    data: bytes
    format: Literal["JPEG", "PNG"]
    width: int
    height: int
    pixels: str
    look: Look

    def image(self) -> Image.Image:
        """Return the decoded RGB picture."""
        with Image.open(io.BytesIO(self.data), formats=(self.format,)) as image:
            return image.convert("RGB")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A chat request as a brain gets it.

    ``text`` is that of the last user message, ``pictures`` are those of all messages in order.
    ``request`` is a hash of all that was asked, ``asked_before`` how often the same came before;
    ``ordinal`` counts, from 0, the chat requests that the server got.
    """

    model: str
    messages: tuple[Mapping[str, Any], ...]
    text: str
    pictures: tuple[Seen, ...]
    parameters: Mapping[str, Any]
    request: str
    asked_before: int
    ordinal: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a brain answers.

    ``p_yes``, 0 to 1, makes the logprobs of the word that says yes or no; ``answer`` or, where
    it is given, ``data`` is what a structured output says.
    """

    text: str | None
    finish_reason: str = "stop"
    refusal: str | None = None
    reasoning: str | None = None
    tool_calls: tuple[Mapping[str, Any], ...] = ()
    answer: Answer | None = None
    p_yes: float | None = None
    data: Any = None


Brain = Callable[[Question], Turn]
