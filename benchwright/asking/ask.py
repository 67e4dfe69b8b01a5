"""Putting questions about pictures to every voter of a file: what ``benchwright ask`` does."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from benchwright.asking.batch import BatchOutcome
from benchwright.asking.doctor.findings import Sight
from benchwright.asking.doctor.sight import check_sight
from benchwright.asking.estimates import Estimate, Planned, estimate
from benchwright.asking.questions import Answered, ask_yes_no, yes_no_request
from benchwright.asking.requests import PicturePart, Request, description, key_of
from benchwright.asking.rounds import StoredAnswers, by_rounds
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
    fault: BenchwrightError | None = None
    batches: tuple[BatchOutcome, ...] = ()


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


async def ask_voters_by_batch(
    workspace: Workspace, voters: Sequence[Voter], asked: Sequence[Asking], spending: Spending
) -> Asked:
    """Do the same by the Batch API; run again, it goes on with the batches under way."""

    async def ask(asking: Asking, clients: Mapping[str, StoredAnswers]) -> Answered:
        return await ask_yes_no(clients[asking.voter.name], asking.request)

    async with session(workspace, voters, spending) as opened:
        found, batches = await by_rounds(opened, asked, ask, folder=workspace.batches)
    pairs = tuple((asked[number], found[number]) for number in sorted(found))
    return Asked(pairs=pairs, batches=tuple(batches))


async def check_sights(
    workspace: Workspace, voters: Sequence[Voter], asked: Sequence[Asking]
) -> list[str]:
    """Make sure that the voters who have something to answer see pictures; return doubts.

    The few calls that this takes are stored too: a voter is looked at once in a workspace.

    Raises UsageError for one that does not see them: its answers would be worth nothing.
    """
    doubts = []
    async with session(workspace, voters, Spending()) as opened:
        waiting = {each.voter.name for each in asked if not _planned(opened, each).is_answered}
        for name, client in opened.clients.items():
            if name in waiting:
                sight = await check_sight(client)
                doubts += _doubts(name, sight)
    return doubts


def _doubts(name: str, sight: Sight) -> list[str]:
    if sight.verdict == "sees":
        return []
    said = f" ({sight.message})" if sight.message else ""
    if sight.verdict == "takes":
        return [
            f"voter {name} named {sight.right} of {sight.asked} plain colours rightly{said}: what"
            " it says of pictures may be worth little"
        ]
    raise UsageError(
        f"voter {name} does not see pictures: it {_NOT_SEEING[sight.verdict]}{said}; run"
        " benchwright doctor on the file, or ask all the same with --no-probe"
    )


_NOT_SEEING = {
    "ignores": "answers as if there were none",
    "refuses": "refuses them",
    "unanswered": "does not even answer a text",
}


async def estimates(
    workspace: Workspace, voters: Sequence[Voter], asked: Sequence[Asking], *, batch: bool
) -> list[Estimate]:
    """Return for each voter what asking would take, what is answered already left out."""
    async with session(workspace, voters, Spending()) as opened:
        return [
            estimate(
                client.voter,
                (_planned(opened, each) for each in asked if each.voter == client.voter),
                opened.store.seconds_of(client.voter.name),
                batch=batch,
            )
            for client in opened.clients.values()
        ]


def _planned(opened: Session, asking: Asking) -> Planned:
    key = key_of(description(asking.request, asking.voter))
    return Planned(
        request=asking.request,
        sizes=(asking.size,),
        is_answered=opened.store.final(key) is not None,
    )
