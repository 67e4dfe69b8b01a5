"""The falsified stage: a model makes each description false in the planned class.

A false description that voters found to be true of the picture counts as an attempt that failed,
and another one is asked for. What was answered is stored, so that each run goes over the same
attempts again and buys only the next one. Source: FPCO-Dialog, section 3.2, appendices G and I.
"""

from collections.abc import Sequence

from benchwright import store
from benchwright.asking.answered_stage import answered_stage
from benchwright.asking.estimates import Estimate
from benchwright.asking.jobs import DEFAULT_JOB_SETTINGS, JobSettings, ask_jobs, estimate_jobs
from benchwright.asking.session import Spending
from benchwright.asking.voters import Voter
from benchwright.progress import Progress, no_progress
from benchwright.records import Falsified
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.describing.spelling import tidied
from labeling.dialogues.false_premise.falsifying.falsified import (
    COMMAND,
    STAGE,
    falsified_folder,
    read_falsified,
)
from labeling.dialogues.false_premise.falsifying.wanted import (
    Material,
    Rows,
    left_out_of,
    material_of,
    wanted_of,
)

_CONFIGS = {"falsified": "falsified.parquet"}


def falsify(
    workspace: Workspace,
    voters: Sequence[Voter],
    spending: Spending,
    settings: JobSettings = DEFAULT_JOB_SETTINGS,
    *,
    variants: int = 1,
    force: bool = False,
    progress: Progress = no_progress,
) -> tuple[store.Manifest, bool]:
    """Write falsified.parquet; the second says that it was there before.

    There is a row for each described dialogue and variant, the variants of a dialogue being
    different substitutions. The targets are dealt to the voters as they are when they are
    described. What breaks a rule, and what ``seen`` says is true of the picture, is asked for anew,
    ``max_retries`` times in all. ``failed`` of the counts says how many rows lack an answer of the
    server: run again, they are asked for. What was answered before is not asked again.

    Raises WorkspaceError, with what to run, where nothing is described, or for another plan, and
    what asking raises.
    """
    folder, material = falsified_folder(workspace), material_of(workspace)
    plan = _plan(material, voters, settings, variants)
    standing = answered_stage(folder, plan, spending, force=force)
    if standing is not None:
        return standing, True
    with store.writing(folder, plan, configs=_CONFIGS) as out:
        rows: dict[tuple[str, int], Falsified] = {}
        for variant in range(1, variants + 1):
            wanted = list(wanted_of(material, voters, variant, rows))
            jobs = [one.job() for one in wanted]
            outcomes = ask_jobs(workspace, voters, spending, jobs, settings, progress=progress)
            made = [
                one.row(
                    None if outcome.value is None else tidied(outcome.value.false_description),
                    outcome.faults,
                    is_failed=outcome.is_failed,
                )
                for one, outcome in zip(wanted, outcomes, strict=True)
            ]
            made += left_out_of(variant, rows)
            rows |= {(row.dialogue_id, variant): row for row in made}
        ordered = [rows[key] for key in sorted(rows)]
        out.table("falsified", to_table(ordered, Falsified))
        out.counts.update(_counts(ordered))
    return store.require(folder, COMMAND), False


def estimate_falsifying(
    workspace: Workspace,
    voters: Sequence[Voter],
    spending: Spending,
    settings: JobSettings = DEFAULT_JOB_SETTINGS,
    *,
    variants: int = 1,
) -> list[Estimate]:
    """Return for each voter what ``falsify`` would take, without asking; raises as it does.

    A variant is asked for by what those before it say. Where ``falsified`` does not tell yet, the
    true description stands for them, which is about as long.
    """
    material = material_of(workspace)
    before = _expected(workspace, material, voters, variants)
    jobs = [
        one.job()
        for variant in range(1, variants + 1)
        for one in wanted_of(material, voters, variant, before)
    ]
    return estimate_jobs(workspace, voters, spending, jobs, settings)


def _plan(
    material: Material, voters: Sequence[Voter], settings: JobSettings, variants: int
) -> store.Plan:
    return store.Plan(
        stage=STAGE,
        inputs=material.inputs,
        settings={
            "voters": [voter.settings() for voter in voters],
            "variants": variants,
            "max_retries": settings.max_retries,
        },
    )


def _expected(
    workspace: Workspace, material: Material, voters: Sequence[Voter], variants: int
) -> Rows:
    """Return the rows of all variants, as they stand or as they may come to be."""
    is_there = store.load_manifest(falsified_folder(workspace)) is not None
    found: dict[tuple[str, int], Falsified] = {
        (one.plan.dialogue_id, variant): one.row(one.true_description)
        for variant in range(1, variants + 1)
        for one in wanted_of(material, voters, 1, {})
    }
    return found | {
        (row.dialogue_id, row.variant): row
        for row in (read_falsified(workspace) if is_there else ())
        if not row.is_failed
    }


def _counts(rows: Sequence[Falsified]) -> dict[str, int]:
    falsified = sum(row.false_description is not None for row in rows)
    failed = sum(row.is_failed for row in rows)
    return {
        "rows": len(rows),
        "dialogues": len({row.dialogue_id for row in rows}),
        "falsified": falsified,
        "given_up": len(rows) - falsified - failed,
        "failed": failed,
        "faults": sum(len(row.faults) for row in rows),
        "affirmed": sum(len(row.refused) for row in rows),
    }
