"""What asking an ensemble would take, before the first call.

How many questions are asked hangs on the answers. So two numbers are given for each model: what
it takes when all answers are the same, so that every label settles soonest, and what it takes to
ask everything. Both are worked out on a seeded sample of the subjects and scaled to all.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from benchwright.asking.estimates import Estimate, Planned, estimate, estimate_lines
from benchwright.asking.requests import Request, description, key_of
from benchwright.asking.session import Session, Spending, session
from benchwright.asking.voters import Voter
from benchwright.seeds import draw
from benchwright.workspace import Workspace
from labeling.attributes.ensemble import Ensemble
from labeling.attributes.vocabulary import load_vocabulary
from labeling.attributes.voting.asking import AskSettings
from labeling.attributes.voting.model_voter import request_of, request_of_several
from labeling.attributes.voting.plan import VotingPlan, plan_of
from labeling.attributes.voting.poll import Group, Poll
from labeling.attributes.voting.subjects import Subject, subjects_of
from labeling.attributes.voting.voter import Ballot, ShownQuestion
from labeling.attributes.voting.voters import models_of

_SAMPLE = 100  # subjects
_SAME = Ballot(answer="no", status="ok")  # of every question, where all agree


def estimate_votes(
    workspace: Workspace, ensemble: Ensemble, settings: AskSettings, *, batch: bool
) -> list[str]:
    """Return the lines that tell what asking would take; nothing is asked.

    Raises what ``ask_ensemble`` raises before its first call.
    """
    plan = plan_of(ensemble, load_vocabulary(workspace.vocabulary), seed=settings.seed)
    sample, number = _sampled(
        subjects_of(workspace, settings.subjects, settings.noun), settings.seed
    )
    lines = [f"{number:,} {settings.subjects}, {len(plan.values):,} values each"]
    models = models_of(ensemble)
    if not models:
        return [*lines, "no voter of this ensemble is a model server: nothing to pay"]
    scale = number / max(1, len(sample))
    estimates = asyncio.run(_estimates(workspace, plan, models, sample, scale, batch=batch))
    return [*lines, *estimate_lines(estimates)]


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


async def _estimates(
    workspace: Workspace,
    plan: VotingPlan,
    models: Sequence[Voter],
    sample: Sequence[Subject],
    scale: float,
    *,
    batch: bool,
) -> list[Estimate]:
    found = []
    async with session(workspace, models, Spending()) as opened:
        for way, groups in (("all agree", _if_all_agree), ("at most", _all)):
            for voter in models:
                asked = _planned(opened, voter, plan, sample, groups)
                seconds = opened.store.seconds_of(voter.name)
                one = estimate(voter, asked, seconds, batch=batch)
                found.append(_scaled(replace(one, voter=f"{voter.name}, {way}"), scale))
    return found


def _planned(
    opened: Session,
    voter: Voter,
    plan: VotingPlan,
    sample: Sequence[Subject],
    groups: Callable[[Poll, VotingPlan], Iterator[Group]],
) -> Iterator[Planned]:
    for subject in sample:
        poll = Poll(subject, plan)
        for group in groups(poll, plan):
            if plan.questions[group[0]].voter != voter.name:
                continue
            shown = poll.shown(group)
            request = _request(shown)
            key = key_of(description(request, voter))
            yield Planned(
                request=request,
                sizes=((subject.width, subject.height),) * len(shown[0].pictures),
                is_answered=opened.store.final(key) is not None,
            )


def _request(shown: tuple[ShownQuestion, ...]) -> Request:
    return request_of(shown[0]) if len(shown) == 1 else request_of_several(shown)


def _if_all_agree(poll: Poll, _: VotingPlan) -> Iterator[Group]:
    while (group := poll.next()) is not None:
        yield group
        poll.record(group, (_SAME,) * len(group[1]))


def _all(_: Poll, plan: VotingPlan) -> Iterator[Group]:
    values, most = range(len(plan.values)), plan.ensemble.values_per_call
    for question in range(len(plan.questions)):
        for start in range(0, len(values), most):
            yield question, tuple(values[start : start + most])


def _scaled(one: Estimate, scale: float) -> Estimate:
    def times(pair: tuple[float, float] | None) -> tuple[float, float] | None:
        return None if pair is None else (pair[0] * scale, pair[1] * scale)

    return replace(
        one,
        calls=round(one.calls * scale),
        answered=round(one.answered * scale),
        prompt=(round(one.prompt[0] * scale), round(one.prompt[1] * scale)),
        completion=(round(one.completion[0] * scale), round(one.completion[1] * scale)),
        price=times(one.price),
        hours=times(one.hours),
    )
