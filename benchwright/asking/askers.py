"""The calls of a run spread over the nodes of a Ray cluster, one asker on each.

The driver keeps what there must be one of: the plan, each voter's limiter, the budget, the store.
What a node takes over is the work of a call: reading, scaling and encoding pictures, the
connection, reading the answer. All questions about a picture go to one node where they can, so
that it is decoded once and a server of that node finds it in its cache.
"""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pydantic

from benchwright.asking.asker import Asker, Given, Known
from benchwright.asking.failures import Failure
from benchwright.asking.replies import Usage
from benchwright.asking.requests import Request
from benchwright.asking.sending import Outgoing, Sent, failed_reply, needs_usage
from benchwright.asking.views import Encoder, bytes_of
from benchwright.asking.voters import Voter
from benchwright.engines.ray_cluster import Cluster
from benchwright.engines.ray_crew import Crew, MemberLost
from benchwright.errors import BenchwrightError, LostPicture

_TRIES = 5  # of a request whose pictures may be what kills a process
_AT_ONCE = 10_000  # calls of one asker; how many there are is the limiters' affair


class Askers:
    """One asker on each node of a cluster; ``sender`` is a ``Connect``."""

    def __init__(self, cluster: Cluster) -> None:
        self._known: dict[str, Known] = {}
        self._crew = Crew(
            cluster, Asker, lambda: (Path.cwd(), [*self._known.values()]), at_once=_AT_ONCE
        )

    def sender(self, voter: Voter, _: Encoder, secret: str | None) -> "RemoteSender":
        """Return the sender of a voter; each voter has one before the first call."""
        if voter.name not in self._known:
            if self._crew.is_started:
                raise RuntimeError(f"voter {voter.name} comes after the first call")
            key = None if secret is None else pydantic.SecretStr(secret)
            self._known[voter.name] = voter, key
        return RemoteSender(self._crew, voter)

    def close(self) -> None:
        """End all askers."""
        self._crew.close()


@dataclass(frozen=True, slots=True)
class RemoteSender:
    """Makes the calls of a voter from the nodes of a cluster."""

    crew: Crew
    voter: Voter

    async def prepared(self, request: Request, key: str) -> Outgoing:
        """Return a request; its pictures are encoded only where the size of them is wanted."""
        expected = await self._expected(request) if needs_usage(self.voter) else None
        return _Remote(sender=self, request=request, key=key, expected=expected)

    async def close(self) -> None:
        """Do nothing: other senders use the same askers."""

    async def asked(self, method: str, request: Request, *more: Any, before: int = 0) -> Any:
        """Return what a method of an asker returns, with the pictures where its node lacks them.

        What was tried ``before``, so many times, may go to another node than its picture prefers:
        it may be the server of that node that does not answer.
        Raises LostPicture where the pictures are not here either, and as ``Crew.call`` does.
        """
        picture = next((part.sha256 for part in request.pictures()), "")
        call = (f"{picture} {before}", method, self.voter.name, request, *more)
        found = await self.crew.call(*call, {})
        if isinstance(found, LostPicture):
            found = await self.crew.call(*call, await asyncio.to_thread(_pictures_of, request))
        if isinstance(found, LostPicture):
            raise found
        return found

    async def _expected(self, request: Request) -> Usage:
        for _ in range(_TRIES):
            try:
                found: Usage = await self.asked("expected", request)
            except MemberLost:
                continue  # nothing was bought
            return found
        paths = ", ".join(str(part.path) for part in request.pictures())
        raise BenchwrightError(
            f"each of {_TRIES} processes of the Ray cluster died that encoded {paths}; if memory"
            " ran out, see to what else runs on its nodes, and run it again"
        )


def _pictures_of(request: Request) -> Given:
    return {part.sha256: bytes_of(part) for part in request.pictures()}


@dataclass(slots=True, kw_only=True)
class _Remote:
    sender: RemoteSender
    request: Request
    key: str
    expected: Usage | None
    attempts: int = 0

    async def send(self) -> Sent:
        loop = asyncio.get_running_loop()
        started, before = loop.time(), self.attempts
        self.attempts += 1
        try:
            sent: Sent = await self.sender.asked("send", self.request, self.key, before=before)
        except MemberLost as lost:
            failure = Failure(
                kind="lost",
                message=f"what asked on node {lost} is gone",
                is_counted=True,
                may_be_billed=True,
            )
            return failed_reply(self.key, failure, loop.time() - started), failure
        return sent
