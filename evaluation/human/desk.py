"""The desk at which a person answers: what is asked waits here until it is answered."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Part = Mapping[Literal["text", "picture"], str]  # a text, or a picture as a data URI


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One message of a request."""

    role: str
    parts: tuple[Part, ...]


@dataclass(slots=True, kw_only=True)
class Sheet:
    """One request that waits for its answer."""

    number: int
    messages: Sequence[Said]
    answered: threading.Event = field(default_factory=threading.Event)
    answer: str = ""

    @property
    def opening(self) -> Said | None:
        """What its conversation began with."""
        return self.messages[0] if self.messages else None


class Desk:
    """Shows one request at a time to one person; safe to use from several threads."""

    def __init__(self) -> None:
        self.answered = 0
        self._lock = threading.Lock()
        self._waiting: dict[int, Sheet] = {}
        self._count = 0
        self._last: Said | None = None
        self._is_closed = False
        self._heard = threading.Event()

    def put(self, messages: Sequence[Said]) -> Sheet:
        """Take a request; its sheet tells when it is answered."""
        with self._lock:
            self._count += 1
            sheet = Sheet(number=self._count, messages=tuple(messages))
            self._waiting[sheet.number] = sheet
        return sheet

    def withdraw(self, sheet: Sheet) -> None:
        """Take back a request that nobody waits for any more."""
        with self._lock:
            self._waiting.pop(sheet.number, None)

    def current(self) -> Sheet | None:
        """Return what is to be answered now, null while nothing waits.

        A conversation that was begun goes on before another one.
        """
        with self._lock:
            sheets = [self._waiting[number] for number in sorted(self._waiting)]
            same = [sheet for sheet in sheets if sheet.opening == self._last]
            return next(iter(same or sheets), None)

    def answer(self, number: int, text: str) -> bool:
        """Answer a request; return whether it was still waiting."""
        with self._lock:
            sheet = self._waiting.pop(number, None)
            if sheet is None:
                return False
            self._last, sheet.answer = sheet.opening, text
            self.answered += 1
        sheet.answered.set()
        return True

    def close(self, patience: float) -> None:
        """Say that nothing more will come; wait so many seconds for the page to hear it."""
        self._is_closed = True
        self._heard.wait(patience)

    @property
    def is_closed(self) -> bool:
        """Whether nothing more will come."""
        return self._is_closed

    def hear(self) -> None:
        """Note that the page was told that nothing more will come."""
        self._heard.set()


def messages_of(body: Any) -> list[Said]:
    """Return the messages of a body of chat.completions; raises ValueError for another body."""
    if not isinstance(body, dict) or not isinstance(body.get("messages"), list):
        raise ValueError("wants messages")
    return [
        Said(role=str(message.get("role")), parts=tuple(_parts(message.get("content"))))
        for message in body["messages"]
        if isinstance(message, dict)
    ]


def _parts(content: Any) -> list[Part]:
    if isinstance(content, str):
        return [{"text": content}]
    found: list[Part] = []
    for part in content if isinstance(content, list) else []:
        match part:
            case {"type": "text", "text": str(text)}:
                found.append({"text": text})
            case {"type": "image_url", "image_url": {"url": str(uri)}}:
                if uri.startswith("data:image/"):  # nothing else is ever loaded
                    found.append({"picture": uri})
    return found
