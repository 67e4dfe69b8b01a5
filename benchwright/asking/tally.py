"""Counting what a run gets for its money: every reply that is stored while it runs."""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from benchwright.asking.answers import AnswerStore
from benchwright.asking.replies import Reply, Usage
from benchwright.asking.tokens import money
from benchwright.asking.voters import Price


@dataclass(slots=True)
class Bought:
    """Replies of one voter, failures too, and the tokens that their server counted.

    ``uncounted`` are the answers whose server told no tokens.
    """

    replies: int = 0
    uncounted: int = 0
    prompt: int = 0
    completion: int = 0
    cached: int = 0

    def less(self, other: "Bought") -> "Bought":
        """Return what is here beyond another count."""
        return Bought(
            replies=self.replies - other.replies,
            uncounted=self.uncounted - other.uncounted,
            prompt=self.prompt - other.prompt,
            completion=self.completion - other.completion,
            cached=self.cached - other.cached,
        )

    def cost(self, price: Price, *, batch: bool = False) -> float:
        """Return the money for these tokens in the currency of the price."""
        usage = Usage(prompt=self.prompt, completion=self.completion, cached=self.cached)
        return money(usage, price, batch=batch)


class TallyingStore(AnswerStore):
    """The file of answers; ``bought`` counts by voter what came in since it was opened."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.bought: dict[str, Bought] = defaultdict(Bought)

    def add(self, reply: Reply, description: str, voter: str) -> None:
        """Write an attempt as ``AnswerStore.add`` does, and count it."""
        super().add(reply, description, voter)
        found = self.bought[voter]
        found.replies += 1
        found.uncounted += reply.status not in ("failed", "rejected") and not reply.tells_usage
        found.prompt += reply.usage.prompt
        found.completion += reply.usage.completion
        found.cached += min(reply.usage.cached, reply.usage.prompt)
