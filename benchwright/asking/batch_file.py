"""The file of a batch: one line for each request, within the bounds of the Batch API."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One request as it is written; ``highest`` is the money that it may cost."""

    key: str
    description: str
    data: bytes
    highest: float


def line_of(key: str, body: bytes) -> bytes:
    """Return the line that asks for a body; the key is what its answer will be known by."""
    head = f'{{"custom_id": "{key}", "method": "POST", "url": "/v1/chat/completions", "body": '
    return head.encode() + body + b"}\n"


class BatchFile:
    """What is in a file that is being filled; ``described`` are descriptions by their keys."""

    def __init__(self, most_bytes: int, most_lines: int) -> None:
        self.described: dict[str, str] = {}
        self.highest = 0.0
        self._size = 0
        self._most_bytes, self._most_lines = most_bytes, most_lines

    def __len__(self) -> int:
        return len(self.described)

    def has_room(self, line: Line) -> bool:
        """Tell whether the file stays within its bounds with this line."""
        fits = self._size + len(line.data) <= self._most_bytes
        return fits and len(self) < self._most_lines

    def add(self, line: Line) -> None:
        """Count a line that is written."""
        self.described[line.key] = line.description
        self.highest += line.highest
        self._size += len(line.data)
