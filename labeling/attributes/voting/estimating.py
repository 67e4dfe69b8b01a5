"""What asking an ensemble would take, before the first call.

How many questions are asked hangs on the answers. So two tables are given: what it takes when all
voters agree, so that every label settles soonest, and what it takes to ask everything. Both are
worked out on a seeded sample of the subjects and scaled to all.

Answers that are all no settle values by themselves soonest; in an exclusive type one sure yes may
settle the others with fewer calls, which then count. Only where a quorum is wanted may a run take
less still: answers that abstain can settle a label as unsure.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial

from benchwright.asking.client import Client
from benchwright.asking.estimates import Estimate, Planned, Range, estimate_lines
from benchwright.asking.estimating import estimate_for, planned_call
from benchwright.asking.questions import with_form
from benchwright.asking.requests import Request
from benchwright.asking.running import run
from benchwright.asking.session import Session, Spending, session
from benchwright.asking.sights import planned_looks
from benchwright.asking.voters import Voter
from benchwright.seeds import draw
from benchwright.workspace import Workspace
from labeling.attributes.voting.asking import AskSettings, planned
from labeling.attributes.voting.captions import check_captions
from labeling.attributes.voting.ensemble import Ensemble
from labeling.attributes.voting.model_voter import Answers, request_of, request_of_several
from labeling.attributes.voting.plan import VotingPlan
from labeling.attributes.voting.poll import Group, Poll
from labeling.attributes.voting.subjects import Subject, check_subjects, subjects_of
from labeling.attributes.voting.voter import Ballot, ShownQuestion
from labeling.attributes.voting.voters import models_of

_SAMPLE = 100  # subjects
_YES, _NO = Ballot(answer="yes", status="ok"), Ballot(answer="no", status="ok")
Way = Callable[[Poll, VotingPlan], Iterator[Group]]


def estimate_votes(
    workspace: Workspace,
    ensemble: Ensemble,
    settings: AskSettings,
    spending: Spending,
    *,
    batch: bool,
) -> list[str]:
    """Return the lines that tell what asking would take; nothing is asked.

    Raises what ``ask_ensemble`` raises before its first call.
    """
    plan = planned(workspace, ensemble, settings)
    check_subjects(workspace, settings.subjects, settings.noun)
    check_captions(plan)
    sample, number = _sampled(
        subjects_of(workspace, settings.subjects, settings.noun), settings.seed
    )
    lines = [f"{number:,} {settings.subjects}, {len(plan.values):,} values each"]
    if not models_of(ensemble):
        return [*lines, "no voter of this ensemble is a model server: nothing to pay"]
    models, scale = models_of(ensemble), number / max(1, len(sample))

    async def tables() -> list[str]:
        async with session(workspace, models, spending, is_asking=False) as opened:
            return await _tables(opened, plan, sample, scale, batch=batch, probe=settings.probe)

    return [*lines, *run(tables())]


def _sampled(subjects: Iterator[Subject], seed: int) -> tuple[list[Subject], int]:
    """Return a seeded sample of the subjects, and how many there are."""
    drawn: list[tuple[int, int, Subject]] = []
    number = 0
    for subject in subjects:
        number += 1
        place = draw(seed, "estimate", subject.image_id, subject.object_id or "")
        drawn.append((place, number, subject))
        if len(drawn) > 10 * _SAMPLE:
            drawn = sorted(drawn)[:_SAMPLE]
    return [subject for _, _, subject in sorted(drawn)[:_SAMPLE]], number


async def _tables(
    opened: Session,
    plan: VotingPlan,
    sample: Sequence[Subject],
    scale: float,
    *,
    batch: bool,
    probe: bool,
) -> list[str]:
    firsts = {of_type.start for of_type in plan.types if plan.values[of_type.start].exclusive}
    ways: dict[str, tuple[Way, ...]] = {
        "if all voters agree:": tuple(
            partial(_if_agreed, yes=yes, in_rounds=batch) for yes in (set[int](), firsts)
        ),
        "if everything is asked:": (_all,),
    }
    lines: list[str] = []
    notes: list[str] = []
    for title, each in ways.items():
        found = [
            await _estimate(opened, client, plan, sample, scale, each, batch, probe)
            for client in opened.clients.values()
        ]
        told = estimate_lines(found)
        rows = 1 + len(found) + (len(found) > 1)  # heads, voters, their total
        lines += [title, *told[:rows]]
        notes = told[rows:]
    return [*lines, *notes]


async def _estimate(
    opened: Session,
    client: Client,
    plan: VotingPlan,
    sample: Sequence[Subject],
    scale: float,
    ways: Sequence[Way],
    batch: bool,
    probe: bool,
) -> Estimate:
    """Return the estimate of the way that takes the fewest calls."""
    asked = (
        estimate_for(opened, client, _planned(opened, client.voter, plan, sample, way), batch=batch)
        for way in ways
    )
    fewest = min(asked, key=lambda one: one.calls)
    looks = await planned_looks(opened, client) if probe and sample else ()
    looked = estimate_for(opened, client, (), batch=batch, looks=looks)
    return _added(_scaled(fewest, scale), looked)


def _planned(
    opened: Session,
    voter: Voter,
    plan: VotingPlan,
    sample: Sequence[Subject],
    way: Way,
) -> Iterator[Planned]:
    for subject in sample:
        poll = Poll(subject, plan)
        for group in way(poll, plan):
            if plan.questions[group[0]].voter != voter.name:
                continue
            shown = poll.shown(group)
            yield planned_call(
                opened,
                voter,
                _request(shown, voter),
                sizes=((subject.width, subject.height),) * len(shown[0].pictures),
                kind="yes_no" if len(shown) == 1 else "structured",
            )


def _request(shown: tuple[ShownQuestion, ...], voter: Voter) -> Request:
    """Return the request as the voter is sent it."""
    if len(shown) == 1:
        return request_of(shown[0])
    return with_form(request_of_several(shown), voter.structured, Answers)


def _if_agreed(
    poll: Poll, _: VotingPlan, *, yes: Collection[int], in_rounds: bool
) -> Iterator[Group]:
    """Answer yes to some values and no to all others; batches ask in rounds."""
    while groups := poll.soonest() if in_rounds else _one(poll.next()):
        for group in groups:
            yield group
            poll.record(group, [_YES if value in yes else _NO for value in group[1]])


def _one(group: Group | None) -> list[Group]:
    return [] if group is None else [group]


def _all(_: Poll, plan: VotingPlan) -> Iterator[Group]:
    """Put each question about all values in as few calls as they fit into: no run makes more."""
    values, most = range(len(plan.values)), plan.ensemble.values_per_call
    for question in range(len(plan.questions)):
        for start in range(0, len(values), most):
            yield question, tuple(values[start : start + most])


def _scaled(one: Estimate, scale: float) -> Estimate:
    def times(pair: Range | None) -> Range | None:
        return None if pair is None else (pair[0] * scale, pair[1] * scale)

    return replace(
        one,
        calls=round(one.calls * scale),
        most_calls=round(one.most_calls * scale),
        answered=round(one.answered * scale),
        prompt=(round(one.prompt[0] * scale), round(one.prompt[1] * scale)),
        completion=(round(one.completion[0] * scale), round(one.completion[1] * scale)),
        price=times(one.price),
        hours=times(one.hours),
    )


def _added(asked: Estimate, looked: Estimate) -> Estimate:
    """Return an estimate with the looks of the voter, which are not scaled."""

    def both(one: Range | None, other: Range | None) -> Range | None:
        return None if one is None or other is None else (one[0] + other[0], one[1] + other[1])

    (first, last), (some, more) = asked.prompt, looked.prompt
    (fewest, most), (few, many) = asked.completion, looked.completion
    return replace(
        asked,
        calls=asked.calls + looked.calls,
        most_calls=asked.most_calls + looked.most_calls,
        looks=looked.looks,
        prompt=(first + some, last + more),
        completion=(fewest + few, most + many),
        price=both(asked.price, looked.price),
        hours=both(asked.hours, looked.hours),
    )
