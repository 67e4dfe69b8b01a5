"""The votes stage: an ensemble is asked about every value of every subject, until it is settled."""

import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Self, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchwright import store
from benchwright.asking.client import Client
from benchwright.asking.rounds import stored_answers
from benchwright.asking.running import run
from benchwright.asking.session import Session, Spending, session
from benchwright.asking.several import ask_each, side_by_side
from benchwright.asking.sights import Looks
from benchwright.engines.engine import LOCAL, Engine
from benchwright.errors import ServerError, UsageError
from benchwright.progress import Progress, no_progress
from benchwright.records import Vote
from benchwright.rows import to_table
from benchwright.vocabulary_digest import vocabulary_digest, wordings_digest
from benchwright.workspace import Workspace
from labeling.attributes.calibrating.weights_file import read_weights
from labeling.attributes.labels.knowledge import values_of
from labeling.attributes.vocabulary.vocabulary import load_vocabulary
from labeling.attributes.voting.batching import StoredOrFailed, answer_by_batches
from labeling.attributes.voting.captions import check_captions
from labeling.attributes.voting.ensemble import Ensemble, ReplayVoter
from labeling.attributes.voting.plan import VotingPlan, plan_of
from labeling.attributes.voting.poll import Poll
from labeling.attributes.voting.site import Site, site_of
from labeling.attributes.voting.subjects import (
    Subject,
    SubjectKind,
    check_subjects,
    refuse_other_subjects,
    subjects_of,
)
from labeling.attributes.voting.voter import Voting
from labeling.attributes.voting.voters import models_of, settings_of, voters_of

logger = logging.getLogger(__name__)

STAGE = "votes"
_CONFIGS = {"votes": "votes-*.parquet"}
_BLOCK = 1_000  # subjects whose votes are kept together, should the run be killed


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSettings:
    """What is asked about, and how; ``noun`` takes the place of every category.

    ``weights`` is a file of calibrated weights, which win over those of the ensemble.
    With ``batch`` the models are asked by the Batch API; with ``probe`` each is looked at first,
    whether it sees pictures at all. Neither changes the labels that the votes settle.
    """

    subjects: SubjectKind = "pictures"
    noun: str | None = None
    seed: int = 0
    weights: Path | None = None
    batch: bool = False
    probe: bool = True

    @classmethod
    def of(
        cls,
        subjects: str,
        noun: str | None,
        seed: int,
        *,
        weights: Path | None,
        batch: bool,
        probe: bool,
    ) -> Self:
        """Return the settings that options say; ``subjects`` is one of SubjectKind."""
        kind = cast("SubjectKind", subjects)
        return cls(subjects=kind, noun=noun, seed=seed, weights=weights, batch=batch, probe=probe)


def ask_ensemble(
    workspace: Workspace,
    ensemble: Ensemble,
    settings: AskSettings,
    spending: Spending,
    *,
    engine: Engine = LOCAL,
    force: bool = False,
    progress: Progress = no_progress,
) -> store.Manifest:
    """Write labels/votes: the votes of an ensemble on every subject of the catalog.

    What was answered before is not asked again; a run that was stopped goes on. The counts of the
    manifest say how many questions were planned, asked, failed and saved. Whatever the engine, it
    is this process that plans, paces, pays and stores; it says who sends and who embeds.

    Raises WorkspaceError without a catalog, UsageError for a vocabulary, an ensemble or subjects
    that cannot be used, and without ``force`` for votes on other subjects that stand there;
    BudgetSpent and ServerError as the client does; what ``site_of`` raises.
    """
    catalog = store.require(workspace.catalog, "build-catalog")
    plan = planned(workspace, ensemble, settings)
    stage = _stage(workspace, catalog, plan, settings)
    standing = None if force or spending.again else _standing(workspace, stage)
    if standing is not None:
        return standing
    if not force:
        refuse_other_subjects(workspace, settings.subjects)
    check_subjects(workspace, settings.subjects, settings.noun)
    check_captions(plan)
    with (
        site_of(engine, workspace) as site,
        store.writing(workspace.votes, stage, configs=_CONFIGS) as out,
    ):
        subjects = subjects_of(workspace, settings.subjects, settings.noun)
        asked = progress("asking", None)(subjects)
        way = _ask_by_batches if settings.batch else _ask
        sizes = run(way(_Work(workspace, plan, out, spending, settings.probe, site), asked))
        blocks = range(max(1, len(sizes)))
        out.shards_of(STAGE, (_block_of(out, block) for block in blocks))
        out.counts.update(_counts(out, sizes, plan))
    return store.require(workspace.votes, "label-attributes ask")


def planned(workspace: Workspace, ensemble: Ensemble, settings: AskSettings) -> VotingPlan:
    """Return the plan that asking goes by; raises what ``plan_of`` and ``read_weights`` raise."""
    vocabulary = load_vocabulary(workspace.vocabulary)
    by_value = None
    if settings.weights is not None:
        held = read_weights(settings.weights)
        by_value = held.by_value(values_of(vocabulary), ensemble.weights())
    return plan_of(ensemble, vocabulary, seed=settings.seed, by_value=by_value)


def _standing(workspace: Workspace, stage: store.Plan) -> store.Manifest | None:
    """Return the manifest of votes that leave nothing to ask, in whichever way they were asked."""
    for in_rounds in (False, True):
        plan = replace(stage, settings={**stage.settings, "in_rounds": in_rounds})
        found = store.finished(workspace.votes, plan)
        if found is not None and not found.counts["failed"]:
            return found
    return None


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
        "method": ensemble.method,
        "full": str(ensemble.share_in_full()),
        "values_per_call": ensemble.values_per_call,
        "subjects": settings.subjects,
        "noun": settings.noun,
        "in_rounds": settings.batch,
    }
    return store.Plan(
        stage="labels/votes",
        inputs={
            "catalog": catalog.digest(),
            "vocabulary": vocabulary_digest(workspace.vocabulary),
            "wordings": wordings_digest(workspace.vocabulary),
            "weighed": store.digest_of(plan.weights.tolist()),
        },
        settings=chosen,
        seed=settings.seed,
    )


@dataclass(frozen=True, slots=True)
class _Work:
    """What asking goes by from its first call to its last."""

    workspace: Workspace
    plan: VotingPlan
    out: store.StageWriter
    spending: Spending
    probe: bool
    site: Site


async def _ask(work: _Work, subjects: Iterable[Subject]) -> list[int]:
    """Ask block by block; return how many subjects each holds."""
    async with _opened(work) as (opened, held):
        voters = voters_of(work.plan, work.workspace, opened.clients, held, work.site)
        return await _ask_blocks(work, subjects, voters)


async def _ask_by_batches(work: _Work, subjects: Iterable[Subject]) -> list[int]:
    """Do the same by the Batch API: first the answers of all subjects, then their votes."""
    every = list(subjects)
    async with _opened(work) as (opened, held):
        stored = stored_answers(opened)
        voters = voters_of(work.plan, work.workspace, stored, held, work.site)
        for line in await answer_by_batches(opened, every, work.plan, voters, work.workspace):
            logger.warning("%s", line)
        final = {name: StoredOrFailed(client, opened) for name, client in stored.items()}
        voters = voters_of(work.plan, work.workspace, final, held, work.site)
        return await _ask_blocks(work, every, voters, in_rounds=True)


@asynccontextmanager
async def _opened(work: _Work) -> AsyncIterator[tuple[Session, ExitStack]]:
    models = models_of(work.plan.ensemble)
    connect = work.site.connect
    async with session(work.workspace, models, work.spending, connect=connect) as opened:
        looks = Looks(opened)
        if work.probe:
            await _look_at_all(looks, opened)
        for doubt in looks.doubts:
            logger.warning("%s", doubt)
        with ExitStack() as held:
            yield opened, held


async def _look_at_all(looks: Looks, opened: Session) -> None:
    """Raise UsageError that names every model which cannot vote: an ensemble wants all of them."""

    async def fault(client: Client) -> str | None:
        try:
            await looks.first(client)
        except (ServerError, UsageError) as error:
            return str(error)
        return None

    found = await side_by_side(fault(client) for client in opened.clients.values())
    faults = [one for one in found if one is not None]
    if faults:
        raise UsageError("; and ".join(faults))


async def _ask_blocks(
    work: _Work,
    subjects: Iterable[Subject],
    voters: Mapping[str, Voting],
    *,
    in_rounds: bool = False,
) -> list[int]:
    sizes: list[int] = []
    remaining = iter(subjects)
    while block := list(islice(remaining, _BLOCK)):
        name = _block_name(len(sizes))
        if not _is_done(work.out.kept(name), work.plan, work.spending):
            work.out.keep(name, await _ask_block(work.plan, block, voters, in_rounds))
        sizes.append(len(block))
    return sizes


async def _ask_block(
    plan: VotingPlan, subjects: Sequence[Subject], voters: Mapping[str, Voting], in_rounds: bool
) -> pa.Table:
    async def ask(numbered: tuple[int, Subject]) -> pa.Table:
        poll = Poll(numbered[1], plan)
        await (take_in_rounds if in_rounds else take)(poll, plan, voters)
        return to_table(poll.votes(), Vote)  # a tenth of what the poll takes

    asked: dict[int, pa.Table] = {}
    at_once = 2 * sum(voter.at_once for voter in voters.values())
    async for (number, _), votes in ask_each(ask, enumerate(subjects), at_once):
        asked[number] = votes
    return pa.concat_tables(asked[number] for number in sorted(asked))


async def take(poll: Poll, plan: VotingPlan, voters: Mapping[str, Voting]) -> None:
    """Ask a subject's questions one after the other until all its labels are settled."""
    while (group := poll.next()) is not None:
        voter = voters[plan.questions[group[0]].voter]
        poll.record(group, await voter.vote(poll.shown(group)))


async def take_in_rounds(poll: Poll, plan: VotingPlan, voters: Mapping[str, Voting]) -> None:
    """Do the same with the questions of a round at once, as batches ask them."""
    while groups := poll.soonest():
        for group in groups:
            voter = voters[plan.questions[group[0]].voter]
            poll.record(group, await voter.vote(poll.shown(group)))


def _is_done(block: pa.Table | None, plan: VotingPlan, spending: Spending) -> bool:
    """Whether the votes of an earlier, killed run leave nothing to ask in a block."""
    if block is None or spending.again:
        return False
    return not _failed(block, _replayed(plan))[0]


def _failed(votes: pa.Table, replayed: Sequence[str]) -> tuple[int, int]:
    """Return how many votes failed, and how many a record had no answer to: none will ever be."""
    voters = votes.filter(pc.equal(votes.column("status"), "failed")).column("voter")
    of_records = int(pc.sum(_is_of(voters, replayed)).as_py() or 0)
    return len(voters) - of_records, of_records


def _is_of(voters: pa.ChunkedArray, names: Sequence[str]) -> pa.ChunkedArray:
    return pc.is_in(voters.cast(pa.string()), value_set=pa.array(names, pa.string()))


def _replayed(plan: VotingPlan) -> list[str]:
    return [voter.name for voter in plan.ensemble.voters if isinstance(voter, ReplayVoter)]


def _block_of(out: store.StageWriter, block: int) -> pa.Table:
    kept = out.kept(_block_name(block))
    return to_table([], Vote) if kept is None else kept


def _block_name(block: int) -> str:
    return f"votes-{block:05d}"


def _counts(out: store.StageWriter, sizes: Sequence[int], plan: VotingPlan) -> Counter[str]:
    """Return how many votes have each status, and how many questions were planned and saved.

    A question that weighs nothing is not planned: no order asks it.
    A call is one for all votes of models with the same answer key, which are of one subject.
    What a record has no answer to is ``not_recorded`` instead of ``failed``.
    """
    counts: Counter[str] = Counter(
        subjects=sum(sizes), votes=0, model_votes=0, calls=0, ok=0, failed=0, not_recorded=0
    )
    models, replayed = [voter.name for voter in models_of(plan.ensemble)], _replayed(plan)
    for block in range(len(sizes)):
        table = _block_of(out, block)
        keys = table.filter(_is_of(table.column("voter"), models)).column("answer_key")
        counts["calls"] += pc.count_distinct(keys).as_py() + keys.null_count
        counts["model_votes"] += len(keys)
        counts["votes"] += table.num_rows
        failed, not_recorded = _failed(table, replayed)
        counts.update(failed=failed, not_recorded=not_recorded)
        for entry in pc.value_counts(table.column("status")).to_pylist():
            if entry["values"] != "failed":
                counts[entry["values"]] += entry["counts"]
    counts["planned"] = counts["subjects"] * int(np.count_nonzero(plan.weights))
    counts["saved"] = counts["planned"] - counts["votes"]
    return counts
