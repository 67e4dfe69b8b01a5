"""Work spread over workers, with results in the order of the input: here, over processes.

Processes, because decoding and drawing pictures hold Python's lock; started by spawn, because a
fork of a process that has threads (pyarrow's, numba's) can hang. So a script that calls this must
keep its own code under ``if __name__ == "__main__"``. One worker means no process at all.
"""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from multiprocessing.connection import wait
from typing import Generic, Protocol, TypeVar

from benchwright.errors import BenchwrightError

T = TypeVar("T")
R = TypeVar("R")
F = TypeVar("F")

IN_FLIGHT = 4  # batches out per worker: enough to keep it busy, few enough to bound memory


class Workers(Protocol):
    """Whoever does the work: processes or threads of this machine, or those of a Ray cluster."""

    @property
    def count(self) -> int:
        """How many batches are worked on at once."""
        ...

    @property
    def elsewhere(self) -> bool:
        """Whether they may be on other machines, which do not see every file of this one."""
        ...

    def map_ordered(
        self, function: Callable[[T], R], items: Iterable[T], *, batch: int = 1
    ) -> Generator[R, None, None]:
        """Yield ``function(item)`` for each item, in the order of the items.

        Few batches are out at once, so both the items and the results may be endless. The first
        exception that the function raises is raised here, after the results before it.
        """
        ...

    def share(self, value: T) -> Callable[[], T]:
        """Return what gives the value to functions that are mapped; it may be large.

        Who gets it must not change it.
        """
        ...


@dataclass(frozen=True, slots=True)
class Here(Generic[T]):
    """A shared value that goes where the function goes."""

    value: T

    def __call__(self) -> T:
        """Return it."""
        return self.value


@dataclass(frozen=True, slots=True)
class Done(Generic[R]):
    """The results of a batch, up to the item for which the function raised."""

    results: list[R]
    error: Exception | None

    def unpacked(self) -> Generator[R, None, None]:
        """Yield the results; raise what was raised after them."""
        yield from self.results
        if self.error is not None:
            raise self.error


def run_batch(function: Callable[[T], R], items: list[T]) -> Done[R]:
    """Return the results of a batch, in a worker; an exception of its first item is raised."""
    results: list[R] = []
    for item in items:
        try:
            results.append(function(item))
        except Exception as error:
            if not results:
                raise  # as it is, with the traceback that the executor carries over
            return Done(results, error)
    return Done(results, None)


def in_order(
    submit: Callable[[list[T]], F],
    done: Callable[[F], Done[R]],
    cancel: Callable[[F], object],
    items: Iterable[T],
    *,
    batch: int,
    most: int,
) -> Generator[R, None, None]:
    """Yield the results of batches that are out, ``most`` of them at once, in their order.

    ``submit`` sends one out, ``done`` waits for it, ``cancel`` is called for those that nobody
    will wait for.
    """
    pending: deque[F] = deque()
    rest = iter(items)
    try:
        while some := list(islice(rest, batch)):
            pending.append(submit(some))
            if len(pending) >= most:
                yield from done(pending.popleft()).unpacked()
        while pending:
            yield from done(pending.popleft()).unpacked()
    finally:
        for one in pending:
            cancel(one)


@dataclass(slots=True)
class Pool:
    """Worker processes; ``pool`` makes it and ends it. They start with the first map."""

    workers: int
    _executor: ProcessPoolExecutor | None = None

    @property
    def count(self) -> int:
        """How many batches are worked on at once."""
        return self.workers

    @property
    def elsewhere(self) -> bool:
        """Whether the workers may be on other machines."""
        return False

    def share(self, value: T) -> Callable[[], T]:
        """Return what gives the value; it is pickled for each batch, so it should be small."""
        return Here(value)

    def map_ordered(
        self, function: Callable[[T], R], items: Iterable[T], *, batch: int = 1
    ) -> Generator[R, None, None]:
        """Yield ``function(item)`` for each item, in the order of the items.

        At most ``4 * workers`` batches are out at once, so both the items and the results may be
        endless. The first exception that the function raises is raised here. With more than one
        worker the function, the items and the results must be picklable. Handing over a task
        costs about a third of a millisecond: where one takes little more, give a ``batch``.

        Raises BenchwrightError when a worker process dies.
        """
        if self.workers == 1:
            yield from map(function, items)
            return
        submit: Callable[[list[T]], Future[Done[R]]] = partial(
            self._submit, partial(run_batch, function)
        )
        most = IN_FLIGHT * self.workers
        try:
            yield from in_order(submit, Future.result, Future.cancel, items, batch=batch, most=most)
        except BrokenProcessPool as error:
            raise BenchwrightError(
                "a worker process died; if it ran out of memory, run it again with --workers 1; "
                'a script of your own must call this under: if __name__ == "__main__"'
            ) from error

    def _submit(self, function: Callable[[T], R], item: T) -> Future[R]:
        if self._executor is None:
            context = multiprocessing.get_context("spawn")
            self._executor = ProcessPoolExecutor(self.workers, context, _follow_parent)
        with _ctrl_c_held():  # this may start a process
            return self._executor.submit(function, item)

    def _end(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)


@contextmanager
def pool(workers: int | None = None) -> Iterator[Pool]:
    """Open a pool of that many workers, by default one for each processor."""
    chosen = Pool(workers or os.cpu_count() or 1)
    try:
        yield chosen
    finally:
        chosen._end()


def map_ordered(
    function: Callable[[T], R], items: Iterable[T], workers: int | None = None
) -> Generator[R, None, None]:
    """Yield ``function(item)`` in the order of the items, from a pool of its own."""
    with pool(workers) as chosen:
        yield from chosen.map_ordered(function, items)


@contextmanager
def _ctrl_c_held() -> Iterator[None]:
    """Hold Ctrl-C back for a moment; a process started meanwhile never gets it.

    So the parent alone answers it, and no worker, not even one that is just starting, prints a
    traceback of its own.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _follow_parent() -> None:
    """Die with the parent however it dies; runs in each worker as it starts."""
    parent = multiprocessing.parent_process()

    def follow() -> None:
        if parent is not None:
            wait([parent.sentinel])
            os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
