"""What a run would take, before its first call."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeVar

from benchwright.asking.client import Client
from benchwright.asking.estimates import Estimate, Planned
from benchwright.asking.estimating import estimate_for
from benchwright.asking.pieces import How
from benchwright.asking.replies import Reply
from benchwright.asking.requests import Request
from benchwright.asking.rounds import StoredAnswers, Unasked, stored_answers
from benchwright.asking.session import Session
from benchwright.asking.sights import planned_looks
from evaluation.running.protocol import Matches

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stored:
    """How many answers an item found stored, by voter, and whether it wants no more."""

    answers: Counter[str]
    is_done: bool


class _Counting:
    """Passes on to stored answers and counts those that there are."""

    def __init__(self, stored: StoredAnswers, found: Counter[str]) -> None:
        self.voter = stored.voter
        self._stored, self._found = stored, found

    async def ask(self, request: Request) -> Reply:
        """Return the stored reply; raise Unasked where there is none."""
        reply = await self._stored.ask(request)
        self._found[self.voter.name] += 1
        return reply


async def estimate_matches(opened: Session, matches: Matches[T, R], how: How) -> list[Estimate]:
    """Return for each voter what playing all items would take, what is answered left out."""
    stored = [await _stored(opened, matches, item) for item in matches.items]
    return [await _estimated(opened, client, matches, stored, how) for client in _asked(opened)]


def _asked(opened: Session) -> Sequence[Client]:
    return list(opened.clients.values())


async def _estimated(
    opened: Session,
    client: Client,
    matches: Matches[T, R],
    stored: Sequence[_Stored],
    how: How,
) -> Estimate:
    name = client.voter.name
    looks = (
        await planned_looks(opened, client)
        if how.probe and name in matches.seers and not all(each.is_done for each in stored)
        else ()
    )
    planned = _planned(matches, stored, name)
    found = estimate_for(opened, client, planned, batch=how.batch, looks=looks)
    return replace(found, answered=sum(each.answers[name] for each in stored))


def _planned(matches: Matches[T, R], stored: Sequence[_Stored], voter: str) -> Iterator[Planned]:
    """Yield the calls to come: those of an item after the ones that are answered."""
    for item, before in zip(matches.items, stored, strict=True):
        if not before.is_done:
            yield from islice(matches.foresee(item, voter), before.answers[voter], None)


async def _stored(opened: Session, matches: Matches[T, R], item: T) -> _Stored:
    found: Counter[str] = Counter()
    voices = {name: _Counting(stored, found) for name, stored in stored_answers(opened).items()}
    try:
        await matches.play(item, voices)
    except Unasked:
        return _Stored(answers=found, is_done=False)
    return _Stored(answers=found, is_done=True)
