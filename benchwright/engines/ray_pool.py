"""Work spread over a Ray cluster, with results in the order of the input."""

import os
import traceback
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any, Generic, TypeVar

from benchwright.engines.ray_cluster import Cluster, first_line
from benchwright.engines.ray_nodes import Ready, unfit
from benchwright.errors import BenchwrightError, UsageError
from benchwright.workers import IN_FLIGHT, Done, in_order, run_batch

T = TypeVar("T")
R = TypeVar("R")

_RETRIES = 5  # of a task whose worker or node died


@dataclass(frozen=True, slots=True)
class _There(Generic[T]):
    """A value in the cluster's store of objects; arrays in it are read where they lie."""

    reference: Any

    def __call__(self) -> T:
        value: T = _fetched(self.reference)
        return value


@lru_cache(maxsize=2)  # a stage shares a few values, one after another
def _fetched(reference: Any) -> Any:
    import ray  # noqa: PLC0415  # an extra

    return ray.get(reference)


@dataclass(frozen=True, slots=True, kw_only=True)
class RayPool:
    """The workers of a cluster: one for each processor that its nodes lend.

    With ``whole_nodes`` there is one for each node, which then has as many threads as the node
    with the fewest processors: for what uses several by itself.
    """

    cluster: Cluster
    whole_nodes: bool = False

    @property
    def count(self) -> int:
        """How many batches are worked on at once."""
        return sum(node.cpus // self._cpus() for node in self.cluster.nodes)

    @property
    def elsewhere(self) -> bool:
        """Whether the workers may be on other machines."""
        return True

    def map_ordered(
        self, function: Callable[[T], R], items: Iterable[T], *, batch: int = 1
    ) -> Generator[R, None, None]:
        """Yield ``function(item)`` for each item, in the order of the items.

        At most four batches for each worker are out at once. A batch whose worker or node dies is
        done again, five times at most, so the function must not mind being called twice. It is
        sent once; a task costs about a millisecond. The first exception that the function raises
        is raised here.

        Raises BenchwrightError when the cluster cannot do a batch: memory ran out, or each worker
        that had it died.
        """
        import ray  # noqa: PLC0415  # an extra

        task: Any = ray.remote(_run).options(num_cpus=self._cpus(), max_retries=_RETRIES)
        submit = partial(task.remote, self.cluster.ready, ray.put(function))
        most = IN_FLIGHT * self.count
        yield from in_order(submit, _result, _cancel, items, batch=batch, most=most)

    def share(self, value: T) -> Callable[[], T]:
        """Return what gives the value to functions that are mapped; it is sent to a node once.

        Arrays in it are read-only there.
        """
        import ray  # noqa: PLC0415  # an extra

        return _There(ray.put(value))

    def _cpus(self) -> int:
        return min(node.cpus for node in self.cluster.nodes) if self.whole_nodes else 1


def _run(ready: Ready, function: Callable[[T], R], items: list[T]) -> Done[R]:
    """Run in a worker process of a node; what the function raises is handed back as a value."""
    try:
        _settle_in(ready)
        return run_batch(function, items)
    except BenchwrightError as error:
        return Done([], error)
    except Exception as error:  # noqa: BLE001  # it is raised again where the results are read
        error.add_note("in a worker of the Ray cluster:\n" + traceback.format_exc())
        return Done([], error)


@cache
def _settle_in(ready: Ready) -> None:
    """Look at this machine, which may have come later, and go where relative paths start from."""
    problem = unfit(ready)
    if problem is not None:
        raise UsageError(f"node {os.uname().nodename} of the Ray cluster: {problem}")
    with suppress(OSError):  # not there: only what is named relative to it is missed
        os.chdir(ready.place)


def _cancel(reference: Any) -> None:
    import ray  # noqa: PLC0415  # an extra

    if ray.is_initialized():  # it is not where the cluster was left before this map was
        ray.cancel(reference)


def _result(reference: Any) -> Done[Any]:
    from ray.exceptions import RayError, RayTaskError  # noqa: PLC0415  # an extra

    try:
        # a future, because in ray.get what a handler of Ctrl-C raises is lost
        found: Done[Any] = reference.future().result()
    except RayTaskError as error:  # the function, an item or a result that cannot be pickled
        if isinstance(error.cause, Exception):
            raise error.cause from error
        raise
    except RayError as error:
        raise BenchwrightError(
            f"the Ray cluster could not do a task, tried {_RETRIES + 1} times"
            f" ({type(error).__name__}: {first_line(error)}); run it again, and if memory ran out"
            " lend fewer processors there: ray start --num-cpus N"
        ) from error
    return found
