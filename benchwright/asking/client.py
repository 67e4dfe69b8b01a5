"""The one way in which benchwright asks a model: nothing lost, nothing bought twice."""

import asyncio
import json
import os
import time
from types import TracebackType
from typing import Any, Self

import httpx2
import openai

from benchwright.asking.answers import AnswerStore
from benchwright.asking.budget import Budget
from benchwright.asking.failures import Failure, failure_of
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

_TRIES = 5  # of a request whose failures may be its own fault
_FIRST_WAIT = 0.25  # seconds before a second try; each further one waits four times as long
_CONNECT = 10.0  # seconds to reach a server
_NO_KEY = "none"  # servers without keys take any; the openai package wants one


class Client:
    """Asks one voter; use it as an asynchronous context.

    A request whose final reply is in the store is not asked again; two that are asked at once
    share one call. ``again`` names the statuses whose stored replies do not count. Without a
    store nothing is kept: that is for probes alone.
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
    ) -> None:
        """Raise UsageError when the environment does not hold the voter's key.

        ``limiter`` and ``server`` take the place of the voter's own; one limiter may serve several
        clients of an endpoint.
        """
        self.voter = voter
        self.budget = budget or Budget()
        self._store, self._encoder, self._again = store, encoder, again
        self._limiter = limiter or Limiter(voter)
        self._flights: dict[str, asyncio.Future[Reply]] = {}
        self._secret = key_from_environment(voter)
        self._server = server or server_of(voter, self._secret)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
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
        flight = self._flights.get(key)
        if flight is not None:
            return await asyncio.shield(flight)
        return await self._fly(key, described, request)

    async def _fly(self, key: str, described: str, request: Request) -> Reply:
        flight = asyncio.get_running_loop().create_future()
        self._flights[key] = flight
        try:
            reply = await self._buy(key, described, request)
        except BaseException as error:
            if isinstance(error, Exception):
                flight.set_exception(error)
                flight.exception()  # nobody else may be waiting for it
            else:
                flight.cancel()
            raise
        finally:
            del self._flights[key]
        flight.set_result(reply)
        return reply

    async def _buy(self, key: str, described: str, request: Request) -> Reply:
        check_number_of_pictures(request, self.voter)
        shown = [await self._encoded(part) for part in request.pictures()]
        body = body_of(request, self.voter, shown)
        tokens, highest = self._expected(request, shown)
        tries = 0
        while True:
            reply, failure = await self._attempt(key, described, body, tokens, highest)
            if failure is None or reply.status != "failed":
                return reply
            if failure.is_counted:
                tries += 1
                if tries >= _TRIES:
                    return reply
            if failure.kind == "again":
                await asyncio.sleep(_FIRST_WAIT * 4 ** (tries - 1))

    async def _attempt(
        self, key: str, described: str, body: bytes, tokens: int, highest: float
    ) -> tuple[Reply, Failure | None]:
        """Make one call, store what came, and tell limiter and budget of it."""
        async with self._limiter.slot(tokens) as slot:
            await self.budget.reserve(highest)
            cost = highest  # until it is known to be less
            try:
                reply, failure = await self._call(key, body)
                cost = self._cost(reply, failure, highest)
                if self._store is not None:
                    self._store.add(reply, described, self.voter.name)
            finally:
                await self.budget.settle(highest, cost)
            self._report(slot, reply, failure)
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
            failure = failure_of(error)
            if failure is None:
                raise
            return self._failed(key, failure, time.monotonic() - started), failure
        return self._read(key, response, time.monotonic() - started)

    def _read(
        self, key: str, response: httpx2.Response, seconds: float
    ) -> tuple[Reply, Failure | None]:
        text = self._without_secret(response.text)
        try:
            body = json.loads(text)
        except (ValueError, RecursionError):
            body = text
        server = response.headers.get("server")
        reply = reply_of(
            body, key=key, seconds=seconds, server=server, http_status=response.status_code
        )
        if reply.status != "failed":
            return reply, None
        said = reply.error or "no answer in the body"
        return reply, Failure(kind="again", message=said, is_counted=True, may_be_billed=True)

    def _failed(self, key: str, failure: Failure, seconds: float) -> Reply:
        return Reply(
            key=key,
            status=failure.reply_status,
            seconds=seconds,
            http_status=failure.http_status,
            error=self._without_secret(failure.message),
        )

    def _report(self, slot: Slot, reply: Reply, failure: Failure | None) -> None:
        """Tell the limiter how it went; raise ServerError where no request can go well."""
        why = reply.error or "failed"
        if failure is None or failure.kind in ("rejected", "refused"):
            self._limiter.answered(slot, reply.usage.prompt + reply.usage.completion)
        elif failure.kind == "throttled":
            self._limiter.throttled(slot, failure.retry_after, why)
        elif failure.kind == "down":
            self._limiter.down(slot, why)
        elif failure.kind == "again":
            self._limiter.erred(slot, why)
        else:
            raise ServerError(
                f"voter {self.voter.name}: {self.voter.base_url} takes no request ({why});"
                f" {remedy_of(failure.http_status, self.voter)}"
            )

    def _without_secret(self, text: str) -> str:
        return without_secret(text, self._secret)

    async def _encoded(self, part: PicturePart) -> Encoded:
        limits = self.voter.pictures
        found = self._encoder.cached(part, limits)
        if found is not None:
            return found
        return await asyncio.to_thread(self._encoder.encoded, part, limits)

    def _expected(self, request: Request, shown: list[Encoded]) -> tuple[int, float]:
        """Return the tokens and the highest price of a call; 0 where nobody needs them."""
        if self.voter.tokens_per_minute is None and self.budget.max_cost is None:
            return 0, 0.0
        usage = most_usage(request, self.voter, shown)
        return usage.prompt + usage.completion, self._money(usage)

    def _cost(self, reply: Reply, failure: Failure | None, highest: float) -> float:
        """Return what a call cost; the highest where it may have been billed unseen."""
        if failure is not None and failure.may_be_billed:
            return highest
        return self._money(reply.usage)

    def _money(self, usage: Usage) -> float:
        return 0.0 if self.voter.price is None else money(usage, self.voter.price)


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


def remedy_of(http_status: int | None, voter: Voter) -> str:
    """Return what the user can do where a server takes no request."""
    if http_status in (401, 403):
        where = voter.api_key_env
        return f"put its key into {where}" if where else "name its key under api_key_env"
    if http_status in (404, 405):
        return f"mend base_url or model ({voter.model}) in the voters' file"
    return "see to its quota, then run it again: what was answered is kept"


def without_secret(text: str, secret: str | None) -> str:
    """Return a server's text without the key, which some repeat in their errors."""
    return text.replace(secret, "[key]") if secret is not None and secret in text else text


def key_from_environment(voter: Voter) -> str | None:
    """Return the key of a voter, null where it needs none.

    Raises UsageError when the variable that the voters' file names is not set.
    """
    if voter.api_key_env is None:
        return None
    key = os.environ.get(voter.api_key_env, "").strip()
    if not key:
        raise UsageError(
            f"voter {voter.name}: its key is wanted in the environment variable"
            f" {voter.api_key_env}, which is not set; set it and run it again"
        )
    return key


def server_of(voter: Voter, key: str | None) -> openai.AsyncOpenAI:
    """Return the connection to a voter's server; repeating is done here, not there."""
    limits = httpx2.Limits(
        max_connections=voter.concurrency, max_keepalive_connections=voter.concurrency
    )
    return openai.AsyncOpenAI(
        api_key=key or _NO_KEY,
        base_url=voter.base_url,
        max_retries=0,
        timeout=httpx2.Timeout(voter.timeout, connect=min(voter.timeout, _CONNECT)),
        http_client=openai.DefaultAsyncHttpxClient(limits=limits),
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
