"""Putting questions about pictures to every voter of a file: what ``benchwright ask`` does."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from benchwright.asking.client import Client
from benchwright.asking.estimates import Estimate, Planned, estimate
from benchwright.asking.questions import Answered, ask_yes_no, yes_no_request
from benchwright.asking.requests import PicturePart, Request, description, key_of
from benchwright.asking.session import Session, Spending, session
from benchwright.asking.several import ask_each
from benchwright.asking.views import part_of
from benchwright.asking.voters import Voter
from benchwright.errors import BenchwrightError, PictureError, UsageError
from benchwright.pictures import read_file
from benchwright.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """One question about a picture to one voter; ``sample`` counts repetitions from 0.

    ``size`` is width and height of the upright picture in pixels.
    """

    picture: Path
    size: tuple[int, int]
    question: str
    voter: Voter
    sample: int
    request: Request


Pair = tuple[Asking, Answered]


def askings(
    voters: Sequence[Voter],
    pictures: Sequence[Path],
    questions: Sequence[str],
    *,
    samples: int = 1,
    max_tokens: int = 16,
) -> Iterator[Asking]:
    """Yield every question about every picture to every voter, in this order.

    Raises UsageError for a file that is no picture.
    """
    for path in pictures:
        part, size = _part(path)
        for question, voter, sample in product(questions, voters, range(samples)):
            request = yes_no_request(part, question, max_tokens=max_tokens, sample=sample)
            yield Asking(
                picture=path,
                size=size,
                question=question,
                voter=voter,
                sample=sample,
                request=request,
            )


def _part(path: Path) -> tuple[PicturePart, tuple[int, int]]:
    try:
        part, picture = part_of(path), read_file(path)
    except PictureError as error:
        raise UsageError(f"{error}; name a picture file") from error
    return part, (picture.width, picture.height)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The answers in the order of the askings, and what ended the run early, if anything."""

    pairs: tuple[Pair, ...]
    fault: BenchwrightError | None


async def ask_voters(
    workspace: Workspace, voters: Sequence[Voter], asked: Sequence[Asking], spending: Spending
) -> Asked:
    """Ask what has no stored answer; every answer is stored as it comes."""
    found: dict[int, Answered] = {}
    fault: BenchwrightError | None = None
    async with session(workspace, voters, spending) as opened:

        async def ask(numbered: tuple[int, Asking]) -> Answered:
            _, asking = numbered
            return await ask_yes_no(opened.clients[asking.voter.name], asking.request)

        at_once = sum(voter.concurrency for voter in voters)
        try:
            async for (number, _), answered in ask_each(ask, enumerate(asked), at_once):
                found[number] = answered
        except BenchwrightError as error:
            fault = error
    pairs = tuple((asked[number], found[number]) for number in sorted(found))
    return Asked(pairs=pairs, fault=fault)


async def estimates(
    workspace: Workspace, voters: Sequence[Voter], asked: Sequence[Asking], *, batch: bool
) -> list[Estimate]:
    """Return for each voter what asking would take, what is answered already left out."""
    async with session(workspace, voters, Spending()) as opened:
        return [
            estimate(
                client.voter,
                (_planned(opened, client, each) for each in asked if each.voter == client.voter),
                opened.store.seconds_of(client.voter.name),
                batch=batch,
            )
            for client in opened.clients.values()
        ]


def _planned(opened: Session, client: Client, asking: Asking) -> Planned:
    key = key_of(description(asking.request, client.voter))
    return Planned(
        request=asking.request,
        sizes=(asking.size,),
        is_answered=opened.store.final(key) is not None,
    )
