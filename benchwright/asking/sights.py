"""Looking, before a voter is asked, whether it sees pictures at all."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import get_args

from benchwright.asking.client import Client
from benchwright.asking.estimates import Planned
from benchwright.asking.eyesight.sight import SIDE, Sight, check_sight, longest_looks
from benchwright.asking.replies import Reply, ReplyStatus
from benchwright.asking.requests import Request
from benchwright.asking.rounds import StoredAnswers, Unasked
from benchwright.asking.session import Session
from benchwright.asking.tally import Bought
from benchwright.asking.voters import Voter
from benchwright.errors import BenchwrightError, ServerError, UsageError
from benchwright.plain_text import excerpt

_ALL: frozenset[ReplyStatus] = frozenset(get_args(ReplyStatus))
_NOT_SEEING = {"ignores": "answers as if there were none", "refuses": "refuses them"}
_REMEDY = (
    "run benchwright doctor on the file, or name another voter with --only; where a command has"
    " --no-probe, that asks all the same"
)


class _Heard:
    """Keeps the error of a server that takes no request, which a look takes for an answer."""

    def __init__(self, client: Client) -> None:
        self.voter = client.voter
        self.fault: ServerError | None = None
        self._client = client

    async def ask(self, request: Request) -> Reply:
        """Return what the client does."""
        try:
            return await self._client.ask(request)
        except ServerError as error:
            self.fault = error
            raise


class Looks:
    """Looks at each voter of a session once, when it is first to be asked something.

    ``bought`` is what the looks took, by voter.
    """

    def __init__(self, opened: Session) -> None:
        self.bought: dict[str, Bought] = {}
        self._opened = opened
        self._doubted: dict[str, Sight] = {}
        self._turns: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._found: dict[str, BenchwrightError | None] = {}

    @property
    def doubts(self) -> list[str]:
        """Lines for the user about voters that may not see well."""
        alike: dict[tuple[int, int], list[str]] = defaultdict(list)
        for name, sight in self._doubted.items():
            alike[sight.right, sight.asked].append(name)
        return [
            f"{'voter' if len(names) == 1 else 'voters'} {', '.join(names)} named {right} of"
            f" {asked} plain colours rightly ({self._example(names[0])}): what is said of pictures"
            " may be worth little"
            for (right, asked), names in alike.items()
        ]

    def _example(self, name: str) -> str:
        return excerpt(self._doubted[name].message or "nothing")

    async def first(self, client: Client) -> None:
        """Make sure that a voter sees pictures; whoever asks meanwhile waits for the same look.

        Only that it sees is taken from stored replies: a server that did not when it was looked
        at before may have been mended since, and is asked anew.

        Raises UsageError for a voter that does not see them, since its answers would be worth
        nothing, ServerError for one that answers nothing, BudgetSpent.
        """
        name = client.voter.name
        async with self._turns[name]:
            if name not in self._found:
                try:
                    await self._look(client)
                    self._found[name] = None
                except BenchwrightError as error:
                    self._found[name] = error
            fault = self._found[name]
        if fault is not None:
            raise fault

    async def _look(self, client: Client) -> None:
        opened, voter = self._opened, client.voter
        if await _is_known_to_see(opened, client):
            return
        before = replace(opened.store.bought[voter.name])
        anew = Client(
            voter,
            opened.store,
            opened.encoder,
            budget=opened.budget,
            again=_ALL,
            connect=opened.connect,
        )
        try:
            async with anew:
                sight = await check_sight(heard := _Heard(anew))
        finally:
            self.bought[voter.name] = opened.store.bought[voter.name].less(before)
        if heard.fault is not None:  # not of its eyes, and it names a remedy
            raise heard.fault
        _check(voter, sight)
        if sight.verdict != "sees":
            self._doubted[voter.name] = sight


async def planned_looks(opened: Session, client: Client) -> list[Planned]:
    """Return the calls that a look at this voter would take."""
    if await _is_known_to_see(opened, client):
        return []
    return list(_planned())


async def _is_known_to_see(opened: Session, client: Client) -> bool:
    try:
        return (await check_sight(StoredAnswers(client, opened))).verdict == "sees"
    except Unasked:
        return False


def _planned() -> Iterator[Planned]:
    *certain, last = longest_looks()
    for request in certain:
        yield Planned(
            request=request, sizes=((SIDE, SIDE),) * len([*request.pictures()]), kind="single"
        )
    yield Planned(request=last, sizes=((SIDE, SIDE),), kind="possible")


def _check(voter: Voter, sight: Sight) -> None:
    """Raise an error where the answers of a voter would be worth nothing."""
    said = f" ({excerpt(sight.message)})" if sight.message else ""
    if sight.verdict == "unanswered":
        raise ServerError(
            f"voter {voter.name}: {voter.base_url} does not answer even a text{said}; benchwright"
            " doctor finds out what it takes"
        )
    if sight.verdict in _NOT_SEEING:
        why = f"{_NOT_SEEING[sight.verdict]}{said}"
        raise UsageError(f"voter {voter.name} does not see pictures: it {why}; {_REMEDY}")
