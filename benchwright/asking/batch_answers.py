"""What comes back of a batch: lines in any order, in two files, joined on the custom id."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import aclosing
from typing import Any

from benchwright.asking.answers import AnswerStore
from benchwright.asking.any_json import cleaned, mapping_of, parsed
from benchwright.asking.batch_ledger import Batch, BatchLedger
from benchwright.asking.batch_service import BatchService, MissingAtServer
from benchwright.asking.failures import failure_of_status
from benchwright.asking.replies import Reply, reply_of
from benchwright.asking.tokens import money
from benchwright.asking.voters import Voter
from benchwright.plain_text import excerpt

_NAMED = 3  # of many custom ids
_KEY = re.compile(r"[0-9a-f]{64}")


class BatchAnswers:
    """Stores the answers of one batch; each request is answered once, by what comes first.

    ``statuses`` counts the replies stored.
    """

    def __init__(self, batch: Batch, ledger: BatchLedger, store: AnswerStore, voter: Voter) -> None:
        self.statuses: Counter[str] = Counter()
        self._cost = 0.0
        self._is_cost_known = True
        self._batch, self._ledger, self._store, self._voter = batch, ledger, store, voter
        self._unknown: Counter[str] = Counter()
        self._unreadable = 0
        self._gone: list[str] = []

    @property
    def cost(self) -> float:
        """What the replies cost; that of the whole batch at most where not all is known."""
        return self._cost if self._is_cost_known else self._batch.highest

    async def fetch(self, service: BatchService, file_id: str) -> None:
        """Store what a file of the server holds; raises ServerError as the service does."""
        try:
            async with aclosing(service.lines(file_id)) as lines:
                async for text in lines:
                    self.read(text, service.secret)
        except MissingAtServer:
            if self._ledger.waiting(self._batch):  # some servers name a file that has no lines
                self._gone.append(file_id)
                self._is_cost_known = False

    def read(self, text: str, secret: str | None = None) -> None:
        """Store what a line of answers says, without the key; survives any line."""
        said = parsed(text)
        if not isinstance(said, dict):
            self._unreadable += bool(text.strip())
            return
        key: Any = said.get("custom_id")
        is_key = isinstance(key, str) and _KEY.fullmatch(key)
        waiting = self._ledger.is_waiting(self._batch, key) if is_key else None
        if waiting is None:
            self._unknown[f"{cleaned(key, secret)!r:.80}"] += 1
        elif waiting:
            self._keep(reply_of_line(said, key, secret))

    def _keep(self, reply: Reply) -> None:
        self._store.add(reply, self._ledger.description(reply.key), self._voter.name)
        self._ledger.answered(reply.key)
        self.statuses[reply.status] += 1
        if reply.tells_usage and self._voter.price is not None:
            self._cost += money(reply.usage, self._voter.price, batch=True)
        elif _is_answer(reply):
            self._is_cost_known = False

    def notes(self) -> Iterator[str]:
        """Yield what the user should know, a line each."""
        name = f"voter {self._voter.name}: batch {self._batch.shown_id}"
        for file_id in self._gone:
            yield f"{name}: its file of answers {excerpt(file_id)} is gone at the server"
        if self._unreadable:
            yield f"{name}: {self._unreadable:,} lines of its answers are no JSON objects"
        if self._unknown:
            named = ", ".join([*self._unknown][:_NAMED])
            rest = len(self._unknown) - _NAMED
            yield (
                f"{name}: {self._unknown.total():,} lines answer requests that are not in it"
                f" ({named}{f' and {rest:,} more' if rest > 0 else ''})"
            )


def _is_answer(reply: Reply) -> bool:
    """Tell whether the server worked on a request, which it bills."""
    return reply.http_status is not None and reply.http_status < 300


def reply_of_line(said: Mapping[str, Any], key: str, secret: str | None = None) -> Reply:
    """Return the reply that a line of answers says; survives any JSON.

    A line without an HTTP status (its batch ended before it was run) gives ``failed``. Nothing of
    it holds ``secret``.
    """
    answer = mapping_of(said.get("response"))
    status, body = answer.get("status_code"), answer.get("body")
    if not isinstance(status, int) or not 100 <= status < 600:  # True and False are none either
        return Reply(key=key, status="failed", error=_error(cleaned(said.get("error"), secret)))
    if 200 <= status < 300:
        return reply_of(body, key=key, seconds=0.0, http_status=status, secret=secret)
    failure = failure_of_status(status, body, secret=secret)
    return Reply(key=key, status=failure.reply_status, http_status=status, error=failure.message)


def _error(error: Any) -> str:
    named = error if isinstance(error, Mapping) else {"message": error}
    said = ": ".join(str(named[name]) for name in ("code", "message") if named.get(name))
    return excerpt(said) or "the server gave no answer and no reason"
