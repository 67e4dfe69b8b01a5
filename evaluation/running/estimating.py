"""What a run would take, before its first call."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from benchwright.asking.client import Client
from benchwright.asking.estimates import Estimate, Planned
from benchwright.asking.estimating import estimate_for
from benchwright.asking.pieces import How
from benchwright.asking.replies import Reply
from benchwright.asking.requests import Message, Request
from benchwright.asking.rounds import StoredAnswers, Unasked, stored_answers
from benchwright.asking.session import Session
from benchwright.asking.sights import planned_looks
from evaluation.running.protocol import Matches

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stored:
    """How many answers an item found stored, by voter, and whether it wants no more.

    ``asked`` counts those that are not of a request that was asked again with more room.
    """

    answers: Counter[str]
    asked: Counter[str]
    is_done: bool


class _Counting:
    """Passes on to stored answers and counts those that there are."""

    def __init__(self, stored: StoredAnswers, found: _Stored) -> None:
        self.voter = stored.voter
        self._stored, self._found = stored, found
        self._last: tuple[Message, ...] = ()

    async def ask(self, request: Request) -> Reply:
        """Return the stored reply; raise Unasked where there is none."""
        reply = await self._stored.ask(request)
        self._found.answers[self.voter.name] += 1
        self._found.asked[self.voter.name] += request.messages != self._last
        self._last = request.messages
        return reply


async def estimate_matches(opened: Session, matches: Matches[T, R], how: How) -> list[Estimate]:
    """Return for each voter what playing all items would take, what is answered left out."""
    stored = [await _stored(opened, matches, item) for item in matches.items]
    clients = opened.clients.values()
    return [await _estimated(opened, client, matches, stored, how) for client in clients]


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
            yield from _after(matches.foresee(item, voter), before.asked[voter])


def _after(planned: Iterable[Planned], answered: int) -> Iterator[Planned]:
    """Yield what is left of planned calls when so many of the first are answered."""
    for one in planned:
        gone = min(one.times, answered)
        answered -= gone
        if gone == 0:
            yield one
        elif gone < one.times:
            usual = None if one.usual is None else max(0, one.usual - gone)
            yield replace(one, times=one.times - gone, usual=usual)


async def _stored(opened: Session, matches: Matches[T, R], item: T) -> _Stored:
    found = _Stored(answers=Counter(), asked=Counter(), is_done=False)
    voices = {name: _Counting(stored, found) for name, stored in stored_answers(opened).items()}
    try:
        await matches.play(item, voices)
    except Unasked:
        return found
    return replace(found, is_done=True)
