"""Looks and texts that are wanted at the same time, embedded together in a thread of their own."""

import asyncio
from collections.abc import Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

from benchwright.clip.embedder import Embedder, Vectors
from benchwright.clip.embedding import ViewOfPicture, embed_views
from benchwright.clip.open_clip_model import TEXTS
from benchwright.clip.spreading import Spread
from benchwright.clip.store import EmbeddingStore

_ROUND = 8  # batches that one round takes at most
_RECENT = 20_000  # vectors of either kind that are kept in memory: 40 MB at 512 numbers each

K = TypeVar("K", bound=Hashable)


class EmbeddingQueue:
    """Embeds what several tasks ask for, each thing once; use it in one event loop at a time.

    While a round is being embedded, whatever is asked for meanwhile gathers for the next one, so
    batches fill up by themselves without waiting for a clock.
    """

    def __init__(
        self, embedder: Embedder, store: EmbeddingStore, spread: Spread | None = None
    ) -> None:
        """Let ``spread`` embed the looks, on other machines, in the place of the embedder."""
        self._embedder, self._store, self._spread = embedder, store, spread
        self._looks: _Wanted[ViewOfPicture] = _Wanted()
        self._texts: _Wanted[str] = _Wanted()
        self._thread = ThreadPoolExecutor(1, "embedding")
        self._rounds: asyncio.Task[None] | None = None

    async def embed(
        self, looks: Sequence[ViewOfPicture], texts: Sequence[str]
    ) -> tuple[list[Vectors], list[Vectors]]:
        """Return the vectors of the looks and of the texts; raises what making them raises."""
        pictured = [self._looks.want(look.key, look) for look in looks]
        worded = [self._texts.want(text, text) for text in texts]
        is_waiting = bool(self._looks or self._texts)
        if is_waiting and (self._rounds is None or self._rounds.done()):
            self._rounds = asyncio.ensure_future(self._run())
        found = [
            # a task that is cancelled must not take the vector from the others who wait for it
            each.result() if each.done() else await asyncio.shield(each)
            for each in (*pictured, *worded)
        ]
        return found[: len(looks)], found[len(looks) :]

    def close(self) -> None:
        """End the thread, once what it is doing is done."""
        self._thread.shutdown()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while self._looks or self._texts:
            looks = self._looks.take(_ROUND * self._embedder.batch)
            texts = self._texts.take(_ROUND * TEXTS)
            made = loop.run_in_executor(self._thread, self._made, looks, texts)
            (outcome,) = await asyncio.gather(made, return_exceptions=True)
            if isinstance(outcome, BaseException):
                self._looks.fail([look.key for look in looks], outcome)
                self._texts.fail(texts, outcome)
            else:
                self._looks.give([look.key for look in looks], outcome[0])
                self._texts.give(texts, outcome[1])

    def _made(
        self, looks: Sequence[ViewOfPicture], texts: Sequence[str]
    ) -> tuple[Vectors, Vectors]:
        worded = self._embedder.texts(texts)
        pictured = embed_views(looks, self._embedder, self._store, spread=self._spread)
        return pictured, worded


class _Wanted(Generic[K]):
    """Futures of what is wanted or was made lately, by key; the oldest are forgotten."""

    def __init__(self) -> None:
        self._futures: dict[Hashable, asyncio.Future[Vectors]] = {}
        self._waiting: dict[Hashable, K] = {}

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def want(self, key: Hashable, what: K) -> asyncio.Future[Vectors]:
        loop = asyncio.get_running_loop()
        future = self._futures.get(key)
        if future is None or future.get_loop() is not loop:
            future = self._futures[key] = loop.create_future()
            self._waiting[key] = what
        return future

    def take(self, most: int) -> list[K]:
        keys = list(self._waiting)[:most]
        return [self._waiting.pop(key) for key in keys]

    def give(self, keys: Sequence[Hashable], vectors: Vectors) -> None:
        for key, vector in zip(keys, vectors, strict=True):
            self._futures[key].set_result(vector)
        for key in list(self._futures)[: max(0, len(self._futures) - _RECENT)]:
            if self._futures[key].done():
                del self._futures[key]

    def fail(self, keys: Sequence[Hashable], error: BaseException) -> None:
        for key in keys:
            future = self._futures.pop(key)
            future.set_exception(error)
            future.exception()  # it may be that nobody waits any more
