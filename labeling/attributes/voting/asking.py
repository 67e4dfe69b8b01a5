"""The votes stage: an ensemble is asked about every value of every subject, until it is settled."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from itertools import islice
from typing import Any, Self, cast

import pyarrow as pa
import pyarrow.compute as pc

from benchwright import store
from benchwright.asking.session import Spending, session
from benchwright.asking.several import ask_each
from benchwright.progress import Progress, no_progress
from benchwright.records import Vote
from benchwright.rows import to_table
from benchwright.vocabulary_digest import vocabulary_digest
from benchwright.workspace import Workspace
from labeling.attributes.ensemble import Ensemble
from labeling.attributes.vocabulary import load_vocabulary
from labeling.attributes.voting.plan import VotingPlan, plan_of
from labeling.attributes.voting.poll import Poll
from labeling.attributes.voting.subjects import Subject, SubjectKind, subjects_of
from labeling.attributes.voting.voter import Voting
from labeling.attributes.voting.voters import models_of, settings_of, voters_of

STAGE = "votes"
_CONFIGS = {"votes": "votes-*.parquet"}
_BLOCK = 1_000  # subjects whose votes are kept together, should the run be killed


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSettings:
    """What is asked about, and what the seed is; ``noun`` takes the place of every category."""

    subjects: SubjectKind = "pictures"
    noun: str | None = None
    seed: int = 0

    @classmethod
    def of(cls, subjects: str, noun: str | None, seed: int) -> Self:
        """Return the settings that options say; ``subjects`` is one of SubjectKind."""
        return cls(subjects=cast("SubjectKind", subjects), noun=noun, seed=seed)


def ask_ensemble(
    workspace: Workspace,
    ensemble: Ensemble,
    settings: AskSettings,
    spending: Spending,
    *,
    batch: bool = False,
    force: bool = False,
    progress: Progress = no_progress,
) -> store.Manifest:
    """Write labels/votes: the votes of an ensemble on every subject of the catalog.

    What was answered before is not asked again; a run that was stopped goes on. The counts of the
    manifest say how many questions were planned, asked, failed and saved.

    Raises WorkspaceError without a catalog, UsageError for a vocabulary or an ensemble that
    cannot be used, BudgetSpent and ServerError as the client does.
    """
    catalog = store.require(workspace.catalog, "build-catalog")
    plan = plan_of(ensemble, load_vocabulary(workspace.vocabulary), seed=settings.seed)
    stage = _stage(workspace, catalog, plan, settings)
    standing = None if force or spending.again else store.finished(workspace.votes, stage)
    if standing is not None and not standing.counts["failed"]:
        return standing
    with store.writing(workspace.votes, stage, configs=_CONFIGS) as out:
        subjects = subjects_of(workspace, settings.subjects, settings.noun)
        asked = progress("asking", None)(subjects)
        sizes = asyncio.run(_ask(workspace, plan, asked, out, spending))
        out.shards_of(STAGE, (_kept(out, block) for block in range(max(1, len(sizes)))))
        out.counts.update(_counts(out, sizes, plan))
    return store.require(workspace.votes, "label-attributes ask")


def _stage(
    workspace: Workspace, catalog: store.Manifest, plan: VotingPlan, settings: AskSettings
) -> store.Plan:
    ensemble = plan.ensemble
    chosen: dict[str, Any] = {
        "voters": [settings_of(voter, workspace) for voter in ensemble.voters],
        "views": {name: view.model_dump() for name, view in ensemble.views.items()},
        "templates": ensemble.templates,
        "context": ensemble.context,
        "margin": str(ensemble.margin),
        "quorum": str(ensemble.quorum),
        "full": str(ensemble.full),
        "values_per_call": ensemble.values_per_call,
        "subjects": settings.subjects,
        "noun": settings.noun,
    }
    return store.Plan(
        stage="labels/votes",
        inputs={
            "catalog": catalog.digest(),
            "vocabulary": vocabulary_digest(workspace.vocabulary),
            "wordings": store.digest_of(plan.templates),
        },
        settings=chosen,
        seed=settings.seed,
    )


async def _ask(
    workspace: Workspace,
    plan: VotingPlan,
    subjects: Iterable[Subject],
    out: store.StageWriter,
    spending: Spending,
) -> list[int]:
    """Ask block by block; return how many subjects each holds."""
    sizes: list[int] = []
    async with AsyncExitStack() as stack:
        opened = await stack.enter_async_context(
            session(workspace, models_of(plan.ensemble), spending)
        )
        held = stack.enter_context(ExitStack())
        voters = voters_of(plan, workspace, opened.clients, held)
        remaining = iter(subjects)
        while block := list(islice(remaining, _BLOCK)):
            name = _name(len(sizes))
            if not _is_done(out.kept(name), spending):
                out.keep(name, await _ask_block(plan, block, voters))
            sizes.append(len(block))
    return sizes


async def _ask_block(
    plan: VotingPlan, subjects: Sequence[Subject], voters: Mapping[str, Voting]
) -> pa.Table:
    async def ask(numbered: tuple[int, Subject]) -> Poll:
        poll = Poll(numbered[1], plan)
        await take(poll, plan, voters)
        return poll

    polls: dict[int, Poll] = {}
    at_once = 2 * sum(voter.at_once for voter in voters.values())
    async for (number, _), poll in ask_each(ask, enumerate(subjects), at_once):
        polls[number] = poll
    votes = [vote for number in sorted(polls) for vote in polls[number].votes()]
    return to_table(votes, Vote)


async def take(poll: Poll, plan: VotingPlan, voters: Mapping[str, Voting]) -> None:
    """Ask a subject's questions one after the other until all its labels are settled."""
    while (group := poll.next()) is not None:
        voter = voters[plan.questions[group[0]].voter]
        poll.record(group, await voter.vote(poll.shown(group)))


def _is_done(block: pa.Table | None, spending: Spending) -> bool:
    """Whether the votes of an earlier, killed run leave nothing to ask in a block."""
    if block is None or spending.again:
        return False
    return not pc.any(pc.equal(block.column("status"), "failed")).as_py()


def _kept(out: store.StageWriter, block: int) -> pa.Table:
    kept = out.kept(_name(block))
    return to_table([], Vote) if kept is None else kept


def _name(block: int) -> str:
    return f"votes-{block:05d}"


def _counts(out: store.StageWriter, sizes: Sequence[int], plan: VotingPlan) -> Counter[str]:
    """Return how many votes have each status, and how many questions were planned and saved.

    A call is one for all votes with the same answer key, which are of one subject.
    """
    counts: Counter[str] = Counter(subjects=sum(sizes), votes=0, calls=0, ok=0, failed=0)
    for block in range(len(sizes)):
        table = _kept(out, block)
        statuses, keys = table.column("status"), table.column("answer_key")
        counts["calls"] += pc.count_distinct(keys).as_py() + keys.null_count
        counts["votes"] += len(statuses)
        for entry in pc.value_counts(statuses).to_pylist():
            counts[entry["values"]] += entry["counts"]
    counts["planned"] = counts["subjects"] * int((plan.weights > 0).sum())
    counts["saved"] = counts["planned"] - counts["votes"]
    return counts
