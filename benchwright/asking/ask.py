"""Putting questions about pictures to every voter of a file: what ``benchwright ask`` does."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from benchwright.asking.batch import BatchOutcome
from benchwright.asking.client import Client
from benchwright.asking.estimates import Estimate
from benchwright.asking.estimating import estimate_for, planned_call
from benchwright.asking.questions import Answered, ask_yes_no, yes_no_request
from benchwright.asking.requests import PicturePart, Request
from benchwright.asking.rounds import StoredAnswers, Unasked, by_rounds, stored_answers
from benchwright.asking.session import Session, Spending, session
from benchwright.asking.several import ask_by_voter, side_by_side
from benchwright.asking.sights import Looks, planned_looks
from benchwright.asking.tally import Bought
from benchwright.asking.views import read_part
from benchwright.asking.voters import Voter
from benchwright.errors import BenchwrightError, BudgetSpent, PictureError, UsageError
from benchwright.plain_text import counted
from benchwright.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPicture:
    """A picture that is asked about; ``size`` is width and height, upright, in pixels."""

    path: Path
    part: PicturePart
    size: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """One question about a picture to one voter; ``sample`` counts repetitions from 0.

    ``place`` sorts askings by picture, question, voter and sample, in the order they were named.
    """

    picture: ShownPicture
    question: str
    voter: Voter
    sample: int
    request: Request
    place: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionsAsked:
    """Every question about every picture to every voter, so many times."""

    voters: tuple[Voter, ...]
    pictures: tuple[ShownPicture, ...]
    questions: tuple[str, ...]
    samples: int = 1
    max_tokens: int = 16

    def __len__(self) -> int:
        return len(self.voters) * len(self.pictures) * len(self.questions) * self.samples

    def askings(self, voter: Voter) -> Iterator[Asking]:
        """Yield what one voter is asked, each made when it is wanted."""
        at = self.voters.index(voter)
        for (number, picture), (which, question), sample in product(
            enumerate(self.pictures), enumerate(self.questions), range(self.samples)
        ):
            yield Asking(
                picture=picture,
                question=question,
                voter=voter,
                sample=sample,
                request=yes_no_request(
                    picture.part, question, max_tokens=self.max_tokens, sample=sample
                ),
                place=(number, which, at, sample),
            )


def shown_pictures(paths: Sequence[Path]) -> tuple[ShownPicture, ...]:
    """Return picture files as they can be asked about.

    Raises UsageError that names all that are none.
    """
    shown, faults = [], []
    for path in paths:
        try:
            shown.append(_shown(path))
        except PictureError as error:
            faults.append(str(error))
        except IsADirectoryError:
            faults.append(f"{path}: is a folder, give {path}/*.jpg")
    if len(faults) == 1:
        raise UsageError(f"{faults[0]}; name a picture file")
    if faults:
        count = f"{len(faults):,} of {len(paths):,} are no pictures"
        raise UsageError(f"{count}: {'; '.join(faults)}; name picture files")
    return tuple(shown)


def _shown(path: Path) -> ShownPicture:
    if path.is_dir():
        raise IsADirectoryError(path)
    part, picture = read_part(path)
    return ShownPicture(path=path, part=part, size=(picture.width, picture.height))


@dataclass(slots=True, kw_only=True)
class Asked:
    """What became of an inquiry.

    Of ``wanted`` answers ``answered`` were shown; ``failed`` of these are failures and ``stored``
    were there before. ``faults``, by voter, ended its part early. ``calls`` were made; ``cost``
    is what the budget counts for them: what may have been billed unseen, and what is still under
    way, at the highest price. ``bought`` is what came back, by voter, ``looks`` what of it came
    of looking whether voters see. ``notes`` are for the user, as are those of ``batches``.
    """

    wanted: int
    answered: int = 0
    failed: int = 0
    stored: int = 0
    faults: dict[str, BenchwrightError] = field(default_factory=dict)
    calls: int = 0
    looks: Mapping[str, Bought] = field(default_factory=dict)
    cost: float = 0.0
    bought: Mapping[str, Bought] = field(default_factory=dict)
    batches: tuple[BatchOutcome, ...] = ()
    notes: list[str] = field(default_factory=list)

    def errors(self) -> list[str]:
        """Return why answers are missing or of no use, a line each; none when all is well."""
        missing = self.wanted - self.answered
        lines = [str(fault) for fault in self.faults.values() if not isinstance(fault, BudgetSpent)]
        spent = [str(fault) for fault in self.faults.values() if isinstance(fault, BudgetSpent)]
        spent += [outcome.stopped for outcome in self.batches if missing and outcome.stopped]
        lines += spent[:1]  # one budget for all voters: each says the same
        if self.failed:
            lines.append(f"{counted(self.failed, 'answer')} failed; run it again")
        if missing and not lines:
            is_or_are = "is" if missing == 1 else "are"
            why = "; the notes say why" if any(each.notes for each in self.batches) else ""
            lines.append(
                f"{counted(missing, 'answer')} {is_or_are} not there yet{why}; the same command"
                " again sends what is missing"
            )
        return lines


Show = Callable[[Asking, Answered], None]


async def ask_voters(
    workspace: Workspace,
    inquiry: QuestionsAsked,
    spending: Spending,
    show: Show,
    *,
    batch: bool = False,
    probe: bool = True,
) -> Asked:
    """Ask what has no stored answer, each voter at its own pace; show each answer as it comes.

    With ``probe`` a voter that has something to answer is looked at first, within the same
    budget: one that does not see pictures is not asked. With ``batch`` the requests go by the
    Batch API, and all answers are shown at the end; run again, it goes on with what is under way.
    """
    asked = Asked(wanted=len(inquiry))
    async with session(workspace, inquiry.voters, spending, faults=asked.faults) as opened:
        if batch:
            await _ask_by_batch(workspace, opened, inquiry, asked, show, probe=probe)
        else:
            await _ask_directly(opened, inquiry, asked, show, probe=probe)
        before = spending.spent
        asked.calls = opened.budget.calls - before.calls
        asked.cost = opened.budget.cost - before.cost
        asked.bought = dict(opened.store.bought)
    return asked


async def _ask_directly(
    opened: Session, inquiry: QuestionsAsked, asked: Asked, show: Show, *, probe: bool
) -> None:
    looks, stored = Looks(opened), stored_answers(opened)

    async def ask(asking: Asking) -> tuple[Answered, bool]:
        name = asking.voter.name
        try:
            return await ask_yes_no(stored[name], asking.request), True
        except Unasked:
            if probe:
                await looks.first(opened.clients[name])
            return await ask_yes_no(opened.clients[name], asking.request), False

    voters = _reachable(opened)
    items = {voter.name: inquiry.askings(voter) for voter in voters}
    at_once = {voter.name: voter.concurrency for voter in voters}
    async with aclosing(ask_by_voter(ask, items, at_once, asked.faults)) as answers:
        async for asking, (answered, is_stored) in answers:
            asked.stored += is_stored
            _show(asked, show, asking, answered)
    asked.looks, asked.notes = looks.bought, looks.doubts


async def _ask_by_batch(
    workspace: Workspace,
    opened: Session,
    inquiry: QuestionsAsked,
    asked: Asked,
    show: Show,
    *,
    probe: bool,
) -> None:
    askings = [each for voter in _reachable(opened) for each in inquiry.askings(voter)]
    askings.sort(key=lambda each: each.place)

    async def ask(asking: Asking, clients: Mapping[str, StoredAnswers]) -> Answered:
        return await ask_yes_no(clients[asking.voter.name], asking.request)

    waiting = await _waiting(opened, askings)
    asked.stored = len(askings) - sum(waiting.values())
    looks = Looks(opened)

    async def look(name: str) -> None:
        try:
            await looks.first(opened.clients[name])
        except BenchwrightError as error:
            asked.faults[name] = error

    await side_by_side(look(name) for name in waiting if probe)
    found, batches = await by_rounds(
        opened, askings, ask, folder=workspace.batches, faults=asked.faults
    )
    asked.looks, asked.notes, asked.batches = looks.bought, looks.doubts, tuple(batches)
    for number, answered in sorted(found.items()):
        _show(asked, show, askings[number], answered)


def _reachable(opened: Session) -> list[Voter]:
    """Return the voters whose keys are there."""
    return [client.voter for client in opened.clients.values()]


def _show(asked: Asked, show: Show, asking: Asking, answered: Answered) -> None:
    asked.answered += 1
    asked.failed += answered.reading.status == "failed"
    show(asking, answered)


async def _waiting(opened: Session, askings: Iterable[Asking]) -> Counter[str]:
    """Return how many askings of each voter lack an answer in the store."""
    stored, waiting = stored_answers(opened), Counter[str]()
    for asking in askings:
        try:
            await ask_yes_no(stored[asking.voter.name], asking.request)
        except Unasked:
            waiting[asking.voter.name] += 1
    return waiting


async def estimate_asking(
    workspace: Workspace,
    inquiry: QuestionsAsked,
    spending: Spending,
    *,
    batch: bool = False,
    probe: bool = True,
) -> list[Estimate]:
    """Return for each voter what ``ask_voters`` would take, what is answered already left out."""
    async with session(workspace, inquiry.voters, spending, is_asking=False) as opened:
        return [
            await _estimated(opened, client, inquiry, batch=batch, probe=probe)
            for client in opened.clients.values()
        ]


async def _estimated(
    opened: Session, client: Client, inquiry: QuestionsAsked, *, batch: bool, probe: bool
) -> Estimate:
    voter = client.voter
    waiting = (await _waiting(opened, inquiry.askings(voter)))[voter.name]
    planned = (
        planned_call(opened, voter, asking.request, sizes=(asking.picture.size,))
        for asking in inquiry.askings(voter)
    )
    looks = await planned_looks(opened, client) if probe and waiting else ()
    return estimate_for(opened, client, planned, batch=batch, looks=looks)
