"""Who makes the calls of a voter: what is sent is prepared, sent, and what comes back is read."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import httpx2
import openai

from benchwright.asking.any_json import parsed
from benchwright.asking.bounded import bound, bounded, most_bytes
from benchwright.asking.failures import Failure, failure_of
from benchwright.asking.replies import Reply, Usage, reply_of
from benchwright.asking.requests import Message, PicturePart, Request, cap_of, parameters_of
from benchwright.asking.tokens import sent_tokens
from benchwright.asking.views import Encoded, Encoder
from benchwright.asking.voters import Voter

_CONNECT = 10.0  # seconds to reach a server
_NO_KEY = "none"  # servers without keys take any; the openai package wants one

Sent = tuple[Reply, Failure | None]  # of one attempt; neither holds the key of the voter


class Outgoing(Protocol):
    """A request that is ready to go out, as often as it takes.

    ``expected`` are the most tokens that a call may take; null where nobody needs them.
    """

    @property
    def expected(self) -> Usage | None:
        """What a call may take; see the class."""
        ...

    async def send(self) -> Sent:
        """Make one call and return what came of it."""
        ...


class Sender(Protocol):
    """Makes the calls of one voter, from here or from elsewhere."""

    async def prepared(self, request: Request, key: str) -> Outgoing:
        """Return a request ready to go out; its replies are of ``key``.

        Raises LostPicture, PictureError and UsageError as ``Encoder.encoded`` does.
        """
        ...

    async def close(self) -> None:
        """Let go of what it holds open."""
        ...


# what makes the sender of a voter, with its key; the encoder is that of this process
Connect = Callable[[Voter, Encoder, str | None], Sender]


class LocalSender:
    """Makes the calls of a voter from this process."""

    def __init__(
        self,
        voter: Voter,
        encoder: Encoder,
        secret: str | None,
        server: openai.AsyncOpenAI | None = None,
    ) -> None:
        """Take the place of the voter's own connection by ``server``."""
        self._voter, self._encoder, self._secret = voter, encoder, secret
        self._server = server or server_of(voter, secret)

    async def prepared(self, request: Request, key: str) -> Outgoing:
        """Return a request with its pictures encoded; see ``Sender``."""
        shown = [await self._encoded(part) for part in request.pictures()]
        return _Ready(
            sender=self,
            key=key,
            body=body_of(request, self._voter, shown),
            most=most_bytes(cap_of(request, self._voter), self._voter.logprobs),
            expected=most_usage(request, self._voter, shown) if needs_usage(self._voter) else None,
        )

    async def close(self) -> None:
        """Close the connections; see ``Sender``."""
        await self._server.close()

    async def post(self, key: str, body: bytes) -> Sent:
        """Make one call with this body."""
        started = time.monotonic()
        try:
            async with asyncio.timeout(self._voter.timeout):
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
            return failed_reply(key, failure, time.monotonic() - started), failure
        return self._read(key, response, time.monotonic() - started)

    def _read(self, key: str, response: httpx2.Response, seconds: float) -> Sent:
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

    async def _encoded(self, part: PicturePart) -> Encoded:
        limits = self._voter.pictures
        found = self._encoder.cached(part, limits)
        if found is not None:
            return found
        return await asyncio.to_thread(self._encoder.encoded, part, limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ready:
    sender: LocalSender
    key: str
    body: bytes
    most: int
    expected: Usage | None

    async def send(self) -> Sent:
        with bounded(self.most):
            return await self.sender.post(self.key, self.body)


def failed_reply(key: str, failure: Failure, seconds: float) -> Reply:
    """Return the reply that an attempt without an answer becomes."""
    return Reply(
        key=key,
        status=failure.reply_status,
        seconds=seconds,
        http_status=failure.http_status,
        error=failure.message,
    )


def needs_usage(voter: Voter) -> bool:
    """Tell whether anybody needs to know how many tokens a call of a voter may take."""
    return voter.tokens_per_minute is not None or voter.price is not None


def most_usage(request: Request, voter: Voter, shown: list[Encoded]) -> Usage:
    """Return the most tokens that a call may take; ``shown`` as in ``body_of``."""
    _, prompt = sent_tokens(request, voter, [(each.width, each.height) for each in shown])
    return Usage(prompt=prompt, completion=cap_of(request, voter))


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


def _message(message: Message, pictures: Iterator[Encoded]) -> dict[str, Any]:
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
