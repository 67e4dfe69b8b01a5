"""One process on each node of a Ray cluster that keeps something open: connections, a model."""

import hashlib
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from benchwright.engines.ray_cluster import Cluster, Node, first_line
from benchwright.errors import BenchwrightError

logger = logging.getLogger(__name__)

_ROOM = 1.25  # of an equal share, that a node may have under way
_DEATHS = 3  # in a row, without an answer between, after which a node is left alone


class MemberLost(Exception):  # no error of a user's: the call is made again elsewhere
    """The process that was called is gone, alone or with its node, of which this is the name."""


@dataclass(slots=True, kw_only=True, eq=False)
class _Post:
    """A member's place on a node."""

    node: Node
    actor: Any
    under_way: int = 0
    deaths: int = 0  # in a row


class Crew:
    """Calls go to the member that a key prefers, unless it has much more to do than others.

    Members are started by the first call. One that dies is replaced while its node lives; what it
    had under way is lost, and whoever called it is told. Use it in one event loop.
    """

    def __init__(
        self,
        cluster: Cluster,
        kind: type,
        arguments: Callable[[], tuple[Any, ...]],
        *,
        at_once: int,
    ) -> None:
        """Take a class, and what gives the arguments of a member when it is started.

        Each member does so many calls at once.
        """
        self._cluster, self._kind, self._arguments = cluster, kind, arguments
        self._at_once = at_once
        self._posts: list[_Post] | None = None

    @property
    def is_started(self) -> bool:
        """Whether there was a call."""
        return self._posts is not None

    async def call(self, key: str, method: str, *arguments: Any) -> Any:
        """Return what a method of a member returns.

        Raises MemberLost where that member is gone, BenchwrightError where none is left, and what
        the method raises.
        """
        with self._called(key) as actor:
            return await getattr(actor, method).remote(*arguments)

    def close(self) -> None:
        """End all members; no call may follow."""
        for post in self._posts or ():
            _end(post.actor)
        self._posts = []

    @contextmanager
    def _called(self, key: str) -> Iterator[Any]:
        from ray.exceptions import (  # noqa: PLC0415  # an extra
            ObjectLostError,
            RayActorError,
            RayError,
            RayTaskError,
        )

        post = self._chosen(key)
        actor = post.actor
        try:
            yield actor
            post.deaths = 0
        except (RayActorError, ObjectLostError) as error:  # a large result dies with its node
            self._lost(post, actor)
            raise MemberLost(post.node.name) from error
        except RayTaskError as error:
            if isinstance(error.cause, Exception):
                raise error.cause from error
            raise
        except RayError as error:
            raise BenchwrightError(
                f"the Ray cluster does not go on ({type(error).__name__}: {first_line(error)});"
                " see to it, and run it again: what was done is kept"
            ) from error
        finally:
            post.under_way -= 1

    def _chosen(self, key: str) -> _Post:
        if self._posts is None:
            self._posts = [
                _Post(node=node, actor=self._started(node)) for node in self._cluster.nodes
            ]
        if not self._posts:
            raise BenchwrightError(
                "no node of the Ray cluster is left to work on; see to its nodes and run it again:"
                " what was done is kept"
            )
        most = _ROOM * (1 + sum(post.under_way for post in self._posts)) / len(self._posts)
        free = [post for post in self._posts if post.under_way < most]
        post = max(free, key=lambda one: _affinity(key, one.node.node_id))
        post.under_way += 1
        return post

    def _started(self, node: Node) -> Any:
        import ray  # noqa: PLC0415  # an extra
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy  # noqa: PLC0415

        started: Any = ray.remote(self._kind).options(
            num_cpus=0,  # there is one on a node, whatever else runs there
            max_concurrency=self._at_once,
            max_restarts=0,  # whoever called it is told, and the next one is started here
            scheduling_strategy=NodeAffinitySchedulingStrategy(node.node_id, soft=False),
        )
        return started.remote(*self._arguments())

    def _lost(self, post: _Post, actor: Any) -> None:
        """Replace a member that is gone where its node lives, else do without the node."""
        import ray  # noqa: PLC0415  # an extra

        if post.actor is not actor:  # another of its calls told it before
            return
        _end(actor)  # or it was only out of reach, and would do what another does
        post.deaths += 1
        found: list[Any] = ray.nodes()
        lives = any(one["NodeID"] == post.node.node_id and one["Alive"] for one in found)
        if lives and post.deaths < _DEATHS:
            post.actor = self._started(post.node)
            logger.warning("node %s: a process died; it is started anew", post.node.name)
            return
        post.actor = None
        self._posts = [each for each in self._posts or () if each is not post]
        what = "its processes die" if lives else "it is lost"
        logger.warning("node %s: %s; the others take over", post.node.name, what)


def _affinity(key: str, node: str) -> bytes:
    """Return how much a node is preferred for a key: the others keep theirs when one is lost."""
    return hashlib.blake2b(f"{key} {node}".encode(), digest_size=8).digest()


def _end(actor: Any) -> None:
    import ray  # noqa: PLC0415  # an extra

    with suppress(ray.exceptions.RayError):  # gone with its node
        ray.kill(actor)
