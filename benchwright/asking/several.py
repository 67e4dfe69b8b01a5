"""Asking many requests with bounded memory: what is not asked yet is not made yet."""

import asyncio
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Mapping,
)
from contextlib import aclosing
from typing import Any, TypeVar

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
    faults: dict[str, BenchwrightError] = {}
    async with aclosing(ask_by_voter(ask, {"": items}, {"": at_once}, faults)) as answers:
        async for answered in answers:
            yield answered
    for fault in faults.values():
        raise fault


async def ask_by_voter(
    ask: Callable[[T], Awaitable[R]],
    items: Mapping[str, Iterable[T]],
    at_once: Mapping[str, int],
    faults: dict[str, BenchwrightError],
) -> AsyncGenerator[tuple[T, R], None]:
    """Yield the items of all voters with what ``ask`` returned for them, as answers come.

    Voters work side by side: one that pauses holds up nobody else. ``items`` and ``at_once``, how
    many of them are under way, are by the voter's name. When an item raises a BenchwrightError,
    no further item of that voter is begun, and its first error is put into ``faults``; the others
    go on. Any other error stops everything at once.
    """
    done: asyncio.Queue[tuple[T, R] | None] = asyncio.Queue(maxsize=2 * sum(at_once.values()) or 1)
    workers = [
        asyncio.create_task(_work(ask, name, source, done, faults))
        for name, source in ((name, iter(some)) for name, some in items.items())
        for _ in range(at_once[name])
    ]
    closing = asyncio.create_task(_close(workers, done))
    try:
        while (answered := await done.get()) is not None:
            yield answered
        await closing
    finally:
        await _stopped([*workers, closing])


async def side_by_side(works: Iterable[Coroutine[Any, Any, R]]) -> list[R]:
    """Return what each gives; when one raises, the others are stopped before it is raised."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        return await asyncio.gather(*tasks)
    finally:
        await _stopped(tasks)


async def _stopped(tasks: list[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _work(
    ask: Callable[[T], Awaitable[R]],
    voter: str,
    source: Iterator[T],
    done: asyncio.Queue[tuple[T, R] | None],
    faults: dict[str, BenchwrightError],
) -> None:
    for item in source:  # shared by all workers of a voter: each takes the next that nobody has
        try:
            answer = await ask(item)
        except BenchwrightError as error:
            faults.setdefault(voter, error)
            return
        await done.put((item, answer))
        if voter in faults:
            return


async def _close(
    workers: list[asyncio.Task[None]], done: asyncio.Queue[tuple[T, R] | None]
) -> None:
    """Say when all workers are done, or raise what one of them raised."""
    try:
        await asyncio.gather(*workers)
    finally:
        await done.put(None)
