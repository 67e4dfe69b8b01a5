"""What asks on a node of a cluster, for a driver elsewhere that plans, paces, pays and stores."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pydantic

from benchwright.asking.replies import Usage
from benchwright.asking.requests import PicturePart, Request
from benchwright.asking.sending import LocalSender, Outgoing, Sent
from benchwright.asking.views import Encoder, bytes_of
from benchwright.asking.voters import Voter
from benchwright.errors import LostPicture

Known = tuple[Voter, pydantic.SecretStr | None]  # with its key
Given = Mapping[str, bytes]  # pictures that came with a request, by their hashes


class Asker:
    """Reads, encodes and sends from the node where it runs; keys are in its memory alone.

    A method returns LostPicture where the node does not have a picture: asked again with its bytes
    ``given``, it does.
    """

    def __init__(self, folder: Path, known: Sequence[Known]) -> None:
        """Take the folder from which relative paths start, which may not be there, and voters."""
        with suppress(OSError):
            os.chdir(folder)
        self._given: dict[str, list[bytes]] = {}  # once for each request under way
        self._encoder = Encoder(read=self._bytes)
        self._senders = {
            voter.name: LocalSender(
                voter, self._encoder, None if key is None else key.get_secret_value()
            )
            for voter, key in known
        }

    async def expected(self, voter: str, request: Request, given: Given) -> Usage | LostPicture:
        """Return the most tokens that a call may take."""
        try:
            outgoing = await self._prepared(voter, request, "", given)
        except LostPicture as error:
            return error
        return outgoing.expected or Usage()

    async def send(
        self, voter: str, request: Request, key: str, given: Given
    ) -> Sent | LostPicture:
        """Make one call and return what came of it; its reply is of ``key``."""
        try:
            outgoing = await self._prepared(voter, request, key, given)
        except LostPicture as error:
            return error
        return await outgoing.send()

    async def _prepared(self, voter: str, request: Request, key: str, given: Given) -> Outgoing:
        with self._holding(given):
            return await self._senders[voter].prepared(request, key)

    @contextmanager
    def _holding(self, given: Given) -> Iterator[None]:
        for sha256, data in given.items():
            self._given.setdefault(sha256, []).append(data)
        try:
            yield
        finally:
            for sha256 in given:
                held = self._given[sha256]
                held.pop()
                if not held:
                    del self._given[sha256]

    def _bytes(self, part: PicturePart) -> bytes:
        held = self._given.get(part.sha256)
        return held[0] if held else bytes_of(part)
