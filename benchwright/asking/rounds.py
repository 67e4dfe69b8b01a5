"""Sending what a run asks by the Batch API, round by round.

What is asked next may hang on an answer. So a round goes through all the work with the stored
answers alone, gathers the first request of each piece that has none, and sends them as batches;
the next round finds their answers stored and gets further.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from benchwright.asking.batch import BatchOutcome, BatchSettings, run_batch
from benchwright.asking.client import Client
from benchwright.asking.replies import Reply
from benchwright.asking.requests import Request, description, key_of
from benchwright.asking.session import Session
from benchwright.asking.voters import Voter

POLLING = BatchSettings()
T = TypeVar("T")
R = TypeVar("R")


class Unasked(Exception):  # no error: it says what to ask
    """A request has no stored answer."""

    def __init__(self, voter: str, request: Request) -> None:
        super().__init__(voter)
        self.voter, self.request = voter, request


class StoredAnswers:
    """Takes the place of a client and makes no call; raises Unasked where one is wanted."""

    def __init__(self, client: Client, opened: Session) -> None:
        self.voter: Voter = client.voter
        self._opened = opened

    async def ask(self, request: Request) -> Reply:
        """Return the stored final reply; raise Unasked where there is none."""
        key = key_of(description(request, self.voter))
        stored = self._opened.store.final(key, self._opened.again)
        if stored is None:
            raise Unasked(self.voter.name, request)
        return stored


Work = Callable[[T, Mapping[str, StoredAnswers]], Awaitable[R]]


async def by_rounds(
    opened: Session, items: Sequence[T], work: Work[T, R], *, folder: Path
) -> tuple[dict[int, R], list[BatchOutcome]]:
    """Return what ``work`` gave for the items that could be finished, by their numbers.

    It ends when all are finished, or when a round brings no new answer: calls failed, the budget
    is spent, batches expired. Raises what ``run_batch`` raises.
    """
    clients = {name: StoredAnswers(client, opened) for name, client in opened.clients.items()}
    outcomes: list[BatchOutcome] = []
    while True:
        done: dict[int, R] = {}
        wanted: dict[str, list[Request]] = {name: [] for name in clients}
        for number, item in enumerate(items):
            try:
                done[number] = await work(item, clients)
            except Unasked as next_one:
                wanted[next_one.voter].append(next_one.request)
        asked = {name: requests for name, requests in wanted.items() if requests}
        if not asked:
            return done, outcomes
        sent = await asyncio.gather(
            *(_send(opened, name, requests, folder) for name, requests in asked.items())
        )
        outcomes += sent
        if not any(outcome.collected + outcome.rejected for outcome in sent):
            return done, outcomes


async def _send(
    opened: Session, name: str, requests: Sequence[Request], folder: Path
) -> BatchOutcome:
    return await run_batch(
        opened.clients[name].voter,
        requests,
        opened.store,
        opened.encoder,
        opened.budget,
        folder=folder,
        again=opened.again,
        settings=POLLING,
    )
