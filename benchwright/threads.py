"""Work spread over threads, for compiled code that lets go of Python's lock."""

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from benchwright.workers import IN_FLIGHT, Done, Here, in_order, run_batch

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Threads:
    """Some threads; ``threads`` makes it and ends it."""

    count: int
    _executor: ThreadPoolExecutor

    @property
    def elsewhere(self) -> bool:
        """Whether the workers may be on other machines."""
        return False

    def share(self, value: T) -> Callable[[], T]:
        """Return what gives the value, which is nowhere but here."""
        return Here(value)

    def map_ordered(
        self, function: Callable[[T], R], items: Iterable[T], *, batch: int = 1
    ) -> Generator[R, None, None]:
        """Yield ``function(item)`` for each item, in the order of the items, as ``Workers`` do."""

        def submit(some: list[T]) -> Future[Done[R]]:
            return self._executor.submit(partial(run_batch, function), some)

        most = IN_FLIGHT * self.count
        yield from in_order(submit, Future.result, Future.cancel, items, batch=batch, most=most)


@contextmanager
def threads(count: int | None = None) -> Iterator[Threads]:
    """Open so many threads, by default one for each processor."""
    chosen = count or os.cpu_count() or 1
    with ThreadPoolExecutor(chosen) as executor:
        yield Threads(chosen, executor)
