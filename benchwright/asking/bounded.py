"""A bound on what is read of an answer: a server without an end must not stall a run."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import httpx2

LEAST = 1_000_000  # bytes that every answer may have
_EACH_TOKEN = 1_000  # bytes of an answer that are generous for one token
_EACH_ALTERNATIVE = 500  # with its spelling, its bytes and its logarithm

_most: ContextVar[int | None] = ContextVar("_most", default=None)


class TooLong(httpx2.RequestError):
    """A server sent more than was to be read."""


def most_bytes(tokens: int, alternatives: int) -> int:
    """Return how many bytes an answer of so many tokens, with logprobs or without, may have."""
    return max(LEAST, tokens * (_EACH_TOKEN + alternatives * _EACH_ALTERNATIVE))


@contextmanager
def bounded(most: int) -> Iterator[None]:
    """Let no answer that is read within, with ``bound`` as a hook, be longer than so many bytes."""
    token = _most.set(most)
    try:
        yield
    finally:
        _most.reset(token)


async def bound(response: httpx2.Response) -> None:
    """Bound what is read of a response; a hook of the HTTP client.

    Reading further raises TooLong.
    """
    most = _most.get()
    if most is not None and isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Bounded(response.stream, most)


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, most: int) -> None:
        self._stream, self._left = stream, most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            self._left -= len(piece)
            if self._left < 0:
                raise TooLong("the answer is too long")
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()
