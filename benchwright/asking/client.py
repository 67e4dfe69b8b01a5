"""The one way in which benchwright asks a model: nothing lost, nothing bought twice."""

import asyncio
import json
import os
import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import httpx2
import openai

from benchwright.asking.answers import AnswerStore
from benchwright.asking.any_json import parsed
from benchwright.asking.bounded import bound, bounded, most_bytes
from benchwright.asking.budget import Budget
from benchwright.asking.failures import Failure, failure_of, wait_before
from benchwright.asking.limiter import Limiter, Slot
from benchwright.asking.replies import Reply, ReplyStatus, Usage, reply_of
from benchwright.asking.requests import (
    Message,
    PicturePart,
    Request,
    cap_of,
    description,
    key_of,
    parameters_of,
)
from benchwright.asking.tokens import money, sent_tokens
from benchwright.asking.views import Encoded, Encoder
from benchwright.asking.voters import Voter
from benchwright.errors import ServerError, UsageError
from benchwright.plain_text import excerpt

_TRIES = 5  # of a request whose failures may be its own fault
_CONNECT = 10.0  # seconds to reach a server
_FAREWELL = 0.5  # seconds for answers that nobody waits for any more when the client closes
_NO_KEY = "none"  # servers without keys take any; the openai package wants one


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
        server: openai.AsyncOpenAI | None = None,
        is_asking: bool = True,
    ) -> None:
        """Raise UsageError when the environment does not hold the voter's key.

        Without ``is_asking`` no call will be made, and no key is wanted.
        ``limiter`` and ``server`` take the place of the voter's own; one limiter may serve several
        clients of an endpoint.
        """
        self.voter = voter
        self.budget = budget or Budget()
        self._store, self._encoder, self._again = store, encoder, again
        self._limiter = limiter or Limiter(voter)
        self._purchases: dict[str, _Purchase] = {}
        self._secret = key_from_environment(voter) if is_asking else None
        self._server = server or server_of(voter, self._secret)

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
            await self._server.close()

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
        shown = [await self._encoded(part) for part in request.pictures()]
        body = body_of(request, self.voter, shown)
        expected = self._expected(request, shown)
        tries = 0
        while True:
            reply, failure = await self._attempt(purchase, body, expected)
            if failure is None or reply.status != "failed" or not purchase.callers:
                return reply
            if failure.is_counted:
                tries += 1
                if tries >= _TRIES:
                    return reply
            if failure.kind == "again":
                await asyncio.sleep(wait_before(tries))

    async def _attempt(
        self, purchase: _Purchase, body: bytes, expected: Usage | None
    ) -> tuple[Reply, Failure | None]:
        """Make one call, store what came, and tell limiter and budget of it."""
        highest = 0.0 if expected is None else self._money(expected)
        async with self._limiter.slot(_tokens_of(expected)) as slot:
            await self.budget.reserve(highest)
            cost = highest  # until it is known to be less
            purchase.is_calling = True
            try:
                with bounded(most_bytes(cap_of(purchase.request, self.voter), self.voter.logprobs)):
                    reply, failure = await self._call(purchase.key, body)
                cost = self._cost(reply, failure, highest)
                if self._store is not None:
                    self._store.add(reply, purchase.described, self.voter.name)
            finally:
                purchase.is_calling = False
                await self.budget.settle(highest, cost)
            self._report(slot, reply, failure, expected)
            return reply, failure

    async def _call(self, key: str, body: bytes) -> tuple[Reply, Failure | None]:
        started = time.monotonic()
        try:
            async with asyncio.timeout(self.voter.timeout):
                response = await self._server.post(
                    "/chat/completions",
                    cast_to=httpx2.Response,
                    content=body,
                    options={"headers": {"Content-Type": "application/json"}},
                )
        except Exception as error:
            failure = failure_of(error, self._secret)
            if failure is None:
                raise
            reply = Reply(
                key=key,
                status=failure.reply_status,
                seconds=time.monotonic() - started,
                http_status=failure.http_status,
                error=failure.message,
            )
            return reply, failure
        return self._read(key, response, time.monotonic() - started)

    def _read(
        self, key: str, response: httpx2.Response, seconds: float
    ) -> tuple[Reply, Failure | None]:
        body = parsed(response.text)
        reply = reply_of(
            response.text if body is None else body,
            key=key,
            seconds=seconds,
            server=response.headers.get("server"),
            http_status=response.status_code,
            secret=self._secret,
        )
        if reply.status != "failed":
            return reply, None
        said = reply.error or "no answer in the body"
        return reply, Failure(kind="again", message=said, is_counted=True, may_be_billed=True)

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

    async def _encoded(self, part: PicturePart) -> Encoded:
        limits = self.voter.pictures
        found = self._encoder.cached(part, limits)
        if found is not None:
            return found
        return await asyncio.to_thread(self._encoder.encoded, part, limits)

    def _expected(self, request: Request, shown: list[Encoded]) -> Usage | None:
        """Return the most tokens that a call may take; null where nobody needs them."""
        if self.voter.tokens_per_minute is None and self.voter.price is None:
            return None
        return most_usage(request, self.voter, shown)

    def _cost(self, reply: Reply, failure: Failure | None, highest: float) -> float:
        """Return what a call cost; the highest where it may have been billed unseen."""
        if reply.tells_usage:
            return self._money(reply.usage)
        return highest if failure is None or failure.may_be_billed else 0.0

    def _money(self, usage: Usage) -> float:
        return 0.0 if self.voter.price is None else money(usage, self.voter.price)


def _tokens_of(usage: Usage | None) -> int:
    return 0 if usage is None else usage.prompt + usage.completion


def most_usage(request: Request, voter: Voter, shown: list[Encoded]) -> Usage:
    """Return the most tokens that a call may take; ``shown`` as in ``body_of``."""
    _, prompt = sent_tokens(request, voter, [(each.width, each.height) for each in shown])
    return Usage(prompt=prompt, completion=cap_of(request, voter))


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


def timeout_of(voter: Voter, seconds: float) -> httpx2.Timeout:
    """Return the bounds of a call that may take so long; reaching the server takes less.

    Less than a whole call, or it could not be told whether the server ever had the request.
    """
    reached = min(voter.timeout / 2, _CONNECT)
    return httpx2.Timeout(seconds, connect=reached, pool=reached)


def server_of(voter: Voter, key: str | None) -> openai.AsyncOpenAI:
    """Return the connection to a voter's server; repeating is done here, not there."""
    limits = httpx2.Limits(
        max_connections=voter.concurrency, max_keepalive_connections=voter.concurrency
    )
    return openai.AsyncOpenAI(
        api_key=key or _NO_KEY,
        base_url=voter.base_url,
        max_retries=0,
        timeout=timeout_of(voter, voter.timeout),
        http_client=openai.DefaultAsyncHttpxClient(
            limits=limits, event_hooks={"response": [bound]}
        ),
    )


def body_of(request: Request, voter: Voter, shown: list[Encoded]) -> bytes:
    """Return the JSON of a call; ``shown`` are the pictures of the request in order."""
    pictures = iter(shown)
    messages = [_message(message, pictures) for message in request.messages]
    body = {"model": voter.model, "messages": messages, **parameters_of(request, voter)}
    return json.dumps(body).encode()


def _message(message: Message, pictures: Any) -> dict[str, Any]:
    if all(isinstance(part, str) for part in message.parts):
        text = "".join(str(part) for part in message.parts)
        return {"role": message.role, "content": text, **message.fields}
    parts: list[dict[str, Any]] = [
        {"type": "text", "text": part}
        if isinstance(part, str)
        else {"type": "image_url", "image_url": {"url": next(pictures).uri}}
        for part in message.parts
    ]
    return {"role": message.role, "content": parts, **message.fields}
