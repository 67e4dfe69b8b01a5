"""The proposals stage: boxes that models hold plausible at each turn, never counted as marks."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.compute as pc

from benchwright import files, seeds, store
from benchwright.asking.answered_stage import answered_stage
from benchwright.asking.estimates import Estimate
from benchwright.asking.jobs import (
    DEFAULT_JOB_SETTINGS,
    Job,
    JobSettings,
    Outcome,
    ask_jobs,
    dealt,
    estimate_jobs,
)
from benchwright.asking.session import Spending
from benchwright.asking.voters import Voter
from benchwright.errors import WorkspaceError
from benchwright.progress import Progress, no_progress
from benchwright.records import CandidateSet, ProposedMarks
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from builders.catalog import load_items
from labeling.dialogues.candidate_set import rules
from labeling.dialogues.candidate_set.box_ids import in_order
from labeling.dialogues.candidate_set.proposing.asking import PlausibleBoxes, proposal_job
from labeling.dialogues.candidate_set.proposing.numbered_pictures import (
    NumberedPicture,
    kept_picture,
    numbered_folder,
)
from labeling.dialogues.candidate_set.proposing.proposals import proposals_folder
from labeling.dialogues.stored import drafts_folder, read_drafts

COMMAND = "build-dialogues candidate-set propose"
_CONFIGS = {"proposals": "proposals.parquet"}


def propose(
    workspace: Workspace,
    voters: Sequence[Voter],
    spending: Spending,
    settings: JobSettings = DEFAULT_JOB_SETTINGS,
    *,
    force: bool = False,
    progress: Progress = no_progress,
) -> tuple[store.Manifest, bool]:
    """Write proposals.parquet, a row a turn of the drafts; the second says that it was there.

    Each dialogue is dealt to one voter by a hash, so that further ones move none. ``failed`` of
    the counts says how many turns lack an answer of the server: run again, they are asked for.

    Raises WorkspaceError where there are no drafts or pictures of them, and what asking raises.
    """
    folder = proposals_folder(workspace)
    plan = _plan(workspace, voters, settings)
    standing = answered_stage(folder, plan, spending, force=force)
    if standing is not None:
        return standing, True
    with store.writing(folder, plan, configs=_CONFIGS) as out:
        files.remove_leftovers(numbered_folder(workspace))
        drafts = read_drafts(workspace, "candidate-set")
        jobs = list(_jobs(workspace, drafts, voters))
        outcomes = ask_jobs(workspace, voters, spending, jobs, settings, progress=progress)
        rows = list(_rows(drafts, outcomes, {voter.name: voter.model for voter in voters}))
        out.table("proposals", to_table(rows, ProposedMarks))
        out.counts.update(_counts(rows))
    return store.require(folder, COMMAND), False


def estimate_proposals(
    workspace: Workspace,
    voters: Sequence[Voter],
    spending: Spending,
    settings: JobSettings = DEFAULT_JOB_SETTINGS,
) -> list[Estimate]:
    """Return for each voter what ``propose`` would take; nothing is asked, and nothing kept.

    Raises as it does.
    """
    drafts = read_drafts(workspace, "candidate-set")
    with TemporaryDirectory() as folder:  # the numbers are a part of what is asked
        jobs = list(_jobs(workspace, drafts, voters, drawn_in=Path(folder)))
        return estimate_jobs(workspace, voters, spending, jobs, settings)


def _plan(workspace: Workspace, voters: Sequence[Voter], settings: JobSettings) -> store.Plan:
    drafts = store.require(
        drafts_folder(workspace, "candidate-set"), "build-dialogues candidate-set draft"
    )
    return store.Plan(
        stage="dialogues/candidate-set/proposals",
        inputs={
            "catalog": store.require(workspace.catalog, "build-catalog").digest(),
            "drafts": drafts.digest(),
        },
        settings={
            "voters": [voter.settings() for voter in voters],
            "max_retries": settings.max_retries,
        },
    )


def _jobs(
    workspace: Workspace,
    drafts: Sequence[CandidateSet],
    voters: Sequence[Voter],
    drawn_in: Path | None = None,
) -> Iterator[Job[PlausibleBoxes]]:
    pictures = _pictures(workspace, drafts)
    for dialogue_id, turns in groupby(drafts, key=lambda draft: draft.dialogue_id):
        voter = dealt(voters, seeds.below(len(voters), 0, "propose", dialogue_id)).name
        numbered = pictures[dialogue_id]
        # drawn when it is first asked about, once for all turns and attempts
        picture = cache(partial(kept_picture, workspace, numbered, drawn_in))
        for draft in turns:
            yield proposal_job(draft, numbered, picture, voter)


def _pictures(
    workspace: Workspace, drafts: Sequence[CandidateSet]
) -> Mapping[str, NumberedPicture]:
    """Return the picture of each dialogue with its boxes, which are the same at every turn."""
    of_dialogue = {draft.dialogue_id: draft for draft in drafts}
    wanted = pa.array(sorted({draft.image_id for draft in drafts}), pa.string())
    items = load_items(workspace, ["image_id", "image", "width", "height"])
    chosen = items.filter(pc.is_in(items.column("image_id"), wanted)).to_pylist()
    known = {row["image_id"]: row for row in chosen if None not in row.values()}
    lost = [name for name, draft in of_dialogue.items() if draft.image_id not in known]
    if lost:
        raise WorkspaceError(
            f"{workspace.catalog}: has no picture of dialogue {lost[0]} ({len(lost)} of"
            f" {len(of_dialogue)}); run build-dialogues candidate-set draft again for this catalog"
        )
    return {
        name: NumberedPicture(
            path=workspace.images / known[draft.image_id]["image"],
            size=(known[draft.image_id]["width"], known[draft.image_id]["height"]),
            boxes=draft.boxes,
        )
        for name, draft in of_dialogue.items()
    }


def _rows(
    drafts: Sequence[CandidateSet],
    outcomes: Sequence[Outcome[PlausibleBoxes]],
    models: Mapping[str, str],
) -> Iterator[ProposedMarks]:
    last: dict[str, tuple[str, ...]] = {}
    for draft, outcome in zip(drafts, outcomes, strict=True):
        ids = () if outcome.value is None else in_order(outcome.value.ids())
        before = last.get(draft.dialogue_id)
        advice = rules.narrows(before, ids).reason if before is not None and ids else None
        last = {draft.dialogue_id: ids} if ids else {}
        yield ProposedMarks(
            dialogue_id=draft.dialogue_id,
            turn=draft.turn,
            box_ids=ids,
            model=models[outcome.voter],
            advice=advice,
            faults=outcome.faults,
            is_failed=outcome.is_failed,
        )


def _counts(rows: Sequence[ProposedMarks]) -> Mapping[str, int]:
    failed = sum(row.is_failed for row in rows)
    proposed = sum(bool(row.box_ids) for row in rows)
    return {
        "turns": len(rows),
        "proposed": proposed,
        "given_up": len(rows) - proposed - failed,
        "failed": failed,
        "widened": sum(row.advice is not None for row in rows),
        "boxes": sum(len(row.box_ids) for row in rows),
    }
