"""Sending what a run asks by the Batch API, round by round.

What is asked next may hang on an answer. So a round goes through all the work with the stored
answers alone, gathers what each piece wants to ask and has no answer to, and sends it as batches;
the next round finds their answers stored and gets further.
"""

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from benchwright.asking.batch import BatchOutcome, BatchSettings, run_batch
from benchwright.asking.client import Client
from benchwright.asking.replies import Reply
from benchwright.asking.requests import Request
from benchwright.asking.session import Session
from benchwright.asking.several import side_by_side
from benchwright.asking.voters import Voter
from benchwright.errors import BenchwrightError

BATCH_SETTINGS = BatchSettings()
T = TypeVar("T")
R = TypeVar("R")


class Unasked(Exception):  # no error: it says what to ask
    """Requests have no stored answer; ``wanted`` are they, each with the name of its voter.

    Work that can ask several things at once raises one with all of them: they go out together.
    """

    def __init__(self, *wanted: tuple[str, Request]) -> None:
        super().__init__(", ".join(voter for voter, _ in wanted))
        self.wanted = wanted


class StoredAnswers:
    """Takes the place of a client and makes no call; raises Unasked where one is wanted."""

    def __init__(self, client: Client, opened: Session) -> None:
        self.voter: Voter = client.voter
        self._opened = opened

    async def ask(self, request: Request) -> Reply:
        """Return the stored final reply; raise Unasked where there is none."""
        stored = self._opened.stored(request, self.voter)
        if stored is None:
            raise Unasked((self.voter.name, request))
        return stored


async def together(works: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Return what each gives, in their order; raise one Unasked for all that is missing to any.

    So what is asked of one item at once goes out in one round. Any other error stops the others.
    """
    found = await side_by_side(_or_unasked(work) for work in works)
    wanted = [each for one in found if isinstance(one, Unasked) for each in one.wanted]
    if wanted:
        raise Unasked(*wanted)
    return [one for one in found if not isinstance(one, Unasked)]


async def _or_unasked(work: Coroutine[Any, Any, T]) -> T | Unasked:
    try:
        return await work
    except Unasked as unasked:  # the others have theirs to ask, too
        return unasked


Work = Callable[[T, Mapping[str, StoredAnswers]], Awaitable[R]]


async def by_rounds(
    opened: Session,
    items: Sequence[T],
    work: Work[T, R],
    *,
    folder: Path,
    faults: dict[str, BenchwrightError] | None = None,
) -> tuple[dict[int, R], list[BatchOutcome]]:
    """Return what ``work`` gave for the items that could be finished, by their numbers.

    It ends when all are finished, or when a round brings no new answer: calls failed, the budget
    is spent, batches expired. A BenchwrightError of one voter (its server is gone) ends the
    batches of that voter alone; it is put into ``faults`` by the voter's name, and without them
    raised when the others are done. Raises what ``run_batch`` raises.
    """
    clients = stored_answers(opened)
    outcomes: list[BatchOutcome] = []
    gone: dict[str, BenchwrightError] = {} if faults is None else faults
    while True:
        done: dict[int, R] = {}
        wanted: dict[str, list[Request]] = {name: [] for name in clients}
        for number, item in enumerate(items):
            try:
                done[number] = await work(item, clients)
            except Unasked as unasked:
                for voter, request in unasked.wanted:
                    wanted[voter].append(request)
        asked = {name: some for name, some in wanted.items() if some and name not in gone}
        sent = await side_by_side(_sent(opened, asked, name, folder, gone) for name in asked)
        came = [outcome for outcome in sent if outcome is not None]
        outcomes += came
        if not any(outcome.collected + outcome.rejected for outcome in came):
            break
    if faults is None:
        for fault in gone.values():
            raise fault
    return done, outcomes


def stored_answers(opened: Session) -> dict[str, StoredAnswers]:
    """Return what stands for the clients of a session where no call may be made, by name."""
    return {name: StoredAnswers(client, opened) for name, client in opened.clients.items()}


async def _sent(
    opened: Session,
    asked: Mapping[str, Sequence[Request]],
    name: str,
    folder: Path,
    gone: dict[str, BenchwrightError],
) -> BatchOutcome | None:
    """Send what a voter is asked; null where that ended in an error, which is then in ``gone``."""
    try:
        return await run_batch(
            opened.clients[name].voter,
            asked[name],
            opened.store,
            opened.encoder,
            opened.budget,
            folder=folder,
            again=opened.again,
            settings=BATCH_SETTINGS,
        )
    except BenchwrightError as error:
        gone[name] = error
        return None
