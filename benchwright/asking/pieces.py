"""Asking a list of pieces of work, each of one voter, with what came in the order of the list.

A piece may put several requests, one hanging on the answer to another. It is given whoever can be
asked: the client, or the answers that are stored alone. So the same work asks directly, goes by the
Batch API round by round, and tells beforehand what is still to be asked.
"""

import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from benchwright.asking.client import Client
from benchwright.asking.questions import Asks
from benchwright.asking.replies import Reply
from benchwright.asking.requests import Request
from benchwright.asking.rounds import StoredAnswers, Unasked, by_rounds, stored_answers
from benchwright.asking.session import Session
from benchwright.asking.several import ask_by_voter
from benchwright.asking.sights import Looks
from benchwright.asking.voters import Voter
from benchwright.errors import BenchwrightError, BudgetSpent
from benchwright.progress import Progress, no_progress

logger = logging.getLogger(__name__)


class Piece(Protocol):
    """Something to ask ``voter``, by its name."""

    @property
    def voter(self) -> str:
        """The name of the voter."""
        ...


P = TypeVar("P", bound=Piece)
R = TypeVar("R")
Work = Callable[[P, Asks], Awaitable[R]]


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """How pieces are asked: by the Batch API or directly, looking first whether voters see."""

    batch: bool = False
    probe: bool = True


async def ask_pieces(
    opened: Session,
    pieces: Sequence[P],
    work: Work[P, R],
    how: How,
    progress: Progress = no_progress,
) -> list[R | None]:
    """Return what ``work`` gave for each piece, null where a batch brought no answer yet.

    A piece whose answers are all stored makes no call. Raises what ``Client.ask`` raises once what
    was under way is stored, BudgetSpent where that kept batches from being sent, and UsageError for
    a voter that does not see pictures.
    """
    looks = Looks(opened)
    way = _by_batch if how.batch else _directly
    try:
        return await way(opened, pieces, work, looks if how.probe else None, progress)
    finally:
        for doubt in looks.doubts:
            logger.warning("%s", doubt)


async def _directly(
    opened: Session,
    pieces: Sequence[P],
    work: Work[P, R],
    looks: Looks | None,
    progress: Progress,
) -> list[R | None]:
    stored = stored_answers(opened)

    async def ask(numbered: tuple[int, P]) -> R:
        _, piece = numbered
        try:
            return await work(piece, stored[piece.voter])
        except Unasked:
            client = opened.clients[piece.voter]
            if looks is not None:
                await looks.first(client)
            return await work(piece, client)

    clients = opened.clients.values()
    at_once = {client.voter.name: client.voter.concurrency for client in clients}
    faults: dict[str, BenchwrightError] = {}
    found: dict[int, R] = {}
    bar = iter(progress("asking", len(pieces))(range(len(pieces))))
    items = {name: _of(pieces, name) for name in at_once}
    async with aclosing(ask_by_voter(ask, items, at_once, faults)) as answers:
        async for (number, _), answer in answers:
            found[number] = answer
            next(bar, None)
    for fault in faults.values():
        raise fault
    next(bar, None)  # past the last one, which closes it
    return [found[number] for number in range(len(pieces))]


def _of(pieces: Sequence[P], voter: str) -> Iterator[tuple[int, P]]:
    return ((number, piece) for number, piece in enumerate(pieces) if piece.voter == voter)


async def _by_batch(
    opened: Session,
    pieces: Sequence[P],
    work: Work[P, R],
    looks: Looks | None,
    _: Progress,
) -> list[R | None]:
    async def answered(piece: P, clients: Mapping[str, StoredAnswers]) -> R:
        return await work(piece, clients[piece.voter])

    if looks is not None:
        waiting = {piece.voter for piece in pieces if await wanted(opened, piece, work)}
        for name in sorted(waiting):
            await looks.first(opened.clients[name])
    done, batches = await by_rounds(opened, pieces, answered, folder=opened.workspace.batches)
    for note in (note for batch in batches for note in batch.notes):
        logger.warning("%s", note)
    spent = next((batch.stopped for batch in reversed(batches) if batch.stopped), None)
    if spent is not None and len(done) < len(pieces):
        raise BudgetSpent(spent)
    return [done.get(number) for number in range(len(pieces))]


@dataclass(slots=True, kw_only=True)
class Noted:
    """Passes on to stored answers and notes every request; it takes the place of a client."""

    voter: Voter
    stored: StoredAnswers
    requests: list[Request] = field(default_factory=list)

    async def ask(self, request: Request) -> Reply:
        """Return the stored reply; raise Unasked where there is none."""
        self.requests.append(request)
        return await self.stored.ask(request)


def noted(client: Client, opened: Session) -> Noted:
    """Return what stands for a client and notes what is asked of it."""
    return Noted(voter=client.voter, stored=StoredAnswers(client, opened))


async def wanted(opened: Session, piece: P, work: Work[P, R]) -> Request | None:
    """Return the first request of a piece that has no stored answer, null where none is missing."""
    client = noted(opened.clients[piece.voter], opened)
    try:
        await work(piece, client)
    except Unasked:
        return client.requests[-1]
    return None
