"""Asking for JSON that has rules to keep: what breaks one is asked for anew, with the reasons."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, TypeVar

import pydantic

from benchwright.asking.client import Client
from benchwright.asking.estimates import Estimate, Planned
from benchwright.asking.estimating import estimate_for, planned_call
from benchwright.asking.pieces import How, ask_pieces, noted
from benchwright.asking.questions import Asks, ask_structured, with_form
from benchwright.asking.requests import Request
from benchwright.asking.rounds import Unasked
from benchwright.asking.running import run
from benchwright.asking.session import Session, Spending, session
from benchwright.asking.sights import planned_looks
from benchwright.asking.tokens import Size
from benchwright.asking.voters import Voter
from benchwright.progress import Progress, no_progress
from benchwright.workspace import Workspace

M = TypeVar("M", bound=pydantic.BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job(Generic[M]):
    """One thing that a voter is to make; ``name`` is its own among those asked together.

    ``request`` makes the request of the next attempt, given what was wrong with the earlier ones,
    the first first; an attempt is always a new request. ``fault`` says in one line what is wrong
    with an answer, null where nothing is. Both are called again for what is stored, and must then
    say the same. ``sizes`` are width and height of the upright pictures
    of a request, in pixels.
    """

    name: str
    voter: str
    form: type[M]
    request: Callable[[Sequence[str]], Request]
    fault: Callable[[M], str | None]
    sizes: tuple[Size, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(Generic[M]):
    """What became of a job: ``value`` is the first answer without a fault, null without one.

    ``faults`` are those of the attempts before it, one each. ``is_failed`` says that the server
    gave no answer: the same job asked again goes on from there.
    """

    name: str
    voter: str
    value: M | None
    faults: tuple[str, ...] = ()
    is_failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class JobSettings:
    """How jobs are asked: so many attempts after the first, by the Batch API, with a look first."""

    max_retries: int = 2
    batch: bool = False
    probe: bool = True


DEFAULT_JOB_SETTINGS = JobSettings()


def ask_jobs(
    workspace: Workspace,
    voters: Sequence[Voter],
    spending: Spending,
    jobs: Sequence[Job[M]],
    settings: JobSettings = DEFAULT_JOB_SETTINGS,
    *,
    progress: Progress = no_progress,
) -> list[Outcome[M]]:
    """Return what became of each job, in their order; answers are stored as they come.

    What has an answer already is not asked. Raises what ``session`` and ``ask_pieces`` raise, when
    what was under way is stored: asked again, it goes on from there.
    """
    how = How(batch=settings.batch, probe=settings.probe)

    async def ask() -> list[Outcome[M] | None]:
        async with session(workspace, voters, spending) as opened:
            work = partial(_outcome, max_retries=settings.max_retries)
            return await ask_pieces(opened, jobs, work, how, progress)

    outcomes = run(ask())
    return [
        _unanswered(job) if outcome is None else outcome
        for job, outcome in zip(jobs, outcomes, strict=True)
    ]


def estimate_jobs(
    workspace: Workspace,
    voters: Sequence[Voter],
    spending: Spending,
    jobs: Sequence[Job[M]],
    settings: JobSettings = DEFAULT_JOB_SETTINGS,
) -> list[Estimate]:
    """Return for each voter what ``ask_jobs`` would take, without asking.

    Attempts after the first are on the high side alone.
    """

    async def look() -> list[Estimate]:
        async with session(workspace, voters, spending, is_asking=False) as opened:
            return [
                await _estimated(opened, client, jobs, settings)
                for client in opened.clients.values()
            ]

    return run(look())


def dealt(voters: Sequence[Voter], number: int) -> Voter:
    """Return the voter whose turn it is; ``number`` counts what is dealt from 0."""
    return voters[number % len(voters)]


async def _outcome(job: Job[M], client: Asks, *, max_retries: int) -> Outcome[M]:
    faults: list[str] = []
    while True:
        filled = await ask_structured(client, _attempt(job, faults), job.form)
        read = filled.structured
        is_failed = read.status == "failed"
        fault = (read.fault or "no answer") if read.value is None else job.fault(read.value)
        value = read.value if fault is None else None
        if fault is not None:
            faults.append(fault)
        if value is not None or is_failed or len(faults) > max_retries:
            return Outcome(
                name=job.name,
                voter=job.voter,
                value=value,
                faults=tuple(faults),
                is_failed=is_failed,
            )


def _attempt(job: Job[M], faults: Sequence[str]) -> Request:
    return replace(job.request(tuple(faults)), sample=len(faults))


def _unanswered(job: Job[M]) -> Outcome[M]:
    faults = ("its batch brought no answer yet",)
    return Outcome(name=job.name, voter=job.voter, value=None, faults=faults, is_failed=True)


async def _estimated(
    opened: Session, client: Client, jobs: Sequence[Job[M]], settings: JobSettings
) -> Estimate:
    voter = client.voter
    planned: list[Planned] = []
    for job in jobs:
        if job.voter == voter.name:
            planned += await _planned(opened, client, job, settings.max_retries)
    is_waiting = any(not each.is_answered for each in planned)
    looks = await planned_looks(opened, client) if settings.probe and is_waiting else ()
    return estimate_for(opened, client, planned, batch=settings.batch, looks=looks)


async def _planned(
    opened: Session, client: Client, job: Job[M], max_retries: int
) -> Sequence[Planned]:
    """Return the calls that a job took, the one that it lacks, and those that may come after."""
    asked = noted(client, opened)
    missing: Request | None = None
    try:
        await _outcome(job, asked, max_retries=max_retries)
    except Unasked:
        missing = asked.requests.pop()
    calls = [planned_call(opened, client.voter, one, sizes=job.sizes) for one in asked.requests]
    return (
        calls if missing is None else [*calls, *_to_come(client.voter, job, missing, max_retries)]
    )


def _to_come(voter: Voter, job: Job[M], missing: Request, max_retries: int) -> Iterator[Planned]:
    yield Planned(request=missing, sizes=job.sizes, kind="structured")
    later = with_form(_attempt(job, ["it breaks a rule"]), voter.structured, job.form)
    for _ in range(max_retries - missing.sample):
        yield Planned(request=later, sizes=job.sizes, kind="possibly_structured")
