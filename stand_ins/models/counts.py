"""What a scripted server remembers of the requests it got."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Counts:
    """Counters of one server, from its first start.

    ``paths`` and ``statuses`` are of all requests (status 0: the connection was reset, or the
    caller left). The others are of chat requests that could be read, those of batches among
    them: ``requests`` by the hash of what was asked, ``chats`` all of them, ``arrivals`` by
    model on the monotonic clock, in seconds. ``authorizations`` are the headers of that name as
    they came. Only answers that take ``seconds`` are in flight side by side; the others are made
    one after the other.
    """

    paths: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    requests: Counter[str] = field(default_factory=Counter)
    arrivals: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    authorizations: Counter[str] = field(default_factory=Counter)
    chats: int = 0
    in_flight: int = 0
    most_in_flight: int = 0

    def enter(self) -> None:
        """Note that a chat request is in flight."""
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)

    def leave(self) -> None:
        """Note that it no longer is."""
        self.in_flight -= 1

    def as_json(self) -> dict[str, Any]:
        """Return all counts as JSON can hold them."""
        return {
            "paths": dict(self.paths),
            "statuses": {str(status): count for status, count in self.statuses.items()},
            "requests": dict(self.requests),
            "arrivals": dict(self.arrivals),
            "authorizations": dict(self.authorizations),
            "in_flight": self.in_flight,
            "most_in_flight": self.most_in_flight,
            "chats": self.chats,
        }
