"""Looking, before a voter is asked, whether it sees pictures at all."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import get_args

from benchwright.asking.client import Client
from benchwright.asking.doctor.findings import Sight
from benchwright.asking.doctor.sight import SIDE, check_sight, longest_looks
from benchwright.asking.estimates import Planned
from benchwright.asking.replies import ReplyStatus
from benchwright.asking.rounds import StoredAnswers, Unasked
from benchwright.asking.session import Session
from benchwright.asking.tally import Bought
from benchwright.errors import BenchwrightError, ServerError, UsageError

_ALL: frozenset[ReplyStatus] = frozenset(get_args(ReplyStatus))
_NOT_SEEING = {"ignores": "answers as if there were none", "refuses": "refuses them"}
_REMEDY = "run benchwright doctor on the file, or ask all the same with --no-probe"


class Looks:
    """Looks at each voter of a session once, when it is first to be asked something.

    ``doubts`` are lines for the user about voters that may not see well, ``bought`` is what the
    looks took, by voter.
    """

    def __init__(self, opened: Session) -> None:
        self.doubts: list[str] = []
        self.bought: dict[str, Bought] = {}
        self._opened = opened
        self._turns: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._found: dict[str, BenchwrightError | None] = {}

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
        anew = Client(voter, opened.store, opened.encoder, budget=opened.budget, again=_ALL)
        try:
            async with anew:
                sight = await check_sight(anew)
        finally:
            self.bought[voter.name] = opened.store.bought[voter.name].less(before)
        doubt = _doubt(voter.name, sight)
        if doubt is not None:
            self.doubts.append(doubt)


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


def _doubt(name: str, sight: Sight) -> str | None:
    if sight.verdict == "sees":
        return None
    said = f" ({sight.message})" if sight.message else ""
    if sight.verdict == "takes":
        return (
            f"voter {name} named {sight.right} of {sight.asked} plain colours rightly{said}: what"
            " it says of pictures may be worth little"
        )
    if sight.verdict == "unanswered":
        why = sight.message or ""
        if why.startswith(f"voter {name}: "):  # what the client says already names a remedy
            raise ServerError(why)
        raise ServerError(f"voter {name} does not even answer a text{said}; {_REMEDY}")
    raise UsageError(
        f"voter {name} does not see pictures: it {_NOT_SEEING[sight.verdict]}{said}; {_REMEDY}"
    )
