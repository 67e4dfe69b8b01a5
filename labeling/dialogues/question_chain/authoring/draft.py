"""The drafted stage: models write chains about pictures of the catalog, for people to own."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from benchwright import store
from benchwright.asking.answered_stage import answered_stage
from benchwright.asking.estimates import Estimate
from benchwright.asking.jobs import (
    DEFAULT_JOB_SETTINGS,
    Job,
    JobSettings,
    Outcome,
    ask_jobs,
    estimate_jobs,
)
from benchwright.asking.requests import PicturePart
from benchwright.asking.session import Spending
from benchwright.asking.voters import Voter
from benchwright.decisions.auditors import model_author
from benchwright.decisions.journal import read_journal
from benchwright.errors import UsageError
from benchwright.plain_text import excerpt
from benchwright.progress import Progress, no_progress
from benchwright.records import QuestionChain, Reject
from benchwright.rows import to_table
from benchwright.seeds import shuffled
from benchwright.workspace import Workspace
from builders.catalog import load_items
from builders.duplicates.groups import groups_digest, groups_of
from labeling.dialogues.question_chain.authoring.authored import (
    chain_ids,
    drafted_folder,
    gather_authored,
)
from labeling.dialogues.question_chain.authoring.chain_form import about
from labeling.dialogues.question_chain.authoring.draft_request import (
    SaidDraft,
    draft_fault,
    draft_request,
    drafted_chain,
)
from labeling.dialogues.question_chain.rules.scenarios import scenarios

COMMAND = "build-dialogues question-chain draft"
_COLUMNS = ("image_id", "image", "sha256", "width", "height", "group_id")
_CONFIGS = {"drafted": "drafted.parquet", "rejected": "rejected.parquet"}
_SHOWN = 3  # chains that an error names
_LONGEST = 1000  # characters of what a reject says


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSettings:
    """How many pictures to ask about, for which categories (none for all), and how to ask."""

    chains: int = 50
    categories: tuple[str, ...] = ()
    seed: int = 0
    jobs: JobSettings = DEFAULT_JOB_SETTINGS

    def chosen(self) -> tuple[str, ...]:
        """Return the categories, in the order in which pictures are dealt to them."""
        return tuple(name for name in scenarios() if name in self.categories or not self.categories)


def draft_chains(
    workspace: Workspace,
    voters: Sequence[Voter],
    settings: DraftSettings,
    spending: Spending,
    *,
    force: bool = False,
    progress: Progress = no_progress,
) -> tuple[store.Manifest, bool]:
    """Write drafted.parquet, a chain a picture, and rejected.parquet, why a picture has none.

    Returns the manifest, and whether all stood there already.

    A draft breaks no rule of the steps and has no options; its author is the voter, as
    ``model_author`` names it. The counts say how many were asked for, drafted and failed: what
    failed is asked anew by another run, and nothing else is.

    Raises UsageError where there is no picture, and without ``force`` where drafts would go that
    people decided on; WorkspaceError without a catalog; and what ``ask_jobs`` raises.
    """
    plan = _plan(workspace, voters, settings)
    folder = drafted_folder(workspace)
    standing = answered_stage(folder, plan, spending, force=force)
    was_there = standing is not None
    if standing is None:
        with store.writing(folder, plan, configs=_CONFIGS) as out:  # so that one run alone asks
            jobs = _jobs(workspace, voters, settings)
            outcomes = ask_jobs(workspace, voters, spending, jobs, settings.jobs, progress=progress)
            chains, rejects = _made(outcomes, settings.chosen())
            if not force:
                _keep_decided(workspace, chains)
            out.table("drafted", to_table(chains, QuestionChain))
            out.table("rejected", to_table(rejects, Reject))
            failed = sum(outcome.is_failed for outcome in outcomes)
            out.counts.update(asked=len(jobs), chains=len(chains), failed=failed)
            out.reasons.update(Counter(one.reason for one in rejects))
        standing = store.require(folder, COMMAND)
    gather_authored(workspace)
    return standing, was_there


def estimate_drafts(
    workspace: Workspace, voters: Sequence[Voter], settings: DraftSettings, spending: Spending
) -> list[Estimate]:
    """Return for each voter what ``draft_chains`` would take; raises as it does."""
    jobs = _jobs(workspace, voters, settings)
    return estimate_jobs(workspace, voters, spending, jobs, settings.jobs)


def _plan(workspace: Workspace, voters: Sequence[Voter], settings: DraftSettings) -> store.Plan:
    inputs = {"catalog": store.require(workspace.catalog, "build-catalog").digest()}
    duplicates = groups_digest(workspace)
    if duplicates is not None:
        inputs["duplicates"] = duplicates
    return store.Plan(
        stage="dialogues/question-chain/drafted",
        inputs=inputs,
        settings={
            "chains": settings.chains,
            "categories": list(settings.chosen()),
            "max_retries": settings.jobs.max_retries,
            "voters": [voter.settings() for voter in voters],
        },
        seed=settings.seed,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    image_id: str
    part: PicturePart
    size: tuple[int, int]


def _jobs(
    workspace: Workspace, voters: Sequence[Voter], settings: DraftSettings
) -> list[Job[SaidDraft]]:
    """Return what to ask for; more chains are the same ones and others after them."""
    pictures = list(_pictures(workspace, settings))
    if not pictures:
        raise UsageError(
            f"{workspace.catalog}: has no picture to draft a chain about; build it from a source"
            " with pictures"
        )
    categories = settings.chosen()
    return [
        Job(
            name=shown.image_id,
            voter=voters[voter_number(number, len(categories), len(voters))].name,
            form=SaidDraft,
            request=partial(draft_request, shown.part, _category(categories, number)),
            fault=partial(draft_fault, category=_category(categories, number)),
            sizes=(shown.size,),
        )
        for number, shown in enumerate(pictures)
    ]


def voter_number(number: int, categories: int, voters: int) -> int:
    """Return the number of the voter who drafts chain ``number``, all from 0.

    Chains are dealt to the categories in turn; each round of them begins with the next voter, so
    that in as many rounds as there are voters each drafts once for each category.
    """
    round_number, category = divmod(number, categories)
    return (round_number + category) % voters


def _category(categories: Sequence[str], number: int) -> str:
    return categories[number % len(categories)]


def _pictures(workspace: Workspace, settings: DraftSettings) -> Iterator[_Shown]:
    """Yield as many pictures as wanted, drawn by the seed, one of each group."""
    items = load_items(workspace, _COLUMNS)
    groups = groups_of(workspace, items).to_pylist()
    of_picture = dict(zip(items["image_id"].to_pylist(), groups, strict=True))
    rows = {row["image_id"]: row for row in items.to_pylist() if row["image"] is not None}
    taken: set[str] = set()
    left = settings.chains
    for image_id in shuffled(list(rows), settings.seed, "question-chain-pictures"):
        group = of_picture[image_id]
        if group in taken or not left:
            continue
        if group is not None:
            taken.add(group)
        left -= 1
        row = rows[image_id]
        part = PicturePart(sha256=row["sha256"], path=workspace.images / row["image"])
        yield _Shown(image_id=image_id, part=part, size=(row["width"], row["height"]))


def _made(
    outcomes: Sequence[Outcome[SaidDraft]], categories: Sequence[str]
) -> tuple[list[QuestionChain], list[Reject]]:
    chains, rejects = [], []
    for number, outcome in enumerate(outcomes):
        said = outcome.value
        if said is not None and said.suits:
            chain = drafted_chain(said, _category(categories, number), model_author(outcome.voter))
            chains.append(about(outcome.name, chain))
        else:
            rejects.append(_reject(outcome))
    return sorted(chains, key=lambda chain: chain.chain_id), rejects


def _reject(outcome: Outcome[SaidDraft]) -> Reject:
    if outcome.value is not None:
        reason, message = "unsuitable", outcome.value.why
    elif outcome.is_failed:
        reason, message = "no_answer", outcome.faults[-1]
    else:
        reason, message = "breaks_rules", " | ".join(outcome.faults)
    return Reject(
        source=outcome.voter,
        kind="dialogue",
        source_id=outcome.name,
        row=None,
        path=None,
        reason=reason,
        message=excerpt(message, _LONGEST),
    )


def _keep_decided(workspace: Workspace, chains: Sequence[QuestionChain]) -> None:
    """Raise UsageError where drafts would be left out that somebody decided on."""
    gone = chain_ids(drafted_folder(workspace), "drafted") - {each.chain_id for each in chains}
    decided = {one.record_id for one in read_journal(workspace).decisions if one.record_id in gone}
    if decided:
        names = ", ".join(sorted(filter(None, decided))[:_SHOWN])
        raise UsageError(
            f"{drafted_folder(workspace)}: {len(decided)} of the drafts that people decided on are"
            f" none of this run ({names}); draft with the settings of before, ask for more"
            " --chains, or leave them out with --force"
        )
