"""The described stage: a model writes what is true of each target, and questions about it.

Source: FPCO-Dialog, section 3.2 and appendix I.
"""

from collections.abc import Sequence
from pathlib import Path

from benchwright import store
from benchwright.asking.answered_stage import answered_stage
from benchwright.asking.estimates import Estimate
from benchwright.asking.jobs import (
    DEFAULT_JOB_SETTINGS,
    JobSettings,
    Outcome,
    ask_jobs,
    estimate_jobs,
)
from benchwright.asking.session import Spending
from benchwright.asking.voters import Voter
from benchwright.progress import Progress, no_progress
from benchwright.records import Described
from benchwright.rows import from_table, to_table
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.describing.targets import Target, targets_of
from labeling.dialogues.false_premise.describing.writing import Writing, writing_job
from labeling.dialogues.false_premise.planning.plan import (
    COMMAND as PLAN,
)
from labeling.dialogues.false_premise.planning.plan import (
    plan_folder,
    read_plan,
    schedule_of,
)
from labeling.dialogues.stored import dialogues_folder

STAGE = "dialogues/false-premise/described"
COMMAND = "build-dialogues false-premise describe"
_CONFIGS = {"described": "described.parquet"}


def describe(
    workspace: Workspace,
    voters: Sequence[Voter],
    spending: Spending,
    settings: JobSettings = DEFAULT_JOB_SETTINGS,
    *,
    force: bool = False,
    progress: Progress = no_progress,
) -> tuple[store.Manifest, bool]:
    """Write described.parquet, a row a planned dialogue; the second says that it was there before.

    Each target is described once, for all dialogues about it; targets are dealt to the voters in
    turn. ``failed`` of the counts says how many rows lack an answer of the server: run again, they
    are asked for. What was answered before is not asked again.

    Raises WorkspaceError, with what to run, without a plan or where the catalog is another one,
    and what asking raises.
    """
    folder = described_folder(workspace)
    plan = _plan(workspace, voters, settings)
    standing = answered_stage(folder, plan, spending, force=force)
    if standing is not None:
        return standing, True
    with store.writing(folder, plan, configs=_CONFIGS) as out:
        targets = targets_of(workspace, read_plan(workspace))
        turns = schedule_of(workspace).turns
        jobs = [writing_job(target, target.turn_of(voters), turns) for target in targets]
        outcomes = ask_jobs(workspace, voters, spending, jobs, settings, progress=progress)
        rows = _rows(targets, voters, outcomes)
        out.table("described", to_table(rows, Described))
        out.counts.update(_counts(targets, rows, outcomes))
    return store.require(folder, COMMAND), False


def estimate_describing(
    workspace: Workspace,
    voters: Sequence[Voter],
    spending: Spending,
    settings: JobSettings = DEFAULT_JOB_SETTINGS,
) -> list[Estimate]:
    """Return for each voter what ``describe`` would take, without asking; raises as it does."""
    targets = targets_of(workspace, read_plan(workspace))
    turns = schedule_of(workspace).turns
    return estimate_targets(workspace, voters, spending, targets, turns, settings)


def estimate_targets(
    workspace: Workspace,
    voters: Sequence[Voter],
    spending: Spending,
    targets: Sequence[Target],
    turns: int,
    settings: JobSettings = DEFAULT_JOB_SETTINGS,
) -> list[Estimate]:
    """Return for each voter what it would take to describe some targets, in so many questions."""
    jobs = [writing_job(target, target.turn_of(voters), turns) for target in targets]
    return estimate_jobs(workspace, voters, spending, jobs, settings)


def described_folder(workspace: Workspace) -> Path:
    """Return the folder of what was described."""
    return dialogues_folder(workspace, "false-premise") / "described"


def read_described(workspace: Workspace) -> list[Described]:
    """Return what was written of each planned dialogue, in the order of their ids.

    Raises WorkspaceError, with the command to run, when nothing was, and CorruptShard.
    """
    folder = described_folder(workspace)
    store.require(folder, COMMAND)
    return list(from_table(store.read_table(folder, "described.parquet"), Described))


def _plan(workspace: Workspace, voters: Sequence[Voter], settings: JobSettings) -> store.Plan:
    return store.Plan(
        stage=STAGE,
        inputs={
            "catalog": store.require(workspace.catalog, "build-catalog").digest(),
            "plan": store.require(plan_folder(workspace), PLAN).digest(),
        },
        settings={
            "voters": [voter.settings() for voter in voters],
            "max_retries": settings.max_retries,
        },
    )


def _rows(
    targets: Sequence[Target], voters: Sequence[Voter], outcomes: Sequence[Outcome[Writing]]
) -> list[Described]:
    rows = []
    for target, outcome in zip(targets, outcomes, strict=True):
        written = None if outcome.value is None else outcome.value.tidied()
        rows += [
            Described(
                dialogue_id=dialogue.dialogue_id,
                true_description=None if written is None else written.description,
                questions=() if written is None else tuple(written.questions),
                model=target.turn_of(voters).model,
                faults=outcome.faults,
                is_failed=outcome.is_failed,
            )
            for dialogue in target.dialogues
        ]
    return sorted(rows, key=lambda row: row.dialogue_id)


def _counts(
    targets: Sequence[Target], rows: Sequence[Described], outcomes: Sequence[Outcome[Writing]]
) -> dict[str, int]:
    described = sum(row.true_description is not None for row in rows)
    failed = sum(row.is_failed for row in rows)
    return {
        "dialogues": len(rows),
        "targets": len(targets),
        "described": described,
        "given_up": len(rows) - described - failed,
        "failed": failed,
        "faults": sum(len(outcome.faults) for outcome in outcomes),
    }
