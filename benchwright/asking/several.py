"""Asking many requests with bounded memory: what is not asked yet is not made yet."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import suppress
from typing import TypeVar

from benchwright.errors import BenchwrightError

T = TypeVar("T")
R = TypeVar("R")


async def ask_each(
    ask: Callable[[T], Awaitable[R]], items: Iterable[T], at_once: int
) -> AsyncIterator[tuple[T, R]]:
    """Yield each item with what ``ask`` returned for it, in the order in which answers come.

    At most ``at_once`` items are under way. When one raises a BenchwrightError (the budget is
    spent, the server is gone) no further item is begun, those under way are finished and
    yielded, and then it is raised. Any other error stops everything at once.
    """
    source = iter(items)
    done: asyncio.Queue[tuple[T, R] | None] = asyncio.Queue(maxsize=2 * at_once)
    faults: list[BenchwrightError] = []
    workers = [asyncio.create_task(_work(ask, source, done, faults)) for _ in range(at_once)]
    closing = asyncio.create_task(_close(workers, done))
    try:
        while (answered := await done.get()) is not None:
            yield answered
        await closing
    finally:
        for task in (*workers, closing):
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*workers, closing, return_exceptions=True)
    if faults:
        raise faults[0]


async def _work(
    ask: Callable[[T], Awaitable[R]],
    source: Iterator[T],
    done: asyncio.Queue[tuple[T, R] | None],
    faults: list[BenchwrightError],
) -> None:
    for item in source:  # shared by all workers: each takes the next that nobody has
        try:
            answer = await ask(item)
        except BenchwrightError as error:
            faults.append(error)
            return
        await done.put((item, answer))
        if faults:
            return


async def _close(
    workers: list[asyncio.Task[None]], done: asyncio.Queue[tuple[T, R] | None]
) -> None:
    """Say when all workers are done, or raise what one of them raised."""
    try:
        await asyncio.gather(*workers)
    finally:
        await done.put(None)
