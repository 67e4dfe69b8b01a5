"""Playing many items at once, so that what bounds a run is its servers."""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import aclosing
from dataclasses import replace
from typing import TypeVar

from benchwright.asking.client import Client
from benchwright.asking.pieces import How
from benchwright.asking.questions import Asks
from benchwright.asking.replies import Reply
from benchwright.asking.requests import Request
from benchwright.asking.rounds import Unasked, by_rounds, stored_answers
from benchwright.asking.session import Session
from benchwright.asking.several import ask_by_voter
from benchwright.asking.sights import Looks
from benchwright.asking.voters import Voter
from benchwright.errors import BenchwrightError, BudgetSpent
from benchwright.plain_text import counted, excerpt
from benchwright.progress import Progress
from evaluation.running.protocol import Matches, Voices

logger = logging.getLogger(__name__)

T = TypeVar("T")
R = TypeVar("R")
Keep = Callable[[int, R], None]
_PER_CALL = 2  # items under way for each call that the voters take at once


async def play_each(
    opened: Session, matches: Matches[T, R], how: How, keep: Keep[R], progress: Progress
) -> BenchwrightError | None:
    """Play all items; ``keep`` gets the number and the record of each as it is done.

    Returns the error that ended it early, null where all were played or a batch brought no
    answer yet. Items that were under way are played to their end as far as that goes.
    """
    looks, losses = Looks(opened), _Losses()
    way = _by_batch if how.batch else _directly

    async def play(item: T, voices: Voices) -> R:
        heard: list[tuple[str, Reply]] = []
        record = await matches.play(item, _listened(voices, heard))
        if matches.is_failed(record):
            losses.note(heard)
        return record

    try:
        listened = replace(matches, play=play)
        return await way(opened, listened, looks if how.probe else None, keep, progress)
    finally:
        for note in (*looks.doubts, *losses.lines()):
            logger.warning("%s", note)


class _Losses:
    """Why items failed: the calls of theirs that brought no answer."""

    def __init__(self) -> None:
        self._found: dict[str, dict[str, str]] = defaultdict(dict)
        self._rejected: set[str] = set()

    def note(self, heard: Iterable[tuple[str, Reply]]) -> None:
        """Take notice of what an item heard that failed, each with the voter's name."""
        for voter, reply in heard:
            self._found[voter][reply.key] = excerpt(reply.error or "nothing is said")
            if reply.status == "rejected":
                self._rejected.add(voter)

    def lines(self) -> Iterator[str]:
        """Yield a line for each voter that lacks answers."""
        for name, errors in sorted(self._found.items()):
            again = "; --again rejected asks anew what it refused for good"
            yield (
                f"voter {name}: {counted(len(errors), 'call')} brought no answer, such as:"
                f" {errors[min(errors)]}{again if name in self._rejected else ''}"
            )


class _Listened:
    """Passes on to somebody who is asked, and keeps the replies that are no answer."""

    def __init__(self, asks: Asks, heard: list[tuple[str, Reply]]) -> None:
        self.voter: Voter = asks.voter
        self._asks, self._heard = asks, heard

    async def ask(self, request: Request) -> Reply:
        """Return the reply to a request; raise what is raised."""
        reply = await self._asks.ask(request)
        if reply.status in ("failed", "rejected"):
            self._heard.append((self.voter.name, reply))
        return reply


def _listened(voices: Voices, heard: list[tuple[str, Reply]]) -> Voices:
    return {name: _Listened(asks, heard) for name, asks in voices.items()}


class _Seer:
    """Asks a voter, but looks first whether it sees, as soon as there is anything to ask."""

    def __init__(self, client: Client, opened: Session, looks: Looks) -> None:
        self.voter: Voter = client.voter
        self._client, self._opened, self._looks = client, opened, looks
        self._has_looked = False

    async def ask(self, request: Request) -> Reply:
        """Return what the client does; raise what ``Looks.first`` raises."""
        if not self._has_looked:
            stored = self._opened.stored(request, self.voter)
            if stored is not None:
                return stored
            await self._looks.first(self._client)
            self._has_looked = True
        return await self._client.ask(request)


async def _directly(
    opened: Session,
    matches: Matches[T, R],
    looks: Looks | None,
    keep: Keep[R],
    progress: Progress,
) -> BenchwrightError | None:
    clients = opened.clients
    voices: dict[str, Asks] = dict(clients)
    if looks is not None:
        voices |= {name: _Seer(clients[name], opened, looks) for name in matches.seers}

    async def play(numbered: tuple[int, T]) -> R:
        return await matches.play(numbered[1], voices)

    calls = sum(client.voter.concurrency for client in clients.values())
    at_once = _PER_CALL * calls if calls > 1 else 1  # a person goes through one after the other
    items, faults = {"": enumerate(matches.items)}, dict[str, BenchwrightError]()
    total = len(matches.items)
    bar = iter(progress("playing", total)(range(total)))
    next(bar, None)  # shows that nothing is played yet; each further step, one more
    async with aclosing(ask_by_voter(play, items, {"": at_once}, faults)) as played:
        async for (number, _), record in played:
            keep(number, record)
            next(bar, None)
    return faults.get("")


async def _by_batch(
    opened: Session,
    matches: Matches[T, R],
    looks: Looks | None,
    keep: Keep[R],
    _: Progress,
) -> BenchwrightError | None:
    faults: dict[str, BenchwrightError] = {}
    if looks is not None and matches.seers and await _is_waiting(opened, matches):
        try:
            for name in sorted(matches.seers):
                await looks.first(opened.clients[name])
        except BenchwrightError as error:
            return error
    done, batches = await by_rounds(
        opened, matches.items, matches.play, folder=opened.workspace.batches, faults=faults
    )
    for number, record in sorted(done.items()):
        keep(number, record)
    for note in (note for batch in batches for note in batch.notes):
        logger.warning("%s", note)
    spent = next((batch.stopped for batch in reversed(batches) if batch.stopped), None)
    if spent is not None and len(done) < len(matches.items):
        return BudgetSpent(spent)
    return next(iter(faults.values()), None)


async def _is_waiting(opened: Session, matches: Matches[T, R]) -> bool:
    """Tell whether an answer is missing to any item."""
    stored = stored_answers(opened)
    for item in matches.items:
        try:
            await matches.play(item, stored)
        except Unasked:
            return True
    return False
