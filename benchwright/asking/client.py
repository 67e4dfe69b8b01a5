"""The one way in which benchwright asks a model: nothing lost, nothing bought twice."""

import asyncio
import os
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from benchwright.asking.answers import AnswerStore
from benchwright.asking.budget import Budget
from benchwright.asking.failures import Failure, wait_before
from benchwright.asking.limiter import Limiter, Slot
from benchwright.asking.replies import Reply, ReplyStatus, Usage
from benchwright.asking.requests import Request, description, key_of
from benchwright.asking.sending import Connect, LocalSender, Outgoing
from benchwright.asking.tokens import money
from benchwright.asking.views import Encoder
from benchwright.asking.voters import Voter
from benchwright.errors import ServerError, UsageError
from benchwright.plain_text import excerpt

_TRIES = 5  # of a request whose failures may be its own fault
_FAREWELL = 0.5  # seconds for answers that nobody waits for any more when the client closes


@dataclass(slots=True, kw_only=True)
class _Purchase:
    """A request that is being asked, in a task of its own; ``callers`` wait for it."""

    key: str
    described: str
    request: Request
    callers: int = 0
    is_calling: bool = False
    task: asyncio.Task[Reply] = field(init=False)


class Client:
    """Asks one voter; use it as an asynchronous context.

    A request whose final reply is in the store is not asked again; two that are asked at once
    share one call. A call that nobody waits for any more is not repeated, but stored if it is
    answered before the client closes. ``again`` names the statuses whose stored replies do not
    count. Without a store nothing is kept: that is for probes alone.
    """

    def __init__(
        self,
        voter: Voter,
        store: AnswerStore | None,
        encoder: Encoder,
        *,
        budget: Budget | None = None,
        again: frozenset[ReplyStatus] = frozenset(),
        limiter: Limiter | None = None,
        connect: Connect = LocalSender,
        is_asking: bool = True,
    ) -> None:
        """Raise UsageError when the environment does not hold the voter's key.

        Without ``is_asking`` no call will be made, and no key is wanted.
        ``limiter`` takes the place of the voter's own; one may serve several clients of an
        endpoint. ``connect`` makes who sends the requests.
        """
        self.voter = voter
        self.budget = budget or Budget()
        self._store, self._again = store, again
        self._limiter = limiter or Limiter(voter)
        self._purchases: dict[str, _Purchase] = {}
        secret = key_from_environment(voter) if is_asking else None
        self._sender = connect(voter, encoder, secret)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        tasks = [purchase.task for purchase in self._purchases.values()]
        try:
            if tasks:
                await asyncio.wait(tasks, timeout=_FAREWELL)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._sender.close()

    async def ask(self, request: Request) -> Reply:
        """Return the final reply to a request, or the last of several failed attempts.

        Every attempt is in the store before anybody sees it.

        Raises BudgetSpent before a call that the budget does not allow, ServerError when the
        server is gone for too long or will take no request as the voter is set up, UsageError
        when more pictures are asked about at once than the voter takes, LostPicture.
        """
        described = description(request, self.voter)
        key = key_of(described)
        if self._store is not None:
            stored = self._store.final(key, self._again)
            if stored is not None:
                return stored
        purchase = self._purchases.get(key) or self._begun(key, described, request)
        purchase.callers += 1
        try:
            # a caller that is cancelled takes nothing from the others
            return await asyncio.shield(purchase.task)
        finally:
            purchase.callers -= 1
            if not purchase.callers and not purchase.is_calling:
                purchase.task.cancel()
                self._end(purchase)

    def _begun(self, key: str, described: str, request: Request) -> _Purchase:
        purchase = _Purchase(key=key, described=described, request=request)
        purchase.task = asyncio.create_task(self._buy(purchase))
        purchase.task.add_done_callback(lambda _: self._end(purchase))
        self._purchases[key] = purchase
        return purchase

    def _end(self, purchase: _Purchase) -> None:
        if self._purchases.get(purchase.key) is purchase:  # none that was begun since
            del self._purchases[purchase.key]
        if purchase.task.done() and not purchase.task.cancelled():
            purchase.task.exception()  # nobody may be waiting for it

    async def _buy(self, purchase: _Purchase) -> Reply:
        request = purchase.request
        check_number_of_pictures(request, self.voter)
        outgoing = await self._sender.prepared(request, purchase.key)
        tries = 0
        while True:
            reply, failure = await self._attempt(purchase, outgoing)
            if failure is None or reply.status != "failed" or not purchase.callers:
                return reply
            if failure.is_counted:
                tries += 1
                if tries >= _TRIES:
                    return reply
            if failure.kind == "again":
                await asyncio.sleep(wait_before(tries))

    async def _attempt(
        self, purchase: _Purchase, outgoing: Outgoing
    ) -> tuple[Reply, Failure | None]:
        """Make one call, store what came, and tell limiter and budget of it."""
        expected = outgoing.expected
        highest = 0.0 if expected is None else self._money(expected)
        async with self._limiter.slot(_tokens_of(expected)) as slot:
            await self.budget.reserve(highest)
            cost = highest  # until it is known to be less
            purchase.is_calling = True
            try:
                reply, failure = await outgoing.send()
                cost = self._cost(reply, failure, highest)
                if self._store is not None:
                    self._store.add(reply, purchase.described, self.voter.name)
            finally:
                purchase.is_calling = False
                await self.budget.settle(highest, cost)
            self._report(slot, reply, failure, expected)
            return reply, failure

    def _report(
        self, slot: Slot, reply: Reply, failure: Failure | None, expected: Usage | None
    ) -> None:
        """Tell the limiter how it went; raise ServerError where no request can go well."""
        if failure is None:
            self._limiter.answered(slot, _tokens_of(reply.usage if reply.tells_usage else expected))
        elif failure.kind in ("rejected", "refused"):
            self._limiter.answered(slot, 0)
        elif not self._limiter.failed(slot, failure):
            raise ServerError(
                f"voter {self.voter.name}: {self.voter.base_url} takes no request"
                f" ({excerpt(failure.message)}); {remedy_of(failure, self.voter)}"
            )

    def _cost(self, reply: Reply, failure: Failure | None, highest: float) -> float:
        """Return what a call cost; the highest where it may have been billed unseen."""
        if reply.tells_usage:
            return self._money(reply.usage)
        return highest if failure is None or failure.may_be_billed else 0.0

    def _money(self, usage: Usage) -> float:
        return 0.0 if self.voter.price is None else money(usage, self.voter.price)


def _tokens_of(usage: Usage | None) -> int:
    return 0 if usage is None else usage.prompt + usage.completion


def check_number_of_pictures(request: Request, voter: Voter) -> None:
    """Raise UsageError when a request holds more pictures than the voter takes at once."""
    most, number = voter.pictures.at_once, sum(1 for _ in request.pictures())
    if most is not None and number > most:
        raise UsageError(
            f"voter {voter.name} takes at most {most} pictures at once (pictures >"
            f" at_once), this request holds {number}; ask another voter, or fewer pictures"
        )


def remedy_of(failure: Failure, voter: Voter) -> str:
    """Return what the user can do where a server takes no request."""
    if failure.is_of_key:
        where = voter.api_key_env
        return f"put its key into {where}" if where else "name its key under api_key_env"
    if failure.http_status in (404, 405):
        if not urlsplit(voter.base_url).path:
            return f"try base_url: {voter.base_url}/v1 in the voters' file"
        return (
            f"mend base_url or model ({voter.model}) in the voters' file, or --base-url and --model"
        )
    return "see to its quota, then run it again: what was answered is kept"


def key_from_environment(voter: Voter) -> str | None:
    """Return the key of a voter, null where it needs none.

    Raises UsageError when the variable that the voters' file names is not set, or holds what no
    header can.
    """
    if voter.api_key_env is None:
        return None
    key = os.environ.get(voter.api_key_env, "").strip()
    wanted = f"voter {voter.name}: its key is wanted in the environment variable"
    if not key:
        raise UsageError(f"{wanted} {voter.api_key_env}, which is not set; set it and run it again")
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise UsageError(
            f"{wanted} {voter.api_key_env} as letters, digits and marks of ASCII; it holds a"
            " blank, a line's end or another letter; set it to the key alone and run it again"
        )
    return key
