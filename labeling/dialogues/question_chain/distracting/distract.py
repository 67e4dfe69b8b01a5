"""Drafting distractors and wrong answers for the chains that were authored (V-REX, section 4).

At each step but the last, questions that sound worth asking there and mislead; besides, whole
chains that hang together and go astray. Both come from models of at least two families where two
are named. Each distractor has its own true answer, since a model under test may ask it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from benchwright import store
from benchwright.asking.answered_stage import answered_stage
from benchwright.asking.ask import ShownPicture
from benchwright.asking.estimates import Estimate
from benchwright.asking.jobs import JobSettings, ask_jobs, estimate_jobs
from benchwright.asking.requests import PicturePart
from benchwright.asking.session import Spending
from benchwright.asking.voters import Voter
from benchwright.errors import WorkspaceError
from benchwright.progress import Progress, no_progress
from benchwright.records import QuestionChain
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from builders.catalog import load_items
from labeling.dialogues.question_chain.authoring.authored import authored_folder, read_authored
from labeling.dialogues.question_chain.distracting.distracted import (
    COMMAND,
    distracted_folder,
    made_of,
    with_drafts,
)
from labeling.dialogues.question_chain.distracting.drafting import (
    Drafted,
    DraftJob,
    Wanted,
    draft_jobs,
    drafted,
    is_ready,
)
from labeling.dialogues.question_chain.distracting.dropped import dropped_table
from labeling.dialogues.question_chain.distracting.likeness import NEAR

_CONFIGS = {"distracted": "distracted.parquet", "dropped": "dropped.parquet"}


@dataclass(frozen=True, slots=True, kw_only=True)
class DistractSettings:
    """What is drafted, and how models are asked."""

    wanted: Wanted = field(default_factory=Wanted)
    jobs: JobSettings = field(default_factory=JobSettings)


def distract(
    workspace: Workspace,
    voters: Sequence[Voter],
    settings: DistractSettings,
    spending: Spending,
    *,
    force: bool = False,
    progress: Progress = no_progress,
) -> tuple[store.Manifest, bool]:
    """Write dialogues/question-chain/distracted; return its manifest and whether it stood there.

    What was answered before is not asked again; a run of which calls failed, or that was stopped,
    goes on. ``failed`` of the counts are jobs that no server answered, ``short`` those that brought
    less than was wanted. Raises WorkspaceError without authored chains or without the catalog of
    their pictures, and what ``ask_jobs`` raises.
    """
    plan = _plan(workspace, voters, settings)
    folder = distracted_folder(workspace)
    standing = answered_stage(folder, plan, spending, force=force)
    if standing is not None:
        return standing, True
    chains = read_authored(workspace)
    with store.writing(folder, plan, configs=_CONFIGS) as out:
        asked = _jobs(workspace, chains, voters, settings.wanted)
        outcomes = ask_jobs(
            workspace,
            voters,
            spending,
            [one.job for one in asked],
            settings.jobs,
            progress=progress,
        )
        found = [drafted(one, outcome) for one, outcome in zip(asked, outcomes, strict=True)]
        made = _made(chains, found)
        out.table("distracted", to_table(made, QuestionChain))
        out.table("of", made_of(chains))
        out.table("dropped", dropped_table(row for one in found for row in one.dropped))
        out.counts.update(_counts(chains, found))
        out.reasons.update(_reasons(found))
    return store.require(folder, COMMAND), False


def distract_estimates(
    workspace: Workspace,
    voters: Sequence[Voter],
    settings: DistractSettings,
    spending: Spending,
) -> list[Estimate]:
    """Return for each voter what ``distract`` would take, without asking; raises as it does."""
    asked = _jobs(workspace, read_authored(workspace), voters, settings.wanted)
    jobs = [one.job for one in asked]
    return estimate_jobs(workspace, voters, spending, jobs, settings.jobs)


def _plan(workspace: Workspace, voters: Sequence[Voter], settings: DistractSettings) -> store.Plan:
    authored = store.require(authored_folder(workspace), "build-dialogues question-chain author")
    catalog = store.require(workspace.catalog, "build-catalog")
    return store.Plan(
        stage="dialogues/question-chain/distracted",
        inputs={"authored": authored.digest(), "catalog": catalog.digest()},
        settings={
            **asdict(settings.wanted),
            "near": NEAR,
            "max_retries": settings.jobs.max_retries,
            "voters": [voter.settings() for voter in voters],
        },
    )


def _jobs(
    workspace: Workspace,
    chains: Sequence[QuestionChain],
    voters: Sequence[Voter],
    wanted: Wanted,
) -> list[DraftJob]:
    ready = [chain for chain in chains if is_ready(chain)]
    shown = _shown(workspace, {chain.image_id for chain in ready})
    return [
        job for chain in ready for job in draft_jobs(chain, shown[chain.image_id], voters, wanted)
    ]


def _shown(workspace: Workspace, image_ids: set[str]) -> Mapping[str, ShownPicture]:
    """Return the pictures of some chains, by id."""
    columns = ["image_id", "image", "sha256", "width", "height"]
    rows = load_items(workspace, columns).to_pylist()
    found = {
        row["image_id"]: _picture(workspace, row)
        for row in rows
        if row["image_id"] in image_ids and row["image"] is not None
    }
    lost = sorted(image_ids - found.keys())
    if lost:
        raise WorkspaceError(
            f"{workspace.catalog}: has no picture {lost[0]}, which a chain is about ({len(lost)} in"
            " all); author the chains of this catalog again"
        )
    return found


def _picture(workspace: Workspace, row: Mapping[str, Any]) -> ShownPicture:
    path = workspace.images / row["image"]
    part = PicturePart(sha256=row["sha256"], path=path)
    return ShownPicture(path=path, part=part, size=(row["width"], row["height"]))


def _made(chains: Sequence[QuestionChain], found: Sequence[Drafted]) -> list[QuestionChain]:
    of_chain: dict[str, list[Drafted]] = {chain.chain_id: [] for chain in chains}
    for one in found:
        of_chain[one.of.chain.chain_id].append(one)
    return [with_drafts(chain, of_chain[chain.chain_id]) for chain in chains]


def _counts(chains: Sequence[QuestionChain], found: Sequence[Drafted]) -> dict[str, int]:
    made = Counter({"step": 0, "chain": 0, "answer": 0})
    for one in found:
        made[one.of.kind] += len(one.drafts)
    return {
        "chains": len(chains),
        "not_ready": sum(not is_ready(chain) for chain in chains),
        "jobs": len(found),
        "failed": sum(one.is_failed for one in found),
        "short": sum(len(one.drafts) < one.of.wanted and not one.is_failed for one in found),
        "step_distractors": made["step"],
        "chain_distractors": made["chain"],
        "wrong_answers": made["answer"],
        "dropped": sum(len(one.dropped) for one in found),
    }


def _reasons(found: Sequence[Drafted]) -> dict[str, int]:
    counted = Counter(row.fault for one in found for row in one.dropped)
    return dict(sorted(counted.items()))
