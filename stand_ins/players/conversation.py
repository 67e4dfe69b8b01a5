"""What a player has been told, read from the messages of its request."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.records import Told
from evaluation.hidden_target.game import SIGNAL
from stand_ins.models import Question

_TOLD: dict[str, Told] = {"yes": "yes", "no": "no", "unsure": "unsure", "skip": "skip"}
_WORD = re.compile(r"\W*([a-z]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A game so far: the pictures by the sha256 of their bytes, in the order in which they came.

    ``batches`` are those that came, the last with the signal where the game ``is_open``; ``told``
    is what was said to the turns since.
    """

    pictures: tuple[str, ...]
    batches: int
    is_open: bool
    told: tuple[Told, ...]


def conversation_of(question: Question) -> Conversation:
    """Return what a player has been told; raises ValueError for an answer that is none."""
    said = [_text(message) for message in question.messages if message["role"] == "user"]
    signal = next((at for at, text in enumerate(said) if _ends_upload(text)), None)
    after = [] if signal is None else said[signal + 1 :]
    return Conversation(
        pictures=tuple(hashlib.sha256(seen.data).hexdigest() for seen in question.pictures),
        batches=len(said) - len(after),
        is_open=signal is not None,
        told=tuple(_told(text) for text in after),
    )


def _text(message: Mapping[str, Any]) -> str:
    content = message["content"]
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if part["type"] == "text")


def _ends_upload(text: str) -> bool:
    """Tell whether the signal is the last thing said: the rules name it too, further up."""
    return text.rstrip().rstrip(".").endswith(SIGNAL)


def _told(text: str) -> Told:
    word = _WORD.match(text.casefold())
    if word is None or word[1] not in _TOLD:
        raise ValueError(f"wanted yes, no, unsure or skip, got {text!r:.80}")
    return _TOLD[word[1]]
